"""nDCG: the difference of two sums of gains, divided by what one and the same ideal ranking gains.

Let v be the difference of the weights that a document has in the two runs, V(m) the sum of the m highest of open ones,
W(x) the weight of the first x ranks of the ideal, and g_1 >= g_2 >= ... the known gains. The difference is above c if
N - c I is above 0, where N is the difference of the sums and I the ideal (Dinkelbach's method: the ratio at the best
choice is the next c, until it rises no more).

Where c >= 0: by levels of gain, N - c I is the sum over j of (g_j - g_{j+1}) (V(m_j) - c W(j + m_j)), where m_j open
documents gain at least g_j, best those of the highest v. Each m_j may be chosen by itself: the next document costs
c w(j + m_j + 1), less for a larger j, so that the best m_j rise with j, as they must.

Where c < 0: N + |c| I is convex in the gains, for I is the highest of the sums that all orders have. It is highest
where each document has no gain or the highest, so that one m is right for all levels.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.data.query_sums import totals
from cranfield.data.strings import Codes, Floats, Ints
from cranfield.measures.dcg import discounted_cumulative_gain
from cranfield.measures.gains import Ideal, discount_of
from cranfield.measures.holes.ideal_gains import Levels
from cranfield.measures.registry import ratio
from cranfield.pooling.flip.ways.case import Case, Highest

_ROUNDS = 60
"""More than the method ever needs."""
_DCG = ("gain", "gains", "discount", "base", "cutoff")


def highest(case: Case) -> Highest:
    """Exact."""
    shared = _Shared(case)
    reached = case.difference
    for _ in range(_ROUNDS):
        better = shared.better(reached)
        if not (better > reached).any():
            break
        reached = np.maximum(reached, better)
    return Highest.all_exact(reached)


def with_one(case: Case) -> Floats:
    """For each open document, the difference of its topic if it is the only one of them that is relevant."""
    shared = _Shared(case)
    topic = case.both.topic[case.both.open]
    one = np.ones(len(case.both), dtype=np.int64)
    gained = shared.known[topic] + shared.most * shared.weight_difference
    return ratio(gained, shared.ideal_with(one)[topic])


class _Steps(NamedTuple):
    """For each level of each topic, every number m of open documents that could reach it."""

    level: Ints
    m: Ints
    value: Ints
    """Where V(m) stands."""
    begin: Ints


class _Shared:
    """The sums of gains of two runs and the ideal that both have."""

    def __init__(self, case: Case) -> None:
        both, parameters, self.most = case.both, case.measure.parameters, case.stakes.most
        first, second = (both.rankings(side) for side in range(2))
        of_list = {name: parameters[name] for name in _DCG}
        self.known = discounted_cumulative_gain(first, **of_list) - discounted_cumulative_gain(second, **of_list)
        ideal = Ideal.of(first, parameters["gain"], parameters["gains"])
        self.levels = Levels.of(ideal, len(both), self.most)
        cutoff, count = parameters["cutoff"], both.open_count
        most_ranks = max([int((ideal.size() + count).max(initial=0)), *(int(n.max(initial=0)) for n in both.retrieved)])
        weight = 1.0 / discount_of(np.arange(1, most_ranks + 1), parameters["discount"], parameters["base"])
        weight[most_ranks if cutoff is None else cutoff :] = 0.0
        self.weights = np.append(0.0, np.cumsum(weight))
        of_rank = np.append(0.0, weight)
        self.weight_difference = of_rank[both.first[both.open]] - of_rank[both.second[both.open]]
        self.count = count
        self.steps = self._steps(both.topic[both.open])

    def _steps(self, topic: Codes) -> _Steps:
        order = np.lexsort((-self.weight_difference, topic))
        padded = np.zeros(len(topic) + len(self.count))
        begin = np.cumsum(self.count + 1) - (self.count + 1)
        padded[np.arange(len(topic)) + topic + 1] = self.weight_difference[order]
        running = np.cumsum(padded)
        self.best_sums = running - np.repeat(running[begin], self.count + 1)
        size = self.count[self.levels.query] + 1
        starts = np.cumsum(size) - size
        level = np.repeat(np.arange(len(size)), size)
        m = np.arange(len(level)) - starts[level]
        return _Steps(level, m, begin[self.levels.query][level] + m, starts)

    def better(self, c: Floats) -> Floats:
        """For each topic, the ratio where N - c I is highest."""
        topic, documents, height = self.levels
        steps = self.steps
        gained = self.best_sums[steps.value]
        ideal = self.weights[documents[steps.level] + steps.m]
        worth = gained - c[topic][steps.level] * ideal
        by_level = self._first_best(worth, steps.begin)
        # One and the same m for all levels: sums over the levels of a topic, in its own stretch of numbers.
        place = steps.value.astype(np.int32)
        totals_of = [totals(place, height[steps.level] * of, len(self.best_sums)) for of in (gained, ideal)]
        begin = np.cumsum(self.count + 1) - (self.count + 1)
        of_topic = np.repeat(np.arange(len(c)), self.count + 1)
        together = self._first_best(totals_of[0] - c[of_topic] * totals_of[1], begin)
        numerator = np.where(c >= 0, totals(topic, height * gained[by_level], len(c)), totals_of[0][together])
        denominator = np.where(c >= 0, totals(topic, height * ideal[by_level], len(c)), totals_of[1][together])
        return ratio(self.known + numerator, denominator)

    @staticmethod
    def _first_best(worth: Floats, begin: Ints) -> Ints:
        """For each stretch that begins somewhere, the first place of its highest value."""
        best = np.maximum.reduceat(worth, begin)
        size = np.diff(np.append(begin, len(worth)))
        place = np.where(worth == np.repeat(best, size), np.arange(len(worth)), len(worth))
        found: Ints = np.minimum.reduceat(place, begin)
        return found

    def ideal_with(self, more: Ints) -> Floats:
        """For each topic, the ideal with so many more documents of the highest gain."""
        topic, documents, height = self.levels
        return totals(topic, height * self.weights[documents + more[topic]], len(more))
