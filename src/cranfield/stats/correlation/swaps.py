"""Which systems change places between two ways to score them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.stats.arguments import within
from cranfield.stats.chunks import chunks
from cranfield.stats.correlation.system_orders import places
from cranfield.stats.correlation.system_scores import SystemScores, require_same_systems
from cranfield.stats.significance.differences import Differences
from cranfield.stats.significance.t_test import paired_t_tests

_ARRAYS = 8
"""How many arrays of the size of the differences a test needs, roughly."""


@dataclass(frozen=True, eq=False)
class Swaps:
    """Pairs of systems that two scores put in opposite orders, the plainest contradictions first.

    A pair is system `better[i]`, the better one by the first score, and system `worse[i]`, the better one by the
    second. Differences are better minus worse: above zero by the first score, below zero by the second.
    """

    better: Ints
    worse: Ints
    difference_first: Floats
    difference_second: Floats
    p_first: Floats
    """Of the paired t-test, two-sided; nan without topics, and where the test is not defined."""
    p_second: Floats
    alpha: float
    alike: int
    """How many pairs both scores put in the same order."""
    tied: int
    """How many pairs are tied by one of the scores, or by both."""

    def __len__(self) -> int:
        return len(self.better)

    @property
    def pairs(self) -> int:
        """All pairs of systems."""
        return self.alike + self.tied + len(self)

    @property
    def significant_first(self) -> Bools:
        return self.p_first < self.alpha

    @property
    def significant_second(self) -> Bools:
        return self.p_second < self.alpha


def system_swaps(first: npt.ArrayLike, second: npt.ArrayLike, *, alpha: float = 0.05) -> Swaps:
    """The pairs of systems that two ways to score them put in opposite orders.

    `first` and `second` have the scores of the same systems: topics x systems, or one score for each system. Where
    there are topics, each difference is tested by the paired t-test at the level `alpha`; the p-values are not
    corrected for the number of pairs. A swap in which neither difference is significant says little: another sample of
    topics might well turn it round. One in which both are is a real contradiction.

    A pair comes before another if the smaller of its two differences is larger, each as a share of the largest
    difference there is by that score.

    >>> found = system_swaps([0.9, 0.6, 0.5, 0.1], [0.8, 0.4, 0.7, 0.2])  # the second and the third change places
    >>> found.better.tolist(), found.worse.tolist(), found.difference_second.round(4).tolist()
    ([1], [2], [-0.3])
    >>> found.alike, found.tied, found.pairs
    (5, 0, 6)
    """
    within("alpha", alpha, 0, 1)
    one, other = SystemScores.of("first", first), SystemScores.of("second", second)
    require_same_systems(one, other)
    a, b = np.triu_indices(one.systems, 1)
    steps = [np.subtract(place[a], place[b]) for place in (_places(one), _places(other))]
    direction = np.sign(steps[0]) * np.sign(steps[1])
    opposite = np.flatnonzero(direction < 0)
    upright = steps[0][opposite] > 0
    better, worse = np.where(upright, (a[opposite], b[opposite]), (b[opposite], a[opposite]))
    by_first, by_second = (scores.means[better] - scores.means[worse] for scores in (one, other))
    plain = np.minimum(np.abs(by_first) / _widest(one), np.abs(by_second) / _widest(other))
    order = np.argsort(-plain, kind="stable")
    better, worse = better[order], worse[order]
    return Swaps(
        better=better,
        worse=worse,
        difference_first=by_first[order],
        difference_second=by_second[order],
        p_first=_t_test(one, better, worse),
        p_second=_t_test(other, better, worse),
        alpha=alpha,
        alike=int(np.count_nonzero(direction > 0)),
        tied=int(np.count_nonzero(direction == 0)),
    )


def _places(scores: SystemScores) -> Ints:
    found: Ints = places(scores.means[np.newaxis], scores.tolerance)[0]
    return found


def _widest(scores: SystemScores) -> float:
    return float(np.ptp(scores.means)) if scores.means.size and np.ptp(scores.means) else 1.0


def _t_test(scores: SystemScores, better: Ints, worse: Ints) -> Floats:
    p = np.full(len(better), np.nan)
    for part in chunks(len(better), _ARRAYS * len(scores.table)) if scores.by_topic else ():
        differences = Differences.between(scores.table[:, better[part]], scores.table[:, worse[part]])
        p[part] = paired_t_tests(differences).p
    return p
