"""Showing that two systems do not differ much, which a test that finds no difference does not show."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.stats.arguments import within
from cranfield.stats.significance.differences import Differences
from cranfield.stats.significance.mean_difference import standard_error, standardised_effects, student_interval
from cranfield.stats.significance.outcome import Outcome, Outcomes
from cranfield.stats.significance.t_test import NORMAL, student_details, student_p
from cranfield.stats.wording import Question, number


def equivalence_test(new: npt.ArrayLike, baseline: npt.ArrayLike, margin: float, *, level: float = 0.95) -> Outcome:
    r"""Two one-sided t-tests (TOST): is the mean difference, either way, smaller than a margin?

    .. math:: t_1 = \frac{\bar{d} + \delta}{s_d / \sqrt{n}}, \qquad t_2 = \frac{\bar{d} - \delta}{s_d / \sqrt{n}},
        \qquad p = \max\left(\Pr(T \ge t_1), \Pr(T \le t_2)\right)

    The null hypothesis is that the systems differ by the margin delta or more; a small p speaks for equivalence. The
    margin is the largest difference that does not matter, to be chosen before looking. The statistic is the t closer to
    zero. p is below alpha exactly when the interval of level 1 - 2 alpha, which is the one given (90 % for the usual
    alpha of .05), lies inside the margin. Not defined for fewer than two topics, nor where all differences are equal.
    `statsmodels.stats.weightstats.ttost_paired` gives the same.

    D. J. Schuirmann. A comparison of the two one-sided tests procedure and the power approach for assessing the
    equivalence of average bioavailability. Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.

    >>> outcome = equivalence_test([0.52, 0.48, 0.61, 0.39], [0.50, 0.50, 0.60, 0.40], margin=0.05)
    >>> round(outcome.statistic, 3), round(outcome.p, 4)  # mean 0, s .0183: t = ± .05 / (.0183 / √4)
    (5.477, 0.006)
    >>> print(outcome.sentence)
    The new run is as good as the baseline on average (90 % interval of the difference: -.021 to .021); a difference
    this close to zero would be seen 6 times in 1000 if the two differed by .050 or more (equivalence test, p = .006).
    """
    return equivalence_tests(Differences.of_pair(new, baseline), margin, level=level)[0]


def equivalence_tests(differences: Differences, margin: float, *, level: float = 0.95) -> Outcomes:
    """`equivalence_test` for many pairs at once."""
    within("margin", margin, 0)
    within("level", level, 0.5, 1)
    error, freedom = standard_error(differences), differences.topics - 1
    above, below = (differences.mean + margin) / error, (differences.mean - margin) / error
    return Outcomes(
        differences=differences,
        test="equivalence test",
        symbol="t",
        statistic=np.where(np.abs(above) <= np.abs(below), above, below),
        p=np.maximum(student_p(above, freedom, "greater"), student_p(below, freedom, "less")),
        alternative="two-sided",
        level=level,
        interval=student_interval(differences, round(2 * level - 1, 12), "two-sided"),
        effects=standardised_effects(differences),
        details=student_details(differences) | {"margin": np.full(differences.pairs, float(margin))},
        assumed=NORMAL,
        question=Question("a difference this close to zero would {}", f"the two differed by {number(margin)} or more"),
        undefined=differences.why_undefined(equal=True),
    )


def non_inferiority_test(new: npt.ArrayLike, baseline: npt.ArrayLike, margin: float, *, level: float = 0.95) -> Outcome:
    r"""A one-sided t-test: is the new system, at worst, worse by less than a margin?

    .. math:: t = \frac{\bar{d} + \delta}{s_d / \sqrt{n}}, \qquad p = \Pr(T \ge t)

    The null hypothesis is that the new system is worse by the margin delta or more; a small p speaks for its not being
    inferior. p is below alpha exactly when the lower bound of the interval, which has no upper one, is above -delta.
    Not defined for fewer than two topics, nor where all differences are equal: then the mean itself decides. It is for
    measures of which more is better; for others swap the systems.

    S. Wellek. Testing statistical hypotheses of equivalence and noninferiority. 2010.

    >>> outcome = non_inferiority_test([0.52, 0.48, 0.61, 0.38], [0.50, 0.50, 0.60, 0.40], margin=0.05)
    >>> round(outcome.statistic, 3), round(outcome.p, 4)  # mean -.0025, s .0206: t = (-.0025 + .05) / (.0206 / √4)
    (4.608, 0.0096)
    >>> print(outcome.sentence)
    The new run is worse than the baseline by .003 (95 % bound of the difference: at least -.027); a difference at least
    this high would be seen 10 times in 1000 if the new run were worse by .050 or more (non-inferiority test, p = .010).
    """
    return non_inferiority_tests(Differences.of_pair(new, baseline), margin, level=level)[0]


def non_inferiority_tests(differences: Differences, margin: float, *, level: float = 0.95) -> Outcomes:
    """`non_inferiority_test` for many pairs at once."""
    within("margin", margin, 0)
    within("level", level, 0, 1)
    t = (differences.mean + margin) / standard_error(differences)
    return Outcomes(
        differences=differences,
        test="non-inferiority test",
        symbol="t",
        statistic=t,
        p=student_p(t, differences.topics - 1, "greater"),
        alternative="greater",
        level=level,
        interval=student_interval(differences, level, "greater"),
        effects=standardised_effects(differences),
        details=student_details(differences) | {"margin": np.full(differences.pairs, float(margin))},
        assumed=NORMAL,
        question=Question(
            "a difference at least this high would {}", f"{{new}} were worse by {number(margin)} or more"
        ),
        undefined=differences.why_undefined(equal=True),
    )
