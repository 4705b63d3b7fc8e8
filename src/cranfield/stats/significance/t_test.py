"""Student's t-test for the differences between two systems, and for one system against a target."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Floats
from cranfield.stats.arguments import ALTERNATIVES, Alternative, one_of, within
from cranfield.stats.significance.differences import Differences
from cranfield.stats.significance.mean_difference import standard_error, standardised_effects, student_interval
from cranfield.stats.significance.outcome import Outcome, Outcomes
from cranfield.stats.wording import TWO_SYSTEMS, Question, target_question

NORMAL = "topics are a random sample, and the mean of their differences is normally distributed"


def paired_t_test(
    new: npt.ArrayLike, baseline: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> Outcome:
    r"""The paired t-test: is the mean difference between two systems, topic by topic, zero?

    .. math:: t = \frac{\bar{d}}{s_d / \sqrt{n}}, \qquad d = \mathrm{new} - \mathrm{baseline}

    Under the null hypothesis t has Student's distribution with n - 1 degrees of freedom. Not defined for fewer than two
    topics, nor where all differences are equal. `scipy.stats.ttest_rel` gives the same t, p and interval.

    Erratum: the notes take d = baseline - test, and an improvement then gives t < 0. Here an improvement gives t > 0.

    Student. The probable error of a mean. Biometrika 6, 1908.

    >>> new, baseline = [0.32, 0.55, 0.13, 0.32, 0.12], [0.61, 0.52, 0.12, 0.73, 0.22]
    >>> outcome = paired_t_test(new, baseline)  # mean -.152, s .1921: t = -.152 / (.1921 / √5)
    >>> round(outcome.statistic, 3), round(outcome.p, 3)
    (-1.769, 0.152)
    >>> print(outcome.sentence)
    The new run is worse than the baseline by .152 (95 % interval of the difference: -.391 to .087); a difference at
    least this large, either way, would be seen 15 times in 100 if the two were equal (paired t-test, p = .152).
    """
    return paired_t_tests(Differences.of_pair(new, baseline), alternative=alternative, level=level)[0]


def paired_t_tests(
    differences: Differences, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> Outcomes:
    """`paired_t_test` for many pairs at once."""
    one_of("alternative", alternative, ALTERNATIVES)
    return _t_tests(differences, "paired t-test", TWO_SYSTEMS[alternative], alternative, level)


def one_sample_t_test(
    values: npt.ArrayLike, target: float, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> Outcome:
    r"""The one-sample t-test: does the mean of a system differ from a target?

    .. math:: t = \frac{\bar{x} - \mu}{s / \sqrt{n}}

    With `alternative="greater"` it is a gate: release if the mean is above the target. The mean difference and its
    interval are those of x - target. Not defined for fewer than two topics, nor where all values are equal.
    `scipy.stats.ttest_1samp` gives the same.

    Student. The probable error of a mean. Biometrika 6, 1908.

    >>> gate = one_sample_t_test([0.9, 0.7, 0.8, 1.0, 0.85], 0.75, alternative="greater")
    >>> round(gate.statistic, 3), round(gate.p, 3)  # mean .85, s .1118: t = .1 / (.1118 / √5)
    (2.0, 0.058)
    >>> print(gate.sentence)
    The new run is above the target of .750 by .100 (95 % bound of the difference: at least -.007); a mean at least this
    high would be seen 6 times in 100 if the true mean were .750 or below (one-sample t-test, p = .058).
    """
    one_of("alternative", alternative, ALTERNATIVES)
    differences = Differences.of_pair(values, float(target))
    return _t_tests(differences, "one-sample t-test", target_question(target, alternative), alternative, level)[0]


def _t_tests(
    differences: Differences, test: str, question: Question, alternative: Alternative, level: float
) -> Outcomes:
    within("level", level, 0, 1)
    t = differences.mean / standard_error(differences)
    return Outcomes(
        differences=differences,
        test=test,
        symbol="t",
        statistic=t,
        p=student_p(t, differences.topics - 1, alternative),
        alternative=alternative,
        level=level,
        interval=student_interval(differences, level, alternative),
        effects=standardised_effects(differences),
        details=student_details(differences),
        assumed=NORMAL,
        question=question,
        undefined=differences.why_undefined(equal=True),
    )


def student_details(differences: Differences) -> dict[str, Floats]:
    return {
        "degrees_of_freedom": np.full(differences.pairs, differences.topics - 1.0 if differences.topics else np.nan),
        "standard_error": standard_error(differences),
    }


def student_p(t: Floats, degrees_of_freedom: int, alternative: Alternative) -> Floats:
    """The probability of a t at least this extreme."""
    from scipy.special import stdtr

    tail = {"two-sided": -np.abs(t), "greater": -t, "less": t}[alternative]
    p: Floats = stdtr(max(degrees_of_freedom, 1), tail)
    return 2 * p if alternative == "two-sided" else p
