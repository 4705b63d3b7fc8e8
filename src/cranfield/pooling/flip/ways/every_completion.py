"""Any measure, where few documents are open: every choice of grades is tried."""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.measures.completion import knowledge
from cranfield.pooling.flip.side_by_side import SideBySide
from cranfield.pooling.flip.ways.case import Case, Highest

_COMPLETIONS = 1 << 10
"""A topic with more choices of grades is not tried."""
_MOST_OPEN = 64
"""Whatever grades there are, so many documents have more choices than that."""
_DOCUMENTS = 1 << 18
"""So many documents are looked at in all, over all choices; topics with few choices come first."""


def improved(case: Case, found: Highest) -> Highest:
    """The bounds, with the exact value for topics where that is not known and every choice can be tried."""
    grades = np.array(_grades(case))
    compact = _compact(case)
    choices = np.power(float(len(grades)), np.minimum(compact.open_count, _MOST_OPEN))
    cost = choices * np.diff(compact.offset)
    by_cost = np.argsort(cost, kind="stable")
    by_cost = by_cost[(~found.exact & (choices <= _COMPLETIONS))[by_cost]]
    tried = by_cost[np.cumsum(cost[by_cost]) <= _DOCUMENTS]
    if not len(tried):
        return found
    count = choices[tried].astype(np.int64)
    value, exact = found.value.copy(), found.exact.copy()
    values = _every(case.of(compact), tried, count, grades)
    value[tried] = np.minimum(value[tried], np.maximum.reduceat(values, np.cumsum(count) - count))
    exact[tried] = not case.reads_on or knowledge(case.measure).how == "exact"
    return Highest(value, exact)


def _compact(case: Case) -> SideBySide:
    """Without documents that are judged not relevant, where it is known that these are worth as much as those of which
    nothing is known, and are not taken for open ones."""
    whole = case.reads_on or knowledge(case.measure).way == "whole_range"
    return case.both if whole else case.both.take(case.both.grade != 0)


def _every(case: Case, topics: Ints, count: Ints, grades: Floats) -> Floats:
    """The largest differences with every choice of grades, topic by topic."""
    many = case.both.of_topics(np.repeat(topics, count))
    number = np.arange(len(many)) - np.repeat(np.cumsum(count) - count, count)
    open_ = many.open
    topic = many.topic[open_]
    place = np.arange(len(open_)) - (np.cumsum(many.open_count) - many.open_count)[topic]
    digit = (number[topic] // len(grades) ** place) % len(grades)
    return case.of(many.with_grades(open_, grades[digit])).largest_now()


def _grades(case: Case) -> list[float]:
    """All grades there could be; where it only matters whether a document is relevant, one of each kind."""
    parameters = case.measure.parameters
    only_relevance = "rel" in parameters and "gain" not in parameters and "gains" not in parameters
    if only_relevance and case.measure.looks_at("rel"):
        return [0.0, case.stakes.best]
    return [0.0, *case.scale.of_measure(case.measure).positive]
