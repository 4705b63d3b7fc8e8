"""What single documents could do to the difference of two runs, all else being as it is known."""

from __future__ import annotations

import importlib
from dataclasses import replace

import numpy as np

from cranfield.data.strings import Bools, Floats, Ints, Strings, concatenate
from cranfield.measures.completion import knowledge
from cranfield.pooling.flip.side_by_side import SideBySide
from cranfield.pooling.flip.ways import additive, way_of
from cranfield.pooling.flip.ways.case import Case

_DOCUMENTS = 1 << 20
"""So many documents are looked at together."""


def effects(case: Case) -> Floats:
    """For each open document, by how much the difference of its topic changes if it alone has the best grade.

    >>> from cranfield.data.qrels import Qrels
    >>> from cranfield.data.run import Run
    >>> from cranfield.measures import parse_one
    >>> from cranfield.measures.holes.scale import Scale
    >>> runs = Run.from_dict({"q": {"a": 2, "x": 1}}), Run.from_dict({"q": {"x": 2, "y": 1}})
    >>> both = SideBySide.of(Qrels.from_dict({"q": {"a": 1}}), *runs)
    >>> effects(Case(both, parse_one("R@2"), Scale((1.0,))))  # 1/1 becomes 2/2 - 1/2 with x, 1/2 - 1/2 with y
    array([-0.5, -1. ])
    """
    if not len(case.both.open) or not case.stakes.any:
        return np.zeros(len(case.both.open))
    way = way_of(case.measure)
    if way == "additive":
        return additive.weights(case)
    module = importlib.import_module(f"{additive.__package__}.{way}")
    with_one: Floats = module.with_one(case) if hasattr(module, "with_one") else _computed(case)
    change: Floats = with_one - case.difference[case.both.topic[case.both.open]]
    return change


def effects_beside(case: Case, places: Ints | Bools) -> Floats:
    """The same if, beside some of the open documents, there were another of the best grade at the same ranks.

    So it is seen what a document does where many are relevant, and not only where it is the first: another one of those
    that are there does about what the last of them did.
    """
    both = case.both
    rows = both.open[places]
    crowded = _added(both, both.topic[rows].astype(np.int64), both.first[rows], both.second[rows], case.best)
    return effects(case.of(crowded))


def _computed(case: Case) -> Floats:
    """The difference with each document, computed for one after the other."""
    both = case.both
    whole = case.reads_on or knowledge(case.measure).way == "whole_range"
    known = both.take(both.grade >= 0 if whole else both.grade > 0)
    cost = np.cumsum((np.diff(known.offset) + 1)[both.topic[both.open]])
    found = np.empty(len(both.open))
    for part in np.split(np.arange(len(cost)), np.searchsorted(cost, np.arange(_DOCUMENTS, cost[-1], _DOCUMENTS))):
        if len(part):
            each = _each(known, both, both.open[part], case.best)
            found[part] = case.of(each).difference
    return found


def _each(known: SideBySide, both: SideBySide, rows: Ints, grade: float) -> SideBySide:
    """A topic for each of some documents: what is known, and this document."""
    many = known.of_topics(both.topic[rows])
    return _added(many, np.arange(len(rows)), both.first[rows], both.second[rows], grade)


def _added(both: SideBySide, topic: Ints, first: Ints, second: Ints, grade: float) -> SideBySide:
    """With more documents, which have no names of their own."""
    topics = np.append(both.topic, topic.astype(np.int32))
    order = np.argsort(topics, kind="stable")
    none = concatenate([both.documents, Strings.from_list([b""])])
    names = none.take(np.append(np.arange(len(both.topic)), np.full(len(topic), len(both.topic))))
    return replace(
        both,
        topic=topics[order],
        documents=names.take(order),
        grade=np.append(both.grade, np.full(len(topic), grade))[order],
        first=np.append(both.first, first)[order],
        second=np.append(both.second, second)[order],
    )
