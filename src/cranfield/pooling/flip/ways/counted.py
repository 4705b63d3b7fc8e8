"""Measures of sets: shares of the relevant and the returned documents, and what is made of them.

The value follows from three numbers: how many of the documents looked at are relevant, how many these are, and R. If m
of the open documents are relevant R is known, and with it both values rise, in proportion, with what their own lists
have of them (or fall, where less is better). Best are documents that only the first list has, worst those that only the
second has; those that both have, or neither, come between, in one order or the other: as both values are linear the
one or the other is best. So every m is looked at, with both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Bools, Codes, Floats, Ints, Numbered, Strings
from cranfield.measures.registry import Measure
from cranfield.pooling.flip.ways.case import Case, Highest


@dataclass(frozen=True, eq=False)
class Counted(Rankings):
    """Lists of which no more is known than how many of the documents looked at are relevant, and R."""

    true_positives: Floats | None = None
    in_all: Ints | None = None

    @classmethod
    def of(cls, retrieved: Ints, found: Ints, in_all: Ints) -> Counted:
        none = np.zeros(0, dtype=np.int64)
        code = np.zeros(0, dtype=np.int32)
        qrels = Qrels(Numbered([], code), Strings.from_list([]), np.zeros(0))
        qrels.offset = np.zeros(len(retrieved) + 1, dtype=np.int64)
        zero = np.zeros(len(retrieved), dtype=np.int64)
        return cls(qrels, retrieved, zero, code, none, none, true_positives=found.astype(np.float64), in_all=in_all)

    def count(self, chosen: Bools, cutoff: Any = None, *, name: str = "", column: str = "rel") -> Floats:
        assert self.true_positives is not None
        return self.true_positives

    def relevant(self, rel: float | None) -> Ints:
        assert self.in_all is not None
        return self.in_all


def highest(case: Case) -> Highest:
    """Exact."""
    kinds = _Kinds.of(case)
    value = case.difference
    for topic, first, second in kinds.best(case.measure):
        np.maximum.at(value, topic, first - second)
    return Highest.all_exact(value)


def with_one(case: Case) -> Floats:
    """For each open document, the difference of its topic if it is the only one of them that is relevant."""
    both, kinds = case.both, _Kinds.of(case)
    topic = both.topic[both.open]
    in_first, in_second = (_inside(case.measure, both.rank(side)[both.open]) for side in range(2))
    first, second = kinds.values(case.measure, topic, in_first, in_second, np.ones(len(topic), dtype=np.int64))
    return first - second


def _inside(measure: Measure, rank: Ints) -> Ints:
    """Whether documents are looked at, as 0 or 1."""
    cutoff = measure.parameters.get("cutoff")
    inside: Ints = ((rank > 0) & (rank <= (np.inf if cutoff is None else cutoff))).astype(np.int64)
    return inside


@dataclass(frozen=True, eq=False)
class _Kinds:
    """For each topic, how many open documents only the first list has, only the second, both and neither."""

    first: Ints
    second: Ints
    both: Ints
    neither: Ints
    found: tuple[Ints, Ints]
    """How many relevant documents of each list are known."""
    relevant: Ints
    retrieved: tuple[Ints, Ints]

    @classmethod
    def of(cls, case: Case) -> _Kinds:
        both, measure = case.both, case.measure
        rel = measure.parameters["rel"]
        known = both.grade >= (both.level if rel is None else rel)
        inside = [_inside(measure, both.rank(side)).astype(np.bool_) for side in range(2)]
        open_ = both.grade < 0

        def count(chosen: Bools) -> Ints:
            counted: Ints = np.bincount(both.topic[chosen], minlength=len(both))
            return counted

        return cls(
            count(open_ & inside[0] & ~inside[1]),
            count(open_ & inside[1] & ~inside[0]),
            count(open_ & inside[0] & inside[1]),
            count(open_ & ~inside[0] & ~inside[1]),
            (count(known & inside[0]), count(known & inside[1])),
            count(known),
            both.retrieved,
        )

    def best(self, measure: Measure) -> list[tuple[Codes | Ints, Floats, Floats]]:
        """For each topic and each m, the values of the two runs in the two orders of which one is best."""
        total = self.first + self.second + self.both + self.neither
        topic = np.repeat(np.arange(len(total)), total + 1)
        m = np.arange(len(topic)) - np.repeat(np.cumsum(total + 1) - (total + 1), total + 1)
        for_first, for_second = (self.first, self.second) if measure.more_is_better else (self.second, self.first)
        good = np.minimum(for_first[topic], m)
        left = m - good
        found: list[tuple[Codes | Ints, Floats, Floats]] = []
        for both_first in (True, False):
            one, other = (self.both, self.neither) if both_first else (self.neither, self.both)
            some = np.minimum(one[topic], left)
            more = np.minimum(other[topic], left - some)
            bad = np.minimum(for_second[topic], left - some - more)
            shared = some if both_first else more
            own, others = (good, bad) if measure.more_is_better else (bad, good)
            found.append((topic, *self.values(measure, topic, own + shared, others + shared, m)))
        return found

    def values(
        self, measure: Measure, topic: Codes | Ints, first: Ints, second: Ints, more: Ints
    ) -> tuple[Floats, Floats]:
        """The values of topics with so many more relevant documents in the one list, in the other, and in all."""
        in_all = self.relevant[topic] + more
        lists = (
            Counted.of(self.retrieved[side][topic], self.found[side][topic] + extra, in_all)
            for side, extra in enumerate((first, second))
        )
        one, other = (np.asarray(measure.compute(found)) for found in lists)
        return one, other
