"""What was found about the numbers of several tools: the numbers, and which rule makes which part of a difference."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

SCHEMA = "cranfield.whydiff/1"
UNROUNDED = 6
"""Decimal places shown of a number that its tool does not round."""


class TopicPart(NamedTuple):
    """What a rule does to the mean on one topic."""

    topic: str
    part: float


@dataclass(frozen=True)
class ToolValue:
    """The number of one tool."""

    profile: str
    measure: str
    """The measure as the tool has it, with the parameters that are its own."""
    value: float
    places: int | None
    """To how many decimal places the tool rounds; None: not at all."""
    topics: int
    """How many topics the mean is over."""
    low: float | None = None
    """The lowest and the highest value there could be, where the tool leaves the order of tied documents open."""
    high: float | None = None
    note: str = ""
    """Where the tool itself would have stopped, and what it was told so that it went on."""

    @property
    def is_open(self) -> bool:
        """Whether the tool leaves it open what its number is."""
        return self.low is not None

    @property
    def shown(self) -> str:
        """The number with the decimal places that the tool gives it."""
        return f"{self.value:z.{UNROUNDED if self.places is None else self.places}f}"


@dataclass(frozen=True)
class RulePart:
    """A rule in which two tools differ, and the part of the difference that it accounts for."""

    rule: str
    reference: str
    """What the first tool does, in words."""
    other: str
    """What the other tool does."""
    part: float = 0.0
    topics: tuple[TopicPart, ...] = ()
    """The topics on which it does most, these first."""
    topics_affected: int = 0

    @property
    def words(self) -> str:
        return f"{self.rule} ({self.reference} / {self.other})"


@dataclass(frozen=True)
class ToolDifference:
    """Why the number of one tool is not that of another."""

    reference: str
    other: str
    difference: float
    """Other minus reference, of the numbers as the tools give them."""
    parts: tuple[RulePart, ...]
    """The rules that make the difference, the largest part first. The parts add up to it."""
    no_effect: tuple[RulePart, ...]
    """Rules in which the two differ and that change nothing here."""

    def part(self, rule: str) -> float:
        """The part of one rule; 0 if it makes none."""
        return next((one.part for one in self.parts if one.rule == rule), 0.0)


@dataclass(frozen=True)
class MeasureDifferences:
    """What several tools make of one measure."""

    measure: str
    """The measure as it was named."""
    tools: tuple[ToolValue, ...]
    without: Mapping[str, str]
    """Tools that have no number, and why."""
    differences: tuple[ToolDifference, ...]
    """Each tool against the first one."""

    @property
    def values(self) -> dict[str, float]:
        """The number of each tool, by profile."""
        return {tool.profile: tool.value for tool in self.tools}


@dataclass(frozen=True)
class WhyDiff:
    """Why several tools give different numbers for one run, measure by measure."""

    run: str
    settings: Mapping[str, Any]
    measures: tuple[MeasureDifferences, ...]
    coverage: str
    """How far judgments and run meet."""

    def __getitem__(self, measure: str) -> MeasureDifferences:
        for one in self.measures:
            if one.measure == measure:
                return one
        raise KeyError(
            f"there is nothing about {measure}; there is about {', '.join(m.measure for m in self.measures)}"
        )

    def to_dict(self) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/json.md."""
        return {
            "schema": SCHEMA,
            "run": self.run,
            "settings": dict(self.settings),
            "coverage": self.coverage,
            "measures": [_plain(one) for one in self.measures],
        }

    def __repr__(self) -> str:
        blocks = []
        for one in self.measures:
            lines = [f"{one.measure} of {self.run}", *aligned(tool_cells(one))]
            for difference in one.differences:
                lines += ["", *part_lines(difference)]
                if difference.no_effect:
                    lines.append(no_effect(difference.no_effect))
            blocks.append("\n".join(lines))
        return "\n\n".join(blocks)

    def _repr_html_(self) -> str:
        return "".join("".join(_html(self.run, one)) for one in self.measures)


def tool_cells(one: MeasureDifferences) -> list[list[str]]:
    """Each tool with its number and what is to be said about it."""
    cells = [[tool.profile, tool.shown, remark(tool)] for tool in one.tools]
    return cells + [[profile, "-", why] for profile, why in one.without.items()]


def remark(tool: ToolValue) -> str:
    """What is to be said beside the number of a tool."""
    said = [tool.measure, f"{tool.topics} topic{'s' * (tool.topics != 1)}"]
    if tool.low is not None and tool.high is not None:
        said.append(f"from {tool.low:z.{UNROUNDED}f} to {tool.high:z.{UNROUNDED}f}, as its sort leaves tied documents")
    return "; ".join([*said, *([tool.note] if tool.note else [])])


def headline(difference: ToolDifference) -> str:
    """The difference in a line.

    >>> headline(ToolDifference("trec_eval-9", "gdeval", -0.0312, (), ()))
    'gdeval - trec_eval-9 = -0.031200'
    """
    return f"{difference.other} - {difference.reference} = {signed(difference.difference)}"


def signed(number: float) -> str:
    """A part of a difference; with a digit that says something, however small it is.

    >>> signed(0.0312), signed(-2e-9), signed(0.0)
    ('+0.031200', '-2.0e-09', '0')
    """
    text = f"{number:+.{UNROUNDED}f}"
    if text.strip("+-0."):
        return text
    return f"{number:+.1e}" if number else "0"


def part_lines(difference: ToolDifference) -> list[str]:
    """The difference and its parts: how much, which rule, what the two tools do, and below it on which topics."""
    if not difference.parts:
        return [headline(difference)]
    cells = [[signed(part.part), part.rule, f"{part.reference} / {part.other}"] for part in difference.parts]
    head, *lines = aligned([["part", "rule", f"{difference.reference} / {difference.other}"], *cells])
    indent = " " * (max(len(row[0]) for row in cells) + 4)
    out = [headline(difference), head]
    for part, line in zip(difference.parts, lines, strict=True):
        out += [line, *([f"{indent}on {topics}"] if (topics := topics_of(part)) else [])]
    return out


def topics_of(part: RulePart) -> str:
    """The topics on which a rule does most, and how many more there are."""
    topics = [f"{topic} {signed(share)}" for topic, share in part.topics]
    more = part.topics_affected - len(part.topics)
    if not topics and more:
        return f"{more} topic{'s' * (more != 1)}"
    return ", ".join([*topics, *([f"{more} more"] if more else [])])


def no_effect(rules: Sequence[RulePart]) -> str:
    """The rules that change nothing, in a line."""
    return f"no effect here: {'; '.join(rule.words for rule in rules)}"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns flush left, indented."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  " + "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]


def _plain(one: MeasureDifferences) -> dict[str, Any]:
    return {
        "measure": one.measure,
        "tools": [asdict(tool) for tool in one.tools],
        "without": dict(one.without),
        "differences": [
            {
                **{key: value for key, value in asdict(difference).items() if key not in ("parts", "no_effect")},
                "parts": [_plain_part(part) for part in difference.parts],
                "no_effect": [
                    {"rule": p.rule, "reference": p.reference, "other": p.other} for p in difference.no_effect
                ],
            }
            for difference in one.differences
        ],
    }


def _plain_part(part: RulePart) -> dict[str, Any]:
    return {**asdict(part), "topics": [topic._asdict() for topic in part.topics]}


def _html(run: str, one: MeasureDifferences) -> Iterator[str]:
    yield f"<p>{html.escape(f'{one.measure} of {run}')}</p>"
    yield _html_table(["tool", "value", ""], tool_cells(one))
    for difference in one.differences:
        yield f"<p>{html.escape(headline(difference))}</p>"
        rows = [[signed(p.part), p.rule, f"{p.reference} / {p.other}", topics_of(p)] for p in difference.parts]
        yield _html_table(["part", "rule", f"{difference.reference} / {difference.other}", "topics"], rows)
        if difference.no_effect:
            yield f"<small>{html.escape(no_effect(difference.no_effect))}</small>"


def _html_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        inside = (f'<{tag} style="text-align:left">{html.escape(cell)}</{tag}>' for cell in cells)
        return f"<tr>{''.join(inside)}</tr>"

    body = "".join(line(row, "td") for row in rows)
    return f"<table><thead>{line(header, 'th')}</thead><tbody>{body}</tbody></table>"
