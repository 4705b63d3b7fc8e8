"""Topic set size design: how many topics an experiment needs, from the variance that a pilot showed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from cranfield.stats.arguments import Alternative, within
from cranfield.stats.many_systems.anova import NO_RESIDUAL, effects_and_residuals
from cranfield.stats.many_systems.score_matrix import FEW_SYSTEMS, ManyScores, named_scores
from cranfield.stats.planning.power import NO_SPREAD, Design, Power, check, paired_power, power_of_anova, power_of_test
from cranfield.stats.significance.differences import FEW_TOPICS
from cranfield.stats.significance.outcome import as_json
from cranfield.stats.wording import number

MOST_TOPICS = 1_000_000
TOO_MANY = f"more than {MOST_TOPICS:,} topics would be needed"
ZERO = "a difference of zero is not found with any number of topics"
OTHER_WAY = "the difference lies on the other side of zero from where the test looks"
TOO_FEW = "with so few topics no difference, however large, is found with that probability"

_LARGEST_EFFECT = 1000


@dataclass(frozen=True)
class PilotVariance:
    """What a pilot says about variance. What is not defined is nan."""

    scores_sd: float
    """The standard deviation of a system's scores over topics, all systems together (one-way analysis of variance)."""
    residual_sd: float
    """What is left of it when the topics are taken out (two-way analysis of variance)."""
    difference_sd: float
    """That of the differences between two systems, all pairs taken together: residual_sd times the root of 2."""
    topics: int
    systems: int
    undefined: str | None = None
    """Why there is nothing to say, if there is nothing."""


def pilot_variance(scores: ManyScores) -> PilotVariance:
    r"""The variance of scores and of differences, estimated from a pilot: topics x systems, or scores by system.

    .. math:: s_{\mathrm{scores}}^2 = \frac{\sum_{t,s} (x_{ts} - \bar{x}_s)^2}{k (n - 1)}, \qquad
        s_{\mathrm{residual}}^2 = \frac{\sum_{t,s} (x_{ts} - \bar{x}_s - \bar{x}_t + \bar{x})^2}{(k - 1) (n - 1)},
        \qquad s_d^2 = 2 s_{\mathrm{residual}}^2

    With two systems the last is the variance of their differences; with more it is the mean over all pairs. Not defined
    for fewer than two topics or systems, nor where the systems differ by the same amounts on every topic.

    >>> pilot = pilot_variance([[0.2, 0.3], [0.5, 0.4], [0.6, 0.8]])  # differences .1, -.1, .2: variance .07/3
    >>> round(pilot.difference_sd, 4)  # √.0233
    0.1528
    """
    _, matrix = named_scores(scores)
    n, k = matrix.shape
    undefined = FEW_SYSTEMS if k < 2 else FEW_TOPICS if n < 2 else None
    if undefined:
        return PilotVariance(math.nan, math.nan, math.nan, n, k, undefined)
    _, by_topic, residual = effects_and_residuals(matrix)
    error = float((residual**2).sum())
    variance = error / (k - 1) / (n - 1)
    of_scores = (k * float((by_topic**2).sum()) + error) / k / (n - 1)
    undefined = None if error else NO_RESIDUAL
    return PilotVariance(math.sqrt(of_scores), math.sqrt(variance), math.sqrt(2 * variance), n, k, undefined)


def topics_for_power(
    difference: float,
    sd: float,
    *,
    power: float = 0.8,
    test: str = "t",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> Power:
    """The least number of topics with which a test for two systems finds a difference with at least this power.

    The other way round than `power_of_test`, which explains the arguments; `power` of the answer is what that many
    topics really reach. The power of the sign test goes up and down by turns as topics are added: the answer is the
    number from which on it stays high enough. There is no answer for a difference of zero, for one on the other side of
    zero from where a one-sided test looks, for a standard deviation of zero, nor if a million topics are not enough.

    T. Sakai. Topic set size design. Information Retrieval Journal 19, 2016.

    >>> topics_for_power(0.05, 0.1).topics  # an effect size of .5: (1.96 + .84)² / .25 = 31, and 3 more for t
    34
    >>> print(topics_for_power(0.02, 0.12, power=0.9).sentence)
    With 381 topics, a true difference of .020 (standard deviation .120) is found with probability 0.901 (paired t-test,
    two-sided, alpha 0.05).
    """
    check(sd, alpha, alternative, test)
    within("power", power, alpha, 1)
    start = power_of_test(difference, sd, 2, test=test, alternative=alternative, alpha=alpha)
    undefined = start.undefined
    if difference == 0:
        undefined = ZERO
    elif difference * {"two-sided": difference, "greater": 1, "less": -1}[alternative] < 0:
        undefined = OTHER_WAY
    if undefined:
        return replace(start, topics=None, power=math.nan, undefined=undefined)

    def enough(topics: int) -> bool:
        return bool(paired_power(test, difference / sd, topics, alternative, alpha) >= power)

    topics = _least(enough)
    if topics is not None and test == "sign":
        later = np.arange(topics, 2 * topics + 100)
        too_low = paired_power(test, difference / sd, later, alternative, alpha) < power
        topics = int(later[too_low].max(initial=topics - 1)) + 1
    if topics is None:
        return replace(start, topics=None, power=math.nan, undefined=TOO_MANY)
    return power_of_test(difference, sd, topics, test=test, alternative=alternative, alpha=alpha)


def difference_for_power(
    sd: float,
    topics: int,
    *,
    power: float = 0.8,
    test: str = "t",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> Power:
    """The least difference that a test for two systems finds with this power, given so many topics.

    A difference that is smaller is more likely to be missed than `power` allows. Negative if the alternative is `less`.
    Not defined for fewer than two topics, for a standard deviation of zero, nor where no difference is large enough, as
    in a sign test with four topics.

    >>> round(difference_for_power(0.12, 50).difference, 4)  # .4041 standard deviations
    0.0485
    """
    check(sd, alpha, alternative, test)
    within("power", power, alpha, 1)
    sign = -1.0 if alternative == "less" else 1.0
    start = power_of_test(0.0, sd, topics, test=test, alternative=alternative, alpha=alpha)
    low, high = 0.0, 1.0

    def enough(effect: float) -> bool:
        return bool(paired_power(test, sign * effect, topics, alternative, alpha) >= power)

    undefined = start.undefined
    while not undefined and not enough(high):
        low, high = high, 2 * high
        if high > _LARGEST_EFFECT:
            undefined = TOO_FEW
    if undefined:
        return replace(start, difference=math.nan, power=math.nan, undefined=undefined)
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return power_of_test(sign * high * sd, sd, topics, test=test, alternative=alternative, alpha=alpha)


def topics_for_anova(
    difference: float,
    sd: float,
    systems: int,
    *,
    power: float = 0.8,
    design: Design = "one-way",
    alpha: float = 0.05,
) -> Power:
    """The least number of topics with which an analysis of variance finds that the best and the worst system differ.

    The other way round than `power_of_anova`, which explains the arguments. There is no answer for a difference of
    zero, for a standard deviation of zero, nor if a million topics are not enough.

    T. Sakai. Topic set size design. Information Retrieval Journal 19, 2016.

    >>> topics_for_anova(0.1, 0.2, 5).topics
    97
    """
    within("power", power, alpha, 1)
    start = power_of_anova(difference, sd, systems, 2, design=design, alpha=alpha)
    if start.undefined or difference == 0:
        return replace(start, topics=None, power=math.nan, undefined=start.undefined or ZERO)

    def enough(topics: int) -> bool:
        return power_of_anova(difference, sd, systems, topics, design=design, alpha=alpha).power >= power

    topics = _least(enough)
    if topics is None:
        return replace(start, topics=None, power=math.nan, undefined=TOO_MANY)
    return power_of_anova(difference, sd, systems, topics, design=design, alpha=alpha)


@dataclass(frozen=True)
class IntervalWidth:
    """How many topics make the interval of a mean difference this narrow."""

    topics: int | None
    """None where there is no answer."""
    width: float
    """What is expected with so many topics, from one end to the other; nan where there is no answer."""
    wanted: float
    sd: float
    level: float
    undefined: str | None = None

    assumed = "differences are normally distributed"

    @property
    def sentence(self) -> str:
        """The finding in plain words."""
        if self.undefined:
            return f"No number of topics (interval of the mean difference): {self.undefined}."
        return (
            f"With {self.topics} topics, the {100 * self.level:g} % interval of a mean difference (standard deviation "
            f"{number(self.sd)}) is expected to be {number(self.width)} wide."
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it; what is not defined is None."""
        plain: dict[str, Any] = as_json(asdict(self))
        return {**plain, "assumed": self.assumed, "sentence": self.sentence}


def topics_for_interval(width: float, sd: float, *, level: float = 0.95) -> IntervalWidth:
    r"""The least number of topics with which Student's interval of a mean difference is expected to be this narrow.

    .. math:: 2 \, t_{n-1, (1 + \mathrm{level}) / 2} \, \frac{\mathrm{sd}}{\sqrt{n}} \cdot
        \frac{\sqrt{2} \, \Gamma(n / 2)}{\sqrt{n - 1} \, \Gamma((n - 1) / 2)} \le \mathrm{width}

    `width` is from one end of the interval to the other, `sd` the standard deviation of the differences; the last
    factor says how far short of the true one a standard deviation is expected to fall with n topics. There is no answer
    for a standard deviation of zero, nor if a million topics are not enough.

    T. Sakai. Topic set size design. Information Retrieval Journal 19, 2016.

    >>> found = topics_for_interval(0.05, 0.12)  # 2 · 1.987 · .12 / √91 · .9972 = .0499
    >>> found.topics, round(found.width, 4)
    (91, 0.0498)
    """
    within("width", width, 0)
    within("level", level, 0, 1)
    check(sd, 1 - level, "two-sided", "t")
    if sd == 0:
        return IntervalWidth(None, math.nan, width, sd, level, NO_SPREAD)
    topics = _least(lambda n: expected_width(n, sd, level) <= width)
    if topics is None:
        return IntervalWidth(None, math.nan, width, sd, level, TOO_MANY)
    return IntervalWidth(topics, expected_width(topics, sd, level), width, sd, level)


def expected_width(topics: int, sd: float, level: float) -> float:
    """How wide Student's interval of a mean difference is expected to be."""
    from scipy.special import gammaln, stdtrit

    df = topics - 1
    short = math.sqrt(2 / df) * math.exp(gammaln(topics / 2) - gammaln(df / 2))
    return float(2 * stdtrit(df, (1 + level) / 2) * sd / math.sqrt(topics) * short)


def _least(enough: Callable[[int], bool]) -> int | None:
    """The least number of topics that is enough, two or more; more than enough is enough."""
    low, high = 1, 2
    while not enough(high):
        if high == MOST_TOPICS:
            return None
        low, high = high, min(2 * high, MOST_TOPICS)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
