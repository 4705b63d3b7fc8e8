"""Wilcoxon's signed-rank test for the differences between two systems."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Bools, Floats
from cranfield.errors import ParameterError
from cranfield.stats.arguments import ALTERNATIVES, Alternative, one_of, within
from cranfield.stats.significance.differences import Differences
from cranfield.stats.significance.mean_difference import student_interval
from cranfield.stats.significance.outcome import Outcome, Outcomes
from cranfield.stats.significance.signed_ranks import SignedRanks, Zeros
from cranfield.stats.wording import SIGNED_RANKS

Method = Literal["auto", "exact", "normal"]

EXACT_UP_TO = 50
"""Up to this many differences that are not zero, `auto` is `exact`."""

SYMMETRIC = "topics are a random sample, and their differences are symmetric about their median"

_ZEROS = {
    "wilcox": "left out before ranking",
    "pratt": "ranked, then left out (pratt)",
    "zsplit": "ranked, half of their ranks counting for each side (zsplit)",
}


def wilcoxon_test(
    new: npt.ArrayLike,
    baseline: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    zeros: Zeros = "wilcox",
    method: Method = "auto",
    correction: float = 0.5,
) -> Outcome:
    r"""Wilcoxon's signed-rank test: are the differences symmetric about zero?

    .. math:: W = \sum_i \mathrm{sign}(d_i) \, r_i, \qquad
        \sigma_W = \sqrt{\sum_i r_i^2} = \sqrt{\frac{n (n + 1) (2n + 1)}{6}}, \qquad
        z = \mathrm{sign}(W) \frac{|W| - c}{\sigma_W}

    r_i is the rank of the absolute difference, the smallest having rank 1; tied differences share the mean of their
    ranks, and the second form of sigma holds without ties. W is positive where the new system is better. p comes from
    the exact distribution of W over all signs of the ranks (which holds with ties too) for up to 50 differences,
    otherwise from z and the normal distribution; `method` asks for one or the other.

    `zeros` says what becomes of differences that are zero: `wilcox` leaves them out before ranking, `pratt` after
    ranking, `zsplit` keeps their ranks, half for each side, which leaves W alone and makes sigma greater.

    `correction` is c: 0.5 as in the notes, 0 for none as SciPy's default, 1 as `correction=True` in SciPy. As W moves
    in steps of 2, 1 is the usual correction for continuity. In a one-sided test c is subtracted in the direction asked
    about, also where W points the other way.

    Not defined for fewer than two topics, nor where all differences are zero. The effect size is the matched-pairs
    rank-biserial correlation, W divided by the sum of all ranks. The interval is Student's, of the mean difference.

    `scipy.stats.wilcoxon` gives min(R+, R-), the smaller of the sums of positive and of negative ranks, where we give
    W = R+ - R-; with ties its `auto` is exact up to 13 topics only.

    Erratum: the notes print z = (W - 0.5) / sigma, which for a negative W moves away from zero. They also say that the
    test makes no assumptions; it assumes that the differences are symmetric.

    F. Wilcoxon. Individual comparisons by ranking methods. Biometrics Bulletin 1, 1945. J. W. Pratt. Remarks on zeros
    and ties in the Wilcoxon signed rank procedures. JASA 54, 1959. D. S. Kerby. The simple difference formula.
    Comprehensive Psychology 3, 2014.

    >>> new, baseline = [0.32, 0.55, 0.13, 0.32, 0.12], [0.61, 0.52, 0.12, 0.73, 0.22]
    >>> outcome = wilcoxon_test(new, baseline)  # differences -.29 .03 .01 -.41 -.10: W = -4 + 2 + 1 - 5 - 3
    >>> outcome.statistic, round(outcome.details["sigma"], 3)  # √(5 · 6 · 11 / 6) = √55
    (-9.0, 7.416)
    >>> round(outcome.details["z"], 3)  # -(9 - 0.5) / 7.416
    -1.146
    >>> outcome.p  # of 32 ways to sign 1 2 3 4 5, five give a sum of 9 or more and five one of -9 or less: 10 / 32
    0.3125
    >>> outcome.effects["rank_biserial"]  # -9 / 15
    -0.6
    """
    return wilcoxon_tests(
        Differences.of_pair(new, baseline),
        alternative=alternative,
        level=level,
        zeros=zeros,
        method=method,
        correction=correction,
    )[0]


def wilcoxon_tests(
    differences: Differences,
    *,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    zeros: Zeros = "wilcox",
    method: Method = "auto",
    correction: float = 0.5,
) -> Outcomes:
    """`wilcoxon_test` for many pairs at once."""
    one_of("alternative", alternative, ALTERNATIVES)
    one_of("zeros", zeros, get_args(Zeros))
    one_of("method", method, get_args(Method))
    within("level", level, 0, 1)
    if not 0 <= correction <= 1:
        raise ParameterError(f"correction must be a number from 0 to 1, not {correction!r}")
    ranks = SignedRanks.of(differences, zeros)
    W = ranks.sum
    towards = np.sign(W) if alternative == "two-sided" else 1.0 if alternative == "greater" else -1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (W - towards * correction) / ranks.sigma
        rank_biserial = W / ranks.total
    not_zero = differences.topics - differences.zeros
    exact = np.full(differences.pairs, method == "exact") | ((method == "auto") & (not_zero <= EXACT_UP_TO))
    exact &= not_zero > 0
    p = _normal_p(z, alternative)
    for pair in np.flatnonzero(exact).tolist():
        p[pair] = _exact_p(ranks, pair, W[pair], alternative)
    return Outcomes(
        differences=differences,
        test="Wilcoxon signed-rank test",
        symbol="W",
        statistic=W,
        p=p,
        alternative=alternative,
        level=level,
        interval=student_interval(differences, level, alternative),
        effects={"rank_biserial": rank_biserial},
        details={
            "sigma": ranks.sigma,
            "z": z,
            "positive_ranks": (ranks.total + W) / 2,
            "negative_ranks": (ranks.total - W) / 2,
        },
        assumed=SYMMETRIC,
        question=SIGNED_RANKS[alternative],
        undefined=differences.why_undefined(),
        notes=_notes(differences, ranks, exact, zeros, correction),
        interval_kind="t",
    )


def _normal_p(z: Floats, alternative: Alternative) -> Floats:
    from scipy.special import ndtr

    tail = {"two-sided": -np.abs(z), "greater": -z, "less": z}[alternative]
    p: Floats = ndtr(tail)
    return 2 * p if alternative == "two-sided" else p


def _exact_p(ranks: SignedRanks, pair: int, W: float, alternative: Alternative) -> float:
    if alternative == "two-sided":
        return min(1.0, 2 * ranks.exact_tail(pair, abs(W)))
    return ranks.exact_tail(pair, W if alternative == "greater" else -W)


def _notes(
    differences: Differences, ranks: SignedRanks, exact: Bools, zeros: Zeros, correction: float
) -> list[tuple[str, ...]]:
    distribution = {
        True: "p is exact, over all signs of the ranks",
        False: f"p is approximate, from z and the normal distribution (correction {correction:g})",
    }
    notes = []
    for zero, tied, is_exact in zip(differences.zeros, ranks.ties, exact, strict=True):
        about_zeros = [f"differences of zero: {zero}, {_ZEROS[zeros]}"] if zero else []
        about_ties = ["tied differences share the mean of their ranks"] if tied else []
        notes.append((*about_zeros, *about_ties, distribution[bool(is_exact)]))
    return notes
