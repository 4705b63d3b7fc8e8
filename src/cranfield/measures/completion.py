"""What is known about the values of a measure over all grades that unjudged documents could have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from cranfield.measures.registry import Measure

Holes = Literal["exact", "outer", "none"]
"""The smallest and the largest value are known; or only bounds that hold but need not be reached; or nothing."""
Completion = str | Callable[[Mapping[str, Any]], str]
"""The module of `measures.holes` that finds them, perhaps depending on the parameters; "" if nothing is known."""

WAYS: dict[str, Holes] = {
    "": "none",
    "corners": "exact",
    "precisions": "exact",
    "ideal_gains": "exact",
    "at_r": "exact",
    "reading": "exact",
    "cells": "outer",
    "blended": "outer",
    "beginnings": "outer",
    "topic_gains": "outer",
    "whole_range": "outer",
}
_APART = "the best list is held against the judgments that ask least of it, which need not go together"
_BELOW = "documents below the end of the list count as unjudged too"
_SAID = {
    "reading": _BELOW,
    "cells": _APART,
    "blended": _APART,
    "beginnings": f"the lowest and the highest mean gain of the beginnings of the list; {_BELOW}",
    "topic_gains": f"a grade that is new to the topic changes what all others are worth; {_BELOW}",
    "whole_range": "of a topic with unjudged documents no more is known than the range of the measure",
}
"""What is to be said about the bounds, by the way they are found."""
_NONE = {
    "subtopics": "an unjudged document might belong to subtopics that nobody has named",
    "groups": "each assessor leaves other documents unjudged",
    "preferences": "it counts preferences, and unjudged documents have none",
    "unjudged": "it passes over unjudged documents",
    "pool": "it is an estimate that allows for unjudged documents",
    "strata": "it is an estimate that allows for unjudged documents",
    "chances": "it is an estimate that allows for unjudged documents",
}
"""Why nothing is said, by what a measure needs or what it makes of judgments of a sample."""
_ABOUT_JUDGING = "it is about what is judged and what is not"


class Knowledge(NamedTuple):
    """How well the bounds of a measure are known, by which way they are found, and what is to be said about them."""

    how: Holes
    way: str
    why: str
    """Why they are not better known, or what they are over; empty if there is nothing to say."""


def knowledge(measure: Measure) -> Knowledge:
    """What is known of a measure with its parameters.

    >>> from cranfield.measures import parse_one
    >>> knowledge(parse_one("AP")).how, knowledge(parse_one("Bpref")).why
    ('exact', 'it passes over unjudged documents')
    """
    definition, parameters = measure.definition, measure.parameters
    way = way_of(definition.completion, parameters)
    if not way:
        reason = _NONE.get(definition.needs) or _NONE.get(definition.sampling)
        return Knowledge("none", "", reason or (_NONE["unjudged"] if definition.completion else _ABOUT_JUDGING))
    if parameters.get("judged_only"):
        return Knowledge("none", "", "unjudged documents are left out of the list")
    value = parameters.get("value", definition.own_value)
    if value != definition.own_value:
        return Knowledge("none", "", f"it is known for {definition.name} itself, not for value={value}")
    if not _reads_unjudged_as_irrelevant(parameters):
        return Knowledge("none", "", "an unjudged document is not read as one of grade 0, or a grade is worth less")
    return Knowledge(WAYS[way], way, _SAID.get(way, ""))


def way_of(completion: Completion, parameters: Mapping[str, Any]) -> str:
    """The way that a measure with these parameters names."""
    return completion(parameters) if callable(completion) else completion


def _reads_unjudged_as_irrelevant(parameters: Mapping[str, Any]) -> bool:
    """Whether a document that is not judged is worth the same as one of grade 0, which is nothing, and none is less."""
    named = parameters.get("gains") or ()
    return parameters.get("rel") != 0 and all(worth >= 0 and (grade > 0 or worth == 0) for grade, worth in named)
