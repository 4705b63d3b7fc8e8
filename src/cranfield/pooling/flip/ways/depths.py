"""Average precision with many open documents: rank by rank.

One over a rank is the sum of 1/(c (c + 1)) over all c from there on. So the sum of precisions of a list is the sum over
all depths c of T(n) / (c (c + 1)), where n relevant documents stand in the first c, and T(n) = n (n + 1) / 2; below the
last rank n stays the same, and what is left of the weights is one over that rank. So the difference of two lists is a
sum over depths. If at most m open documents are relevant, T(n) - T(n') is largest at each depth by itself with as many
of them as can be that only the first list has there, and then, if it has more, of those that both have.

Together the depths may ask for different documents, so that this holds but need not be reached. The same is done with
what each document adds by itself (see `precisions.py`) taken for the same documents at all depths, and only what every
two do together depth by depth; the smaller of the two holds. Numbers m are looked at in cells: from m to m' relevant
documents, D is at most that of m', and is divided by what m asks for (or m', if it is negative).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.data.strings import Codes, Floats, Ints
from cranfield.measures.holes.cells import cells
from cranfield.measures.registry import ratio

if TYPE_CHECKING:
    from cranfield.pooling.flip.ways.precisions import Sums

_WIDER = 1.1
"""How much higher the end of a cell is than its beginning."""


def highest(sums: Sums) -> Floats:
    """For each topic; outer."""
    at = _Depths(sums)
    found = np.full(len(sums.both), -np.inf)
    for begin, end in cells(int(sums.both.open_count.max(initial=0)), _WIDER):
        some = np.minimum(end, sums.both.open_count)
        total = np.minimum(at.all_at_once(some), sums.known + at.by_themselves(some) + at.together(some))
        fewest = np.minimum(begin, sums.both.open_count)
        value = ratio(total, sums.divisor(np.where(total >= 0, fewest, some)))
        found = np.maximum(found, value)
    return found


class _Depths:
    """Topics down, depths across: how many documents of each kind stand in the first c of the two lists."""

    def __init__(self, sums: Sums) -> None:
        both = sums.both
        self.sums, ranks = sums, [sums.ranks(side) for side in range(2)]
        known = np.flatnonzero(both.grade >= sums.rel)
        in_lists = [both.rank(side)[known] for side in range(2)]
        longest = max([1, *(int(size.max(initial=0)) for size in both.retrieved)])
        self.last = longest if sums.cutoff is None else min(longest, sums.cutoff)
        topic = both.topic[both.open]
        self.known = [self._to(both.topic[known], rank) for rank in in_lists]
        lower = np.where(np.minimum(*ranks) > 0, np.maximum(*ranks), 0)
        self.shared = self._to(topic, lower)
        self.first = self._to(topic, ranks[0]) - self.shared
        depth = np.arange(1, self.last + 1)
        self.weight = 1.0 / (depth * (depth + 1.0))
        self.weight[-1] = 1.0 / self.last
        order = np.lexsort((-sums.own, topic))
        padded = np.zeros(len(topic) + len(both))
        padded[np.arange(len(topic)) + topic + 1] = np.maximum(sums.own[order], 0.0)
        running = np.cumsum(padded)
        self.begin = np.cumsum(both.open_count + 1) - (both.open_count + 1)
        self.own: Floats = running - np.repeat(running[self.begin], both.open_count + 1)

    def _to(self, topic: Codes, rank: Ints) -> Floats:
        there = (rank > 0) & (rank <= self.last)
        key = topic[there] * np.int64(self.last) + rank[there] - 1
        counted: Ints = np.bincount(key, minlength=len(self.sums.both) * self.last)
        return counted.reshape(-1, self.last).cumsum(axis=1).astype(np.float64)

    def all_at_once(self, m: Ints) -> Floats:
        """For each topic what D is at most with m more relevant documents, everything taken depth by depth."""
        budget = m[:, np.newaxis].astype(np.float64)
        good = np.minimum(self.first, budget)
        ahead = self.known[0] + good - self.known[1]
        shared = np.where(ahead > 0, np.minimum(self.shared, budget - good), 0.0)
        difference = _triangle(self.known[0] + good + shared) - _triangle(self.known[1] + shared)
        total: Floats = difference @ self.weight
        return total

    def by_themselves(self, m: Ints) -> Floats:
        """For each topic what m documents add at most by themselves."""
        added: Floats = self.own[self.begin + m]
        return added

    def together(self, m: Ints) -> Floats:
        """For each topic what every two of m documents add at most together."""
        budget = m[:, np.newaxis].astype(np.float64)
        good = np.minimum(self.first, budget)
        shared = np.minimum(self.shared, budget - good)
        total: Floats = (good * (good - 1.0) / 2.0 + good * shared) @ self.weight
        return total


def _triangle(n: Floats) -> Floats:
    return n * (n + 1.0) / 2.0
