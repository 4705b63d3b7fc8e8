"""Corrections for many comparisons: p-values that hold for a whole family of comparisons.

With twenty comparisons at level .05, of which none has a real difference, one is expected to look significant all the
same. An adjusted p-value may be compared with the level as if there were only one comparison. The family is all
comparisons that could have made you say "there is a difference": state it before you look, and count them all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Bools, Floats
from cranfield.errors import DataError
from cranfield.stats.arguments import one_of, whole, within

FAMILY_WISE = "the chance of one or more false discoveries in the family"
DISCOVERY_RATE = "the expected share of false discoveries among all discoveries"


@dataclass(frozen=True, eq=False)
class Adjusted:
    """The p-values of a family of comparisons, adjusted for their number."""

    method: str
    """bonferroni, holm or benjamini-hochberg."""
    p: Floats
    """As they were given."""
    adjusted: Floats
    """In the same order; nan where there was no p-value."""
    comparisons: int
    """The size of the family."""
    controls: str
    """What stays at the level or below it if adjusted p-values up to the level are called significant."""
    undefined: str | None = None
    """What is to be said about comparisons without a p-value, if there are any."""

    def significant(self, alpha: float = 0.05) -> Bools:
        """Whether the adjusted p is below alpha; without a p-value it is not."""
        within("alpha", alpha, 0, 1)
        return np.asarray(self.adjusted < alpha)

    def sentence(self, alpha: float = 0.05) -> str:
        """The finding in plain words."""
        found = int(np.count_nonzero(self.significant(alpha)))
        said = f"; {self.undefined}" if self.undefined else ""
        return (
            f"{found} of {self.comparisons} comparisons significant at {alpha:g} after {self.method} correction, which "
            f"keeps {self.controls} at {alpha:g} or below{said}"
        )


def bonferroni(p: npt.ArrayLike, *, comparisons: int | None = None) -> Adjusted:
    r"""Every p-value times the number of comparisons.

    .. math:: \tilde{p}_i = \min(1, m \, p_i)

    m is the number of comparisons: those given, or `comparisons` if the family has more than are given here. It keeps
    the chance of one or more false discoveries at the level, whatever the dependence between the tests; `holm` does so
    too and finds more. A p-value that is nan (the test was undefined) stays nan, and the comparison counts in m.

    O. J. Dunn. Multiple comparisons among means. JASA 56, 1961.

    >>> bonferroni([0.01, 0.02, 0.4]).adjusted.round(4)  # 3 · .01, 3 · .02, and 3 · .4 is above 1
    array([0.03, 0.06, 1.  ])
    """
    return _adjust("bonferroni", p, comparisons, FAMILY_WISE, lambda ordered, m: m * ordered)


def holm(p: npt.ArrayLike, *, comparisons: int | None = None) -> Adjusted:
    r"""The smallest p-value times m, the next times m - 1, and so on, never falling.

    .. math:: \tilde{p}_{(i)} = \max_{j \le i} \min(1, (m - j + 1) \, p_{(j)})

    p_(j) is the j-th smallest p-value, m the number of comparisons: those given, or `comparisons` if the family has
    more than are given here (the others are taken to have larger p-values). It keeps the chance of one or more false
    discoveries at the level, whatever the dependence between the tests, and is never weaker than `bonferroni`. A
    p-value that is nan (the test was undefined) stays nan, and the comparison counts in m.

    S. Holm. A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6, 1979.

    >>> holm([0.02, 0.01, 0.03]).adjusted.round(4)  # 3 · .01; 2 · .02; 1 · .03 is below the one before it
    array([0.04, 0.03, 0.04])
    """

    def step_down(ordered: Floats, m: int) -> Floats:
        return np.maximum.accumulate((m - np.arange(len(ordered))) * ordered)

    return _adjust("holm", p, comparisons, FAMILY_WISE, step_down)


def benjamini_hochberg(p: npt.ArrayLike, *, comparisons: int | None = None) -> Adjusted:
    r"""The i-th smallest p-value times m / i, never above the ones that follow.

    .. math:: \tilde{p}_{(i)} = \min_{j \ge i} \min \left( 1, \frac{m}{j} \, p_{(j)} \right)

    p_(j) is the j-th smallest p-value, m the number of comparisons: those given, or `comparisons` if the family has
    more than are given here (the others are taken to have larger p-values). It keeps the expected share of false
    discoveries among all discoveries (the false discovery rate) at the level, if the tests are independent or depend on
    each other positively. That promises less than `holm` does: with many real differences, some of the others will be
    called significant. A p-value that is nan (the test was undefined) stays nan, and the comparison counts in m.

    Y. Benjamini, Y. Hochberg. Controlling the false discovery rate. Journal of the Royal Statistical Society B 57,
    1995.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).adjusted.round(4)  # 3/1 · .01; 3/2 · .03 = .045, but 3/3 · .04 follows
    array([0.03, 0.04, 0.04])
    """

    def step_up(ordered: Floats, m: int) -> Floats:
        share = m / np.arange(1, 1 + len(ordered)) * ordered
        return np.minimum.accumulate(share[::-1])[::-1]

    return _adjust("benjamini-hochberg", p, comparisons, DISCOVERY_RATE, step_up)


CORRECTIONS = {"bonferroni": bonferroni, "holm": holm, "benjamini-hochberg": benjamini_hochberg}


def adjust(p: npt.ArrayLike, method: str = "holm", *, comparisons: int | None = None) -> Adjusted:
    """One of the corrections, by name.

    >>> adjust([0.02, 0.04, float("nan")], "bonferroni").sentence(alpha=0.1)
    '1 of 3 comparisons significant at 0.1 after bonferroni correction, which keeps the chance of one or more false
    discoveries in the family at 0.1 or below; without a p-value, but counted: 1'
    """
    one_of("method", method, CORRECTIONS)
    return CORRECTIONS[method](p, comparisons=comparisons)


def _adjust(
    method: str,
    p: npt.ArrayLike,
    comparisons: int | None,
    controls: str,
    raised: Callable[[Floats, int], Floats],
) -> Adjusted:
    try:
        given = np.asarray(p, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"p: expected p-values, found {p!r:.60}") from None
    impossible = given[(given < 0) | (given > 1)]
    if impossible.size:
        raise DataError(
            f"p: {impossible[0]:g} is not a p-value; expected numbers from 0 to 1 (or nan, where there is none)"
        )
    if comparisons is not None:
        whole("comparisons", comparisons, given.size)
    m = given.size if comparisons is None else comparisons
    flat = given.ravel()
    unknown = np.isnan(flat)
    order = np.argsort(flat, kind="stable")  # nan comes last
    adjusted = np.empty_like(flat)
    adjusted[order] = np.minimum(raised(np.where(unknown, 1.0, flat)[order], m), 1)
    adjusted[unknown] = np.nan
    said = f"without a p-value, but counted: {np.count_nonzero(unknown)}" if unknown.any() else None
    return Adjusted(method, given, adjusted.reshape(given.shape), m, controls, said)
