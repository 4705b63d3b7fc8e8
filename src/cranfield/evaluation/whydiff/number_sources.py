"""What was found about a number in a paper: what would give it, or what comes nearest."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

SCHEMA = "cranfield.number/1"
HEADER = ("value", "measure", "tools; what else was done")
"""Of `NumberSearch.cells`."""
POSSIBLE = "possible, in some order of tied documents:"
"""What stands above the tools that leave the number open."""


@dataclass(frozen=True)
class Source:
    """A way to a number: tools, the measure with its parameters, and what else was done."""

    profiles: tuple[str, ...]
    """The tools that give the very same number in this way."""
    measure: str
    value: float
    """Not rounded."""
    changes: int
    """How many departures from what was asked it takes."""
    also: tuple[str, ...] = ()
    """Departures that the name of the measure does not show."""

    @property
    def cells(self) -> list[str]:
        """Value, measure, and the tools with what else was done."""
        tools = "; ".join([", ".join(self.profiles), *self.also])
        return [f"{self.value:z.6f}", self.measure, tools]


@dataclass(frozen=True)
class NumberSearch:
    """Which tools and parameters would give a number."""

    run: str
    measure: str
    """The measure that the number is said to be."""
    number: str
    """As it was given."""
    value: float
    tolerance: float
    """Half of the last digit given."""
    tried: int
    """How many ways were tried."""
    matches: tuple[Source, ...]
    """The ways to it that take the fewest changes."""
    nearest: tuple[Source, ...]
    """The ways that come nearest, these first."""
    possible: tuple[Source, ...] = ()
    """Tools that would give it in some order of tied documents, which they leave open. Their value is the one with ties
    as in the file."""
    notes: tuple[str, ...] = ()
    """How the number was read, where that is not plain."""

    @property
    def sentence(self) -> str:
        """What it comes to, in plain words."""
        asked = f"{self.measure} = {self.number} of {self.run}"
        if not self.matches:
            return f"{asked}: none of {self.tried} ways gives this number"
        changes = self.matches[0].changes
        how = {0: "as named", 1: "with one change"}.get(changes, f"with {changes} changes")
        ways = "way gives" if len(self.matches) == 1 else "ways give"
        return f"{asked}: {len(self.matches)} {ways} this number {how} ({self.tried} tried)"

    @property
    def title(self) -> str:
        """What stands above the ways that are shown."""
        return f"{self.sentence}:" if self.matches else f"{self.sentence}; the nearest:"

    @property
    def shown(self) -> tuple[Source, ...]:
        """What is to be shown: the matches, or the nearest if there are none."""
        return self.matches or self.nearest

    def to_dict(self) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/json.md."""
        return {"schema": SCHEMA, **asdict(self), "sentence": self.sentence}

    def __repr__(self) -> str:
        parts = [(self.title, self.shown), *([(POSSIBLE, self.possible)] if self.possible else [])]
        lines = list(self.notes)
        for title, sources in parts:
            rows = [source.cells for source in sources]
            widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
            lines.append(title)
            lines += ["  " + "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        text = "".join(f"<p>{html.escape(note)}</p>" for note in self.notes)
        text += _html_table(self.title, self.shown)
        return text + (_html_table(POSSIBLE, self.possible) if self.possible else "")


def _html_table(title: str, sources: Sequence[Source]) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        inside = (f'<{tag} style="text-align:left">{html.escape(cell)}</{tag}>' for cell in cells)
        return f"<tr>{''.join(inside)}</tr>"

    body = "".join(line(source.cells, "td") for source in sources)
    return f"<p>{html.escape(title)}</p><table><thead>{line(HEADER, 'th')}</thead><tbody>{body}</tbody></table>"


def together(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Tools that give the same number in the same way, named once.

    >>> [one.profiles for one in together([Source(("a",), "AP", 0.5, 0), Source(("b",), "AP", 0.5, 0)])]
    [('a', 'b')]
    """
    found: dict[Source, tuple[str, ...]] = {}
    for source in sources:
        way = replace(source, profiles=())
        found[way] = tuple(dict.fromkeys((*found.get(way, ()), *source.profiles)))
    return tuple(replace(way, profiles=profiles) for way, profiles in found.items())
