"""What a run must fulfil to pass a gate, in a small language.

    requirement = measure condition [ "in" slice ]
    condition   = ( ">=" | ">" | "<=" | "<" ) number [ "significantly" ]
                | ( "drop" | "rise" ) ( "<=" | "<" | ">=" | ">" ) number
                | "relative" ( "drop" | "rise" ) ( "<=" | "<" | ">=" | ">" ) number "%"
                | "improves" [ "significantly" ]
                | "non-inferior" "margin" number
                | "equivalent" "margin" number

A drop is the baseline's mean minus the new run's, a rise the other way round.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from cranfield.errors import CranfieldError, UsageError
from cranfield.measures import Measure, parse_one

Kind = Literal["value", "drop", "rise", "improves", "non-inferior", "equivalent"]
ALL_TOPICS = "all"
"""What stands after `in` for all topics together and no slice by itself."""

CONDITIONS = (
    "drop <= NUMBER",
    "relative drop <= NUMBER%",
    "rise >= NUMBER",
    "relative rise >= NUMBER%",
    ">= NUMBER [significantly]",
    "improves [significantly]",
    "non-inferior margin NUMBER",
    "equivalent margin NUMBER",
)

_OPPOSITE = {"drop": "rise", "rise": "drop"}
_NUMBER = r"(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)"
_OPERATOR = r"(?P<operator>[<>]=?)"
_WHOLE = re.compile(
    r"\s*(?P<measure>[^\s<>(]+(?:\([^()]*\))?[^\s<>(]*)\s*(?P<condition>.*?)(?:\s+in\s+(?P<slice>.+?))?\s*",
    re.DOTALL | re.IGNORECASE,
)
_CONDITIONS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_OPERATOR}\s*{_NUMBER}(?P<significantly>\s+significantly)?",
        rf"(?P<relative>relative\s+)?(?P<word>drop|rise)\s*{_OPERATOR}\s*{_NUMBER}\s*(?P<percent>%)?",
        r"(?P<word>improves)(?P<significantly>\s+significantly)?",
        rf"(?P<word>non-inferior|equivalent)\s+margin\s+{_NUMBER}",
    )
]
_BEGUN = re.compile(
    rf"(?P<relative>relative\s+)?(?P<change>drop|rise)\b\s*{_OPERATOR}?|{_OPERATOR.replace('operator', 'alone')}"
    r"|(?P<margin>non-?inferior|equivalent)\b|improves\b",
    re.IGNORECASE,
)
"""How a condition may begin, to say what is wrong behind it."""
_NO_MEASURES = ("relative", "drop", "rise", "improves", "non-inferior", "equivalent")
_SIGNS = str.maketrans({"≤": "<=", "≥": ">=", "⩽": "<=", "⩾": ">="})


@dataclass(frozen=True)
class Requirement:
    """A condition on one measure, for all topics and each slice of them, or for one slice."""

    text: str
    """As it was written."""
    measure: Measure
    kind: Kind
    operator: str = ""
    limit: float = 0.0
    """What the value, drop or rise is held against, or the margin."""
    relative: bool = False
    """Whether a drop or rise is a share of the baseline's mean."""
    significantly: bool = False
    """Whether a test must show it."""
    slice: str | None = None
    """The slice it is about: None for all topics and every slice, `all` for all topics together."""

    @property
    def needs_test(self) -> bool:
        return self.significantly or self.kind in ("non-inferior", "equivalent")

    def holds_for(self, value: float, *, tolerance: float) -> bool:
        """Whether a value, drop or rise is within the limit, give or take what arithmetic adds."""
        if self.operator in ("<=", "<"):
            value, limit = -value, -self.limit
        else:
            limit = self.limit
        return value >= limit - tolerance if self.operator.endswith("=") else value > limit + tolerance


def parse_requirement(text: str) -> Requirement:
    """A requirement from its text.

    >>> parse_requirement("nDCG@10 drop <= 0.01")
    Requirement(text='nDCG@10 drop <= 0.01', measure=nDCG@10, kind='drop', operator='<=', limit=0.01, relative=False,
                significantly=False, slice=None)
    >>> parse_requirement("P(rel=2)@10>=.3 significantly in long queries").slice
    'long queries'
    >>> parse_requirement("AP drops by 0.01")
    Traceback (most recent call last):
        ...
    cranfield.errors.UsageError: requirement 'AP drops by 0.01': after the measure found 'drops by 0.01', expected one
    of: drop <= NUMBER; relative drop <= NUMBER%; rise >= NUMBER; relative rise >= NUMBER%; >= NUMBER [significantly];
    improves [significantly]; non-inferior margin NUMBER; equivalent margin NUMBER; then, if you like, in SLICE
    """
    whole = _WHOLE.fullmatch(text)
    if whole is None:
        raise _wrong(text, "expected a measure and a condition, such as 'nDCG@10 drop <= 0.01'")
    if whole["measure"].lower() in _NO_MEASURES:
        raise _wrong(text, "the measure is missing: expected one and a condition, such as 'nDCG@10 drop <= 0.01'")
    condition = whole["condition"]
    found = next(filter(None, (pattern.fullmatch(condition) for pattern in _CONDITIONS)), None)
    if found is None:
        raise _wrong(text, _fault(whole["measure"], condition))
    parts = found.groupdict()
    try:
        measure = parse_one(whole["measure"])
    except CranfieldError as error:
        raise _wrong(text, str(error)) from None
    kind: Kind = (parts.get("word") or "value").lower()  # type: ignore[assignment]
    number, relative = float(parts.get("number") or 0), bool(parts.get("relative"))
    requirement = Requirement(
        text=" ".join(text.split()),
        measure=measure,
        kind=kind,
        operator=parts.get("operator") or "",
        limit=number / 100 if relative else number,
        relative=relative,
        significantly=bool(parts.get("significantly")),
        slice=whole["slice"],
    )
    if relative != bool(parts.get("percent")):
        raise _wrong(
            text,
            f"an absolute {kind} is a number such as 0.01, and a relative one a percentage, written such as "
            f"'relative {kind} {requirement.operator} 2%'",
        )
    _check(requirement)
    return requirement


def _fault(measure: str, condition: str) -> str:
    """What is wrong with a condition that no form fits, as near to the place as can be said."""
    turned = condition.translate(_SIGNS).replace("=>", ">=").replace("=<", "<=")
    if turned != condition and any(pattern.fullmatch(turned) for pattern in _CONDITIONS):
        return f"the operators are <=, <, >= and >; did you mean '{measure} {turned}'?"
    begun = _BEGUN.match(condition)
    if begun is None:
        shown = f"found {condition!r}" if condition else "nothing follows"
        return f"after the measure {shown}, expected one of: {'; '.join(CONDITIONS)}; then, if you like, in SLICE"
    found, rest = begun[0].strip(), condition[begun.end() :].strip()
    if begun["margin"]:
        form = "equivalent margin" if begun["margin"].lower() == "equivalent" else "non-inferior margin"
        return f"expected '{form} NUMBER', such as '{measure} {form} 0.02', found {condition!r}"
    if begun["operator"] or begun["alone"]:
        number = re.match(_NUMBER, rest, re.IGNORECASE)
        surplus = f"after the number found {rest[number.end() :].strip()!r}" if number else ""
        return surplus or f"after {found!r} expected a number, found {repr(rest) if rest else 'nothing'}"
    if begun["change"]:
        example = "<= 0.01" if begun["change"].lower() == "drop" else ">= 0.01"
        example = example.replace("0.01", "2%") if begun["relative"] else example
        return f"after {found!r} expected an operator and a number, such as '{found} {example}'"
    return f"after {found!r} found {rest!r}, expected 'significantly' or nothing"


def _check(requirement: Requirement) -> None:
    """An error for a requirement that cannot be tested, or that asks for a worse run."""
    text, measure, kind = requirement.text, requirement.measure, requirement.kind
    more = measure.more_is_better
    if measure.definition.aggregate == "none":
        raise _wrong(text, f"{measure} is text and has no mean")
    if kind in ("non-inferior", "equivalent") and requirement.limit <= 0:
        raise _wrong(text, f"the margin must be above 0, not {requirement.limit:g}")
    if measure.definition.aggregate not in ("mean", "sum") and requirement.needs_test and kind != "improves":
        raise _wrong(text, f"{measure} is not a mean over topics, so this cannot be tested; use drop, rise, >= or <=")
    if more is None and kind in ("improves", "non-inferior"):
        raise _wrong(text, f"neither more nor less of {measure} is better; use drop, rise, >=, <= or equivalent")
    _check_reach(requirement)
    if more is None or not requirement.operator:
        return
    at_least = requirement.operator.startswith(">")
    asks_for_more = at_least != (kind == "drop")
    if asks_for_more != more:
        turned = requirement.operator.translate(str.maketrans("<>", "><"))
        fitting = [f"{kind} {turned}", f"{_OPPOSITE[kind]} {requirement.operator}"] if kind in _OPPOSITE else [turned]
        raise _wrong(
            text,
            f"of {measure} {'more' if more else 'less'} is better, so this would ask for a worse run; did you mean "
            f"{' or '.join(map(repr, fitting))}?",
        )


def _check_reach(requirement: Requirement) -> None:
    """An error for a mean, or a change of it, that no run can have."""
    low, high = requirement.measure.bounds
    if requirement.kind in _OPPOSITE:
        low, high = low - high, high - low
    if requirement.relative or not requirement.operator or requirement.measure.definition.aggregate == "geometric":
        return
    beyond = requirement.limit > high if requirement.operator.startswith(">") else requirement.limit < low
    at_end = requirement.limit == (high if requirement.operator == ">" else low) and len(requirement.operator) == 1
    if beyond or at_end:
        what = requirement.kind if requirement.kind in _OPPOSITE else "mean"
        raise _wrong(
            requirement.text,
            f"no run can meet this: the {what} of {requirement.measure} is from {low:g} to {high:g}",
        )


def _wrong(text: str, reason: str) -> UsageError:
    return UsageError(f"requirement {' '.join(text.split())!r}: {reason}")
