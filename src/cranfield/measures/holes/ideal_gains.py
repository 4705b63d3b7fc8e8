"""What unjudged documents could make of measures that look at what an ideal ranking gains: nDCG and IdealDCG.

Let w be the weight of a rank, one over its discount, W(x) the weight of the first x ranks, g_1 >= g_2 >= ... the gains
of the ideal ranking and g_0 the highest gain there can be. Taken by levels of gain, the ideal is the sum over j of (g_j
- g_{j+1}) W(j), for j documents gain at least g_j.

Lowest: if all gains but that of one hole stay, DCG is linear in it, and the ideal, the highest of the sums that all
orders have, is convex. So the ratio of the two is lowest at one of the ends: a hole has grade 0 or the best one. The
best ones are the m bottommost. With m of them DCG grows ever faster on the way up, and the ideal, now the sum of (g_j -
g_{j+1}) W(j + m), ever more slowly: `lowest_ratio` finds m.

Highest: the ratio is above c if DCG - c ideal is above 0. It is best if gains fall from the top hole to the bottom one,
and by levels of gain the difference is then the sum over j of (g_j - g_{j+1}) (H(m_j) - c W(j + m_j)), where m_j holes,
whose weight is H(m_j), gain at least g_j. Each m_j may be chosen by itself: the next hole costs c w(j + m_j + 1), less
for a larger j, so that the best m_j rise with j, as they must. From one judged document to the next the weight of a
hole falls more slowly than its cost, so that it begins to pay but does not cease to: only the ends need to be looked
at. Where logarithms below 1 are cut off costs stay the same for a while, and then the holes that pay are those down to
the last rank with a weight of c. With the ratio of what was chosen as the next c (Dinkelbach's method) a few rounds
come to the highest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.holes import Holes
from cranfield.data.query_sums import totals
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Codes, Floats, Ints
from cranfield.measures.dcg import discounted_cumulative_gain
from cranfield.measures.gains import Ideal, discount_of
from cranfield.measures.holes.case import Bounds, Case
from cranfield.measures.holes.lowest_ratio import lowest_ratio
from cranfield.measures.registry import ratio

_ROUNDS = 60
"""More than the method ever needs, which doubles the number of right digits with each."""


def bounds(cases: Sequence[Case]) -> list[Bounds]:
    """Exact."""
    return [_bounds(case) for case in cases]


def _bounds(case: Case) -> Bounds:
    parameters = case.measure.parameters
    ideals = _Ideals(case.rankings, case.stakes.most, parameters)
    if case.measure.name == "IdealDCG":
        return Bounds(case.values, np.maximum(case.values, ideals.with_more(ideals.holes.count)))
    return _Ratios(case.rankings, case.stakes.most, ideals, parameters).bounds()


class Levels(NamedTuple):
    """By query, the gains of the ideal ranking by levels: how many documents reach each, how far it is to the next."""

    query: Codes
    documents: Ints
    height: Floats

    @classmethod
    def of(cls, ideal: Ideal, queries: int, highest: float) -> Levels:
        """Also the level of the highest gain there can be."""
        query = np.append(np.arange(queries, dtype=np.int32), ideal.query)
        documents = np.append(np.zeros(queries, dtype=np.int64), ideal.rank)
        gain = np.append(np.full(queries, highest), ideal.gain)
        order = np.argsort(query, kind="stable")
        query, documents, gain = query[order], documents[order], gain[order]
        same = np.append(query[1:] == query[:-1], False)
        height = gain - np.where(same, np.append(gain[1:], 0.0), 0.0)
        kept = height > 0
        return cls(query[kept], documents[kept], height[kept])


class _Ideals:
    """What ideal rankings gain that have more documents of the highest gain."""

    def __init__(self, r: Rankings, highest: float, parameters: dict[str, Any]) -> None:
        best = Ideal.of(r, parameters["gain"], parameters["gains"], retrieved_only=parameters["ideal"] == "retrieved")
        self.holes = Holes.of(r)
        self.levels = Levels.of(best, len(r), highest)
        longest = int((best.size() + self.holes.count).max(initial=0))
        end = longest if parameters["cutoff"] is None else min(longest, parameters["cutoff"])
        self.end = np.minimum(r.retrieved, end) if parameters["ideal"] == "shortened" else np.full(len(r), end)
        ranks = np.arange(1, max(longest, int(r.retrieved.max(initial=0))) + 1)
        self.weight = 1.0 / discount_of(ranks, parameters["discount"], parameters["base"])
        self.weights = np.append(0.0, np.cumsum(self.weight))

    def to(self, documents: Ints, query: Codes | slice = slice(None)) -> Floats:
        """The weight of so many ranks of the ideals, or of as many as these have."""
        return self.weights[np.minimum(documents, self.end[query])]

    def with_more(self, m: Ints) -> Floats:
        """For each query, with m more documents of the highest gain."""
        query, documents, height = self.levels
        return totals(query, height * self.to(documents + m[query], query), len(self.end))


class _Ratios:
    """nDCG where holes have gains."""

    def __init__(self, r: Rankings, highest: float, ideals: _Ideals, parameters: dict[str, Any]) -> None:
        self.highest = highest
        self.ideals = ideals
        self.known = discounted_cumulative_gain(
            r, **{name: parameters[name] for name in ("gain", "gains", "discount", "base", "cutoff")}
        )
        self.holes = Holes.of(r, parameters["cutoff"])
        of_stretch = self.holes.sums(ideals.weights)
        self.weight_to = self.holes.running(of_stretch)
        self.whole = self.holes.total(of_stretch)

    def bounds(self) -> Bounds:
        holes, ideals = self.holes, self.ideals
        below = ideals.holes.count - holes.count
        lowest = lowest_ratio(
            lambda m: self.known + self.highest * self._bottommost(m),
            lambda m: ideals.with_more(below + m),
            holes.count,
        )
        as_known = ratio(self.known, ideals.with_more(np.zeros_like(below)))
        all_best = ratio(self.known + self.highest * self.whole, ideals.with_more(holes.count))
        return Bounds(lowest, self._highest(np.maximum(as_known, all_best)))

    def _bottommost(self, m: Ints) -> Floats:
        """For each query, the weight of its m bottommost holes."""
        stretch, above = self.holes.edge(self.holes.count - m)
        last, weights = self.holes.last[stretch], self.ideals.weights
        in_stretch = weights[last] - weights[last - (self.holes.size[stretch] - above)]
        bottommost: Floats = (self.whole - self.weight_to[stretch]) + in_stretch
        return bottommost

    def _highest(self, reached: Floats) -> Floats:
        """For each query the highest ratio, which is at least `reached`."""
        for _ in range(_ROUNDS):
            better = self._better(reached)
            if not (better > reached).any():
                break
            reached = np.maximum(reached, better)
        return reached

    def _better(self, c: Floats) -> Floats:
        """For each query, the ratio where DCG - c ideal is highest."""
        query, documents, height = self.ideals.levels
        number = np.bincount(query, minlength=len(c))
        first = np.cumsum(number) - number
        gained, ideal = self.known.copy(), np.zeros(len(c))
        pays = self._that_pay(c)
        for level in range(int(number.max(initial=0))):
            there = number > level
            at = np.minimum(first + level, len(height) - 1)
            j, worth = documents[at], np.where(there, height[at], 0.0)
            m, weight = self._best(c, j, pays)
            gained += worth * weight
            ideal += worth * self.ideals.to(j + m)
        return ratio(gained, ideal)

    def _best(self, c: Floats, j: Ints, pays: tuple[Ints, Floats]) -> tuple[Ints, Floats]:
        """For each query how many of its holes, and of what weight, are best at the level that j documents reach."""
        holes, ideals = self.holes, self.ideals
        worth = self.weight_to - c[holes.query] * ideals.to(j[holes.query] + holes.to, holes.query)
        highest = holes.highest(worth)
        place = np.where(worth == highest[holes.query], np.arange(len(worth)), len(worth))
        place = np.minimum.reduceat(place, holes.offset[:-1])
        m, weight = holes.to[place], self.weight_to[place]
        for some, of_weight in (pays, (np.zeros_like(m), np.zeros(len(c)))):
            other = of_weight - c * ideals.to(j + some)
            better = other > highest
            m, weight, highest = (
                np.where(better, some, m),
                np.where(better, of_weight, weight),
                np.maximum(highest, other),
            )
        return m, weight

    def _that_pay(self, c: Floats) -> tuple[Ints, Floats]:
        """For each query how many of its holes, and of what weight, have ranks of a weight of at least c."""
        holes = self.holes
        rank = np.clip(np.searchsorted(-self.ideals.weight, -c, "right"), 1, np.maximum(holes.depth, 1))
        stride = int(holes.depth.max(initial=0)) + 2
        begins = holes.query.astype(np.int64) * stride + holes.first
        stretch = np.searchsorted(begins, np.arange(len(c)) * stride + rank, "right") - 1
        above = np.clip(rank - holes.first[stretch] + 1, 0, holes.size[stretch])
        last, weights = holes.last[stretch], self.ideals.weights
        in_stretch_below = weights[last] - weights[last - (holes.size[stretch] - above)]
        return (holes.to - holes.size)[stretch] + above, self.weight_to[stretch] - in_stretch_below
