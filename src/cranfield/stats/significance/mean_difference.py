"""The mean difference, how sure it is, and how large it is beside the differences' own spread."""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Floats
from cranfield.stats.arguments import Alternative
from cranfield.stats.interval import Intervals, tail_share
from cranfield.stats.significance.differences import Differences


def standard_error(differences: Differences) -> Floats:
    """Of the mean; nan where the differences have none."""
    error: Floats = np.where(differences.deviation > 0, differences.deviation, np.nan) / np.sqrt(differences.topics)
    return error


def student_interval(differences: Differences, level: float, alternative: Alternative) -> Intervals:
    r"""Student's interval of the mean difference.

    .. math:: \bar{d} \pm t_{n-1} \frac{s_d}{\sqrt{n}}

    Where the alternative is one-sided, so is the interval. nan for fewer than two topics and without variance.
    """
    from scipy.special import stdtrit

    reach = stdtrit(max(differences.topics - 1, 1), 1 - tail_share(level, alternative)) * standard_error(differences)
    return Intervals.towards(alternative, differences.mean - reach, differences.mean + reach, level, "Student's t")


def standardised_effects(differences: Differences) -> dict[str, Floats]:
    r"""The mean difference in standard deviations of the differences, as it is and without its bias.

    .. math:: d_z = \frac{\bar{d}}{s_d}, \qquad
        g = d_z \frac{\Gamma(\nu / 2)}{\sqrt{\nu / 2} \, \Gamma((\nu - 1) / 2)}, \qquad \nu = n - 1

    nan for fewer than two topics and without variance; g also for two topics.

    J. Cohen. Statistical power analysis for the behavioral sciences. 1988. L. V. Hedges. Distribution theory for
    Glass's estimator of effect size. Journal of Educational Statistics 6, 1981.
    """
    from scipy.special import gammaln

    d_z = differences.mean / np.where(differences.deviation > 0, differences.deviation, np.nan)
    half = (differences.topics - 1) / 2
    unbiased = np.exp(gammaln(half) - gammaln(half - 0.5)) / np.sqrt(half) if half > 0.5 else np.nan
    return {"d_z": d_z, "g": d_z * unbiased}
