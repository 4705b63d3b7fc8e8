"""Rank correlation: how far two scores put the same items in the same order.

Items are given by two columns of scores, higher being better. A pair of items is *concordant* if both scores put it in
the same order and *discordant* if they put it in opposite orders; a pair that is tied in either is neither. P and Q are
the numbers of concordant and discordant pairs, n is the number of items.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Floats
from cranfield.stats.correlation.paired_lists import PairedLists
from cranfield.stats.correlation.ties import paired_scores

FEWER_THAN_TWO = "there are fewer than two items"
ALL_TIED = "all items are tied in one of the two orders"
NO_ORDERED_PAIR = "no pair is ordered by both"


@dataclass(frozen=True)
class Correlation:
    """A coefficient from -1 (opposite orders) to 1 (the same order)."""

    value: float
    """The coefficient; nan where it is not defined."""
    items: int
    """How many items it was computed from (pairs, where pairs were given)."""
    undefined: str | None = None
    """Why there is no value, if there is none."""

    def __float__(self) -> float:
        return self.value


def tau_a(x: npt.ArrayLike, y: npt.ArrayLike) -> Correlation:
    r"""Kendall's tau: the share of pairs that are concordant, less the share that are discordant.

    .. math:: \tau_a = \frac{P - Q}{n (n - 1) / 2}

    Tied pairs count among all pairs, so that ties keep the value from 1 and from -1; it is the mean over all ways to
    break the ties, which suits an estimate of a true order. Not defined for fewer than two items.

    Erratum: the notes call a pair discordant whenever the signs of the two differences are not equal. Pairs that are
    tied in one order are neither concordant nor discordant.

    M. G. Kendall. A new measure of rank correlation. Biometrika 30, 1938.

    >>> round(tau_a([4, 3, 2, 1], [4, 2, 3, 1]).value, 4)  # five pairs agree, one does not: (5 - 1) / 6
    0.6667
    >>> round(tau_a([3, 2, 1], [2, 2, 1]).value, 4)  # two pairs agree, one is tied: (2 - 0) / 3
    0.6667
    >>> tau_a([3], [2])
    Correlation(value=nan, items=1, undefined='there are fewer than two items')
    """
    return _correlation(x, y, PairedLists.tau_a)


def tau_b(x: npt.ArrayLike, y: npt.ArrayLike) -> Correlation:
    r"""Kendall's tau with a correction for ties: orders with the same ties agree completely.

    .. math:: \tau_b = \frac{P - Q}{\sqrt{n_0 - n_x} \sqrt{n_0 - n_y}}, \qquad n_0 = \frac{n (n - 1)}{2}

    n_x and n_y are the numbers of pairs tied in x and in y. It suits two orders of which neither is the truth. Not
    defined for fewer than two items, nor where all items are tied in x or all in y. scipy's `kendalltau` is the same.

    M. G. Kendall. The treatment of ties in ranking problems. Biometrika 33, 1945.

    >>> round(tau_b([3, 2, 1], [2, 2, 1]).value, 4)  # two pairs agree, one is tied in y: 2 / (√3 √2)
    0.8165
    """
    return _correlation(x, y, PairedLists.tau_b, undefined=ALL_TIED)


def gamma(x: npt.ArrayLike, y: npt.ArrayLike) -> Correlation:
    r"""Goodman and Kruskal's gamma: of the pairs that both put in an order, how many more agree than disagree.

    .. math:: \gamma = \frac{P - Q}{P + Q}

    Tied pairs are left out altogether, so two partial orders that never contradict each other have the value 1. Not
    defined where no pair is ordered by both.

    Erratum: the notes give this formula for Kendall's tau. With ties it is gamma; without, the two are the same.

    L. A. Goodman, W. H. Kruskal. Measures of association for cross classifications. JASA 49, 1954.

    >>> gamma([3, 2, 1], [2, 2, 1]).value  # two pairs agree, one is tied: 2 / 2
    1.0
    """
    return _correlation(x, y, PairedLists.gamma, undefined=NO_ORDERED_PAIR)


def gamma_of_pairs(preferred: npt.ArrayLike, other: npt.ArrayLike) -> Correlation:
    r"""Gamma of scores against any partial order, given by its pairs: the scores of the better and of the worse item.

    .. math:: \gamma = \frac{P - Q}{P + Q}

    P pairs are scored in the order that is preferred, Q in the opposite; pairs with equal scores are neither. Not
    defined where there is no other pair.

    >>> round(gamma_of_pairs([9, 7, 4, 2], [5, 1, 4, 8]).value, 4)  # 2 as preferred, 1 tied, 1 opposite: (2 - 1) / 3
    0.3333
    """
    better, worse = paired_scores(preferred, other, ("preferred", "other"))
    P, Q = int(np.count_nonzero(better > worse)), int(np.count_nonzero(better < worse))
    if P + Q == 0:
        return Correlation(np.nan, len(better), NO_ORDERED_PAIR)
    return Correlation((P - Q) / (P + Q), len(better))


def tau_ap_a(truth: npt.ArrayLike, estimate: npt.ArrayLike) -> Correlation:
    r"""AP correlation: Kendall's tau with the top of the estimated order counting most.

    .. math:: \tau_{AP} = \frac{2}{n - 1} \sum_{i=2}^{n} \frac{C_i}{i - 1} - 1

    C_i is the number of items above place i of the estimate that are truly better than the item there. It is not
    symmetric: the first argument is the truth. With ties in either it is the mean over all ways to break them. Not
    defined for fewer than two items.

    E. Yilmaz, J. A. Aslam, S. Robertson. A new rank correlation coefficient for information retrieval. SIGIR 2008.
    Ties: J. Urbano, M. Marrero. The treatment of ties in AP correlation. ICTIR 2017.

    >>> round(tau_ap_a([3, 2, 1], [2, 3, 1]).value, 4)  # C = 0, 2: 2/2 (0/1 + 2/2) - 1
    0.0
    >>> round(tau_ap_a([3, 2, 1], [3, 1, 2]).value, 4)  # C = 1, 1: 2/2 (1/1 + 1/2) - 1
    0.5
    >>> round(tau_ap_a([3, 2, 1], [3, 2, 2]).value, 4)  # the mean of 1 and of 0.5, the two orders of the tie
    0.75
    """
    return _correlation(truth, estimate, PairedLists.tau_ap_a)


def tau_ap_b(x: npt.ArrayLike, y: npt.ArrayLike) -> Correlation:
    r"""AP correlation of two orders of which neither is the truth: symmetric, and with a correction for ties.

    .. math:: \tau_{AP,b} = \frac{\tau(x|y) + \tau(y|x)}{2}, \qquad
        \tau(x|y) = \frac{2}{n - t} \sum_{i > t} \frac{C_i}{p_i - 1} - 1

    In the order of y, p_i is the place at which the tie of item i begins, C_i the number of items above that tie which
    are better than it in x as well, and t the number of items tied for the first place, which are left out. Without
    ties it is the mean of AP correlation in both directions. Not defined for fewer than two items, nor where all items
    are tied in x or all in y.

    J. Urbano, M. Marrero. The treatment of ties in AP correlation. ICTIR 2017.

    >>> round(tau_ap_b([3, 2, 1], [3, 2, 2]).value, 4)  # by y: 2/2 (1/1 + 1/1) - 1 = 1; by x: 2/2 (1/1 + 1/2) - 1 = 0.5
    0.75
    """
    return _correlation(x, y, PairedLists.tau_ap_b, undefined=ALL_TIED)


def spearman_rho(x: npt.ArrayLike, y: npt.ArrayLike) -> Correlation:
    r"""Spearman's rho: the linear correlation of the ranks.

    .. math:: \rho = \frac{\sum_i (r_i - \bar{r}) (s_i - \bar{s})}
        {\sqrt{\sum_i (r_i - \bar{r})^2} \sqrt{\sum_i (s_i - \bar{s})^2}}

    r and s are the ranks by x and by y; tied items share the mean of their ranks. Not defined for fewer than two items,
    nor where all items are tied in x or all in y. scipy's `spearmanr` gives the same.

    C. Spearman. The proof and measurement of association between two things. American Journal of Psychology 15, 1904.

    >>> round(spearman_rho([4, 3, 2, 1], [4, 2, 3, 1]).value, 4)  # without ties 1 - 6 Σ d² / (n³ - n) = 1 - 6 · 2 / 60
    0.8
    """
    return _correlation(x, y, PairedLists.spearman_rho, undefined=ALL_TIED)


def _correlation(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    coefficient: Callable[[PairedLists], Floats],
    *,
    undefined: str = FEWER_THAN_TWO,
) -> Correlation:
    first, second = paired_scores(x, y)
    n = len(first)
    value = float(coefficient(PairedLists(np.zeros(n, dtype=np.int64), first, second, lists=1))[0])
    if not np.isnan(value):
        return Correlation(value, n)
    return Correlation(value, n, FEWER_THAN_TWO if n < 2 else undefined)
