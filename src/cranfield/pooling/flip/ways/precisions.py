"""Average precision: AP, and GMAP topic by topic.

Let x say which open documents are relevant. The sum of precisions of a list has a term for every two relevant documents
in it, one over the lower of their ranks, and one for each by itself. So the difference D of the sums of two lists is

    D(x) = K + Σ l_i x_i + Σ q_ij x_i x_j,    q_ij = 1/max(a_i, a_j) - 1/max(b_i, b_j),

where a and b are ranks in the two lists (1/rank is 0 for a document that a list lacks), K is what is known, and l_i
what document i adds to that by itself. What is sought is the largest D(x) / (R + Σ x_i). That is hard in general, as
the signs of q differ. Topics with a moderate number of open documents go the way of `pairs.py`, which settles nearly
every one and often all; the others that of `depths.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield.data.strings import Codes, Floats, Ints
from cranfield.measures.average_precision import sum_of_precisions
from cranfield.measures.registry import ratio
from cranfield.pooling.flip.side_by_side import SideBySide
from cranfield.pooling.flip.ways import apart, depths, pairs
from cranfield.pooling.flip.ways.case import Case, Highest


@dataclass(frozen=True, eq=False)
class Sums:
    """The sums of precisions of two lists, and what each open document adds to the difference by itself."""

    both: SideBySide
    rel: float
    cutoff: int | None
    most: float
    """What is divided by is never more than this."""
    known: Floats
    """For each topic, K."""
    relevant: Ints
    own: Floats
    """For each open document, l."""

    @classmethod
    def of(cls, case: Case) -> Sums:
        both, parameters = case.both, case.measure.parameters
        cutoff, rel = parameters.get("cutoff"), parameters["rel"]
        first, second = (sum_of_precisions(both.rankings(side), rel, cutoff) for side in range(2))
        least = both.level if rel is None else rel
        own = [_own(both, side, least, cutoff) for side in range(2)]
        relevant = np.bincount(both.topic[both.grade >= least], minlength=len(both))
        most = cutoff if parameters.get("denominator") == "min-k-R" and cutoff is not None else np.inf
        return cls(both, least, cutoff, most, first - second, relevant, own[0] - own[1])

    def ranks(self, side: int) -> Ints:
        """The ranks of open documents in a list; 0 where it lacks them, or does not look at them."""
        rank = self.both.rank(side)[self.both.open]
        return rank if self.cutoff is None else np.where(rank <= self.cutoff, rank, 0)

    @cached_property
    def looked_at(self) -> Ints:
        """For each topic, how many open documents one of the lists looks at."""
        inside = np.maximum(self.ranks(0), self.ranks(1)) > 0
        return np.bincount(self.both.topic[self.both.open][inside], minlength=len(self.both))

    def divisor(self, more: Ints | int, topic: Ints | Codes | slice = slice(None)) -> Floats:
        """For topics, what is divided by if so many open documents are relevant."""
        divisor: Floats = np.minimum(self.relevant[topic] + np.asarray(more, dtype=np.float64), self.most)
        return divisor


def highest(case: Case) -> Highest:
    """Exact where that is found, else outer."""
    sums = Sums.of(case)
    few = (sums.looked_at <= pairs.MOST) & np.isinf(sums.most)
    value, exact = np.empty(len(case.both)), case.both.open_count == 0
    if few.any():
        found = pairs.highest(sums, np.flatnonzero(few))
        value[few], exact[few] = found.value, found.exact
    if not few.all():
        value[~few] = np.minimum(depths.highest(sums), apart.highest(case).value)[~few]
    return Highest(np.maximum(value, case.difference), exact)


def with_one(case: Case) -> Floats:
    """For each open document, the difference of its topic if it is the only one of them that is relevant."""
    sums = Sums.of(case)
    topic = case.both.topic[case.both.open]
    return ratio(sums.known[topic] + sums.own, sums.divisor(1, topic))


def _own(both: SideBySide, side: int, least: float, cutoff: int | None) -> Floats:
    """What each open document adds to the sum of a list if it alone is relevant: its precision, and what it does for
    known relevant documents below."""
    rank, depth = both.rank(side), np.inf if cutoff is None else cutoff
    known = np.flatnonzero((both.grade >= least) & (rank > 0) & (rank <= depth))
    stride = np.int64(rank.max(initial=0)) + 1
    known = known[np.argsort(both.topic[known] * stride + rank[known], kind="stable")]
    keys, topic = both.topic[known] * stride + rank[known], both.topic[both.open]
    place = np.searchsorted(keys, topic * stride + rank[both.open])
    begin = np.searchsorted(keys, topic * stride)
    reciprocals = np.append(0.0, np.cumsum(1.0 / rank[known]))
    ends = np.searchsorted(keys, np.arange(1, len(both) + 1) * stride)
    below = reciprocals[ends[topic]] - reciprocals[place]
    inside = (rank[both.open] > 0) & (rank[both.open] <= depth)
    above = (place - begin).astype(np.float64)
    own: Floats = (above + 1.0) / np.maximum(rank[both.open], 1) + below
    return np.where(inside, own, 0.0)
