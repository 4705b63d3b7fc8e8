"""What could flip a comparison, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.pooling.flip.expected import JudgmentsNeeded
from cranfield.pooling.flip.ways import APART, OUTSIDE, way_of

if TYPE_CHECKING:
    from cranfield.pooling.flip.result import Flip

_NEITHER = "documents that neither run returned count as not relevant"


def sentences(found: Flip) -> list[str]:
    """The verdict, what it rests on, and what would settle it."""
    said = [verdict(found)]
    if len(found.topics) > 1:
        said.append(_topics(found))
    if found.interval is not None:
        level = f"{found.interval.level * 100:g}"
        said.append(
            f"With room for other topics too ({level} % interval): {_number(found.interval.lower)} to "
            f"{_number(found.interval.upper)}."
        )
    if found.settled and found.unjudged:
        said.append(_settled(found))
    elif found.outlook is not None:
        said += _outlook(found)
    said.append(_assumed(found))
    return said


def verdict(found: Flip) -> str:
    """Whether it is certain which run is better."""
    first, second = found.names
    measure, low, high = found.measure, _number(found.mean_low), _number(found.mean_high)
    documents = _documents(found.unjudged, "unjudged document")
    now = f"as judged the difference is {_number(found.difference)}"
    whatever = f"whatever the {documents} {'is' if found.unjudged == 1 else 'are'}"
    between = f"from {low} to {high} ({found.how})"
    if not found.unjudged and found.certain:
        now = f"the difference is {_number(found.difference)}"
        return f"{first} is {_is(found)} {second} by {measure}: {now}, and all is judged."
    if found.verdict == "equal":
        return f"{first} and {second} are equal by {measure} {whatever}."
    if found.certain:
        return f"{first} is {_is(found)} {second} by {measure} {whatever}: {now}, and it could be {between}."
    which = f"which of {first} and {second} is better by {measure}"
    return f"It is open {which}: {now}, but with the {documents} it could be {between}."


def _is(found: Flip) -> str:
    return {"better": "better than", "worse": "worse than", "equal": "equal to"}[found.verdict]


def _topics(found: Flip) -> str:
    counts = {name: found.topics_with(name) for name in ("better", "worse", "equal", "open")}
    return (
        f"Of {len(found.topics)} topics {found.names[0]} is better for certain on {counts['better']}, worse on "
        f"{counts['worse']} and equal on {counts['equal']}; open: {counts['open']}."
    )


def _settled(found: Flip) -> str:
    if found.verdict == "equal":
        return "No further judgment is needed: none could change that."
    kept = "" if found.interval is None else ", nor that the interval leaves out 0"
    return f"No further judgment is needed: none could change which run is better{kept}."


def _outlook(found: Flip) -> list[str]:
    assert found.outlook is not None
    certain, significant = found.outlook.certain, found.outlook.significant
    said = [] if found.certain else [_needed(certain, "the sign is certain")]
    if significant is not None:
        said.append(_needed(significant, "the interval leaves out 0"))
    if not said:
        return []
    return [
        f"If documents are as relevant as estimated from {_documents(found.chances.judged, 'judged one')}, and are "
        f"judged in this order: {'; '.join(said)}. With all judged {found.names[0]} has the higher value in "
        f"{found.outlook.better:.0%} of the simulations."
    ]


def _needed(needed: JudgmentsNeeded, what: str) -> str:
    reached = f"{needed.reached} of {needed.simulations} simulations"
    if not needed.is_expected or needed.spread is None:
        return f"that {what} is not expected (in {reached})"
    low, high = needed.spread
    about = f"about {_documents(needed.median or 0, 'judgment')}"
    span = f"{low} to {high}" if low != high else f"{low}"
    return f"{about} until {what} ({span}; in {reached})"


def _assumed(found: Flip) -> str:
    way = way_of(found.measure)
    outside = OUTSIDE.get(way)
    said = f"Every document has one grade for both runs, 0 to {found.case.scale.highest:g}; {_NEITHER}"
    if found.case.reads_on:
        said += ", but below the end of a list they could be anything"
    elif outside:
        said += f": {outside}"
    if way == APART:
        said += ". The bounds are those of each run by itself, and wider than need be"
    return said + "."


def _documents(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _number(value: float) -> str:
    text = f"{value:+z.4f}"
    return text if text != "+0.0000" else "0"
