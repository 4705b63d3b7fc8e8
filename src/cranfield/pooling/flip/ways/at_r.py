"""Precision at R, or at a multiple of it: Rprec, and BreakEven on the raw curve.

If m of the open documents are relevant it is known down to which rank c both lists are looked at. A document adds 1/c
to the difference if only the first list has it there, takes 1/c off if only the second does, and adds nothing
otherwise: the m relevant ones are best of the first kind, then of the last, then of the second. Every m is looked at.
"""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Codes, Floats, Ints
from cranfield.measures.r_precision import depth_at
from cranfield.measures.registry import ratio
from cranfield.pooling.flip.ways.case import Case, Highest


def highest(case: Case) -> Highest:
    """Exact."""
    both, at = case.both, _At(case)
    count = both.open_count
    topic = np.repeat(np.arange(len(both)), count + 1)
    m = np.arange(len(topic)) - np.repeat(np.cumsum(count + 1) - (count + 1), count + 1)
    depth = at.depth(topic, m)
    shared = at.open_in_both(topic, depth)
    only_first, only_second = (at.open_in[side](topic, depth) - shared for side in range(2))
    good = np.minimum(m, only_first)
    bad = np.maximum(m - (count[topic] - only_second), 0)
    value = ratio((at.known(topic, depth) + good - bad).astype(np.float64), depth)
    found = case.difference
    np.maximum.at(found, topic, value)
    return Highest.all_exact(found)


def with_one(case: Case) -> Floats:
    """For each open document, the difference of its topic if it is the only one of them that is relevant."""
    both, at = case.both, _At(case)
    topic = both.topic[both.open]
    depth = at.depth(topic, np.ones(len(topic), dtype=np.int64))
    own = [((rank > 0) & (rank <= depth)).astype(np.int64) for rank in (both.first[both.open], both.second[both.open])]
    return ratio((at.known(topic, depth) + own[0] - own[1]).astype(np.float64), depth)


class _To:
    """How many of some documents of a topic stand at a rank or above it."""

    def __init__(self, topic: Codes, rank: Ints) -> None:
        there = rank > 0
        self.stride = np.int64(rank.max(initial=0)) + 2
        self.keys = np.sort(topic[there] * self.stride + rank[there])

    def __call__(self, topic: Codes | Ints, depth: Ints) -> Ints:
        to = topic * self.stride + np.minimum(depth, self.stride - 1)
        found: Ints = np.searchsorted(self.keys, to, "right") - np.searchsorted(self.keys, topic * self.stride, "right")
        return found


class _At:
    """What is at the top of both lists, down to a rank that depends on R."""

    def __init__(self, case: Case) -> None:
        both, parameters = case.both, case.measure.parameters
        rel = both.level if parameters["rel"] is None else parameters["rel"]
        self.multiple = parameters.get("multiple", 1)
        known, open_ = both.grade >= rel, both.open
        self.relevant = np.bincount(both.topic[known], minlength=len(both))
        self.known_in = [_To(both.topic[known], both.rank(side)[known]) for side in range(2)]
        self.open_in = [_To(both.topic[open_], both.rank(side)[open_]) for side in range(2)]
        ranks = both.first[open_], both.second[open_]
        self.open_in_both = _To(both.topic[open_], np.where(np.minimum(*ranks) > 0, np.maximum(*ranks), 0))

    def depth(self, topic: Codes | Ints, more: Ints) -> Ints:
        return depth_at(self.multiple, self.relevant[topic] + more)

    def known(self, topic: Codes | Ints, depth: Ints) -> Ints:
        """How many more relevant documents the first list is known to have than the second."""
        first, second = (known(topic, depth) for known in self.known_in)
        return first - second
