"""The sign test for the differences between two systems."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Floats
from cranfield.stats.arguments import ALTERNATIVES, Alternative, one_of, within
from cranfield.stats.significance.differences import Differences
from cranfield.stats.significance.mean_difference import student_interval
from cranfield.stats.significance.outcome import Outcome, Outcomes
from cranfield.stats.wording import TOPICS_WON

INDEPENDENT = "topics are a random sample; nothing about the size of their differences"


def sign_test(
    new: npt.ArrayLike, baseline: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> Outcome:
    r"""The sign test: does each system win on as many topics as the other?

    .. math:: p = \sum_{k=w}^{m} \binom{m}{k} \frac{1}{2^m}

    w is the number of topics on which the new system is better, and m the number of those on which the two differ:
    topics on which they are equal are left out. That is the p of the one-sided question whether the new system is
    better; p is twice the smaller tail, at most 1, where the question is two-sided. Not defined for fewer than two
    topics, nor where all differences are zero. The effect size is the share of wins, w / m. The interval is Student's,
    of the mean difference. `scipy.stats.binomtest(w, m)` gives the same p.

    Erratum: the notes print 15/32 for three or more of five; the sum is (10 + 5 + 1)/32 = 16/32.

    W. J. Dixon, A. M. Mood. The statistical sign test. JASA 41, 1946.

    >>> A, B = [0.61, 0.52, 0.12, 0.73, 0.22], [0.32, 0.55, 0.13, 0.32, 0.12]
    >>> sign_test(A, B, alternative="greater").p  # A wins on 3 of 5: (10 + 5 + 1) / 32
    0.5
    >>> outcome = sign_test(A, B)
    >>> outcome.p, outcome.effects["share_of_wins"]
    (1.0, 0.6)
    """
    return sign_tests(Differences.of_pair(new, baseline), alternative=alternative, level=level)[0]


def sign_tests(differences: Differences, *, alternative: Alternative = "two-sided", level: float = 0.95) -> Outcomes:
    """`sign_test` for many pairs at once."""
    one_of("alternative", alternative, ALTERNATIVES)
    within("level", level, 0, 1)
    wins, losses = differences.wins.astype(np.float64), differences.losses.astype(np.float64)
    with np.errstate(invalid="ignore"):
        share = wins / (wins + losses)
    return Outcomes(
        differences=differences,
        test="sign test",
        symbol="wins",
        statistic=wins,
        p=_binomial_p(wins, losses, alternative),
        alternative=alternative,
        level=level,
        interval=student_interval(differences, level, alternative),
        effects={"share_of_wins": share},
        details={},
        assumed=INDEPENDENT,
        question=TOPICS_WON[alternative],
        undefined=differences.why_undefined(),
        notes=[
            (*([f"differences of zero: {zero}, left out"] if zero else []), "p is exact (binomial)")
            for zero in differences.zeros
        ],
        interval_kind="t",
    )


def _binomial_p(wins: Floats, losses: Floats, alternative: Alternative) -> Floats:
    """As many heads of a fair coin or more; losses or fewer tails come to the same."""
    from scipy.special import bdtr

    fewest = {"two-sided": np.minimum(wins, losses), "greater": losses, "less": wins}[alternative]
    p: Floats = bdtr(fewest, (wins + losses).astype(np.int64), 0.5)
    return np.minimum(1.0, 2 * p) if alternative == "two-sided" else p
