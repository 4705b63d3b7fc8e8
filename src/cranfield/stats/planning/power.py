"""Power: how likely a test is to find a difference that is there.

A test errs in two ways. A Type I error finds a difference that is not there; its probability is the level alpha. A
Type II error misses a difference that is there; its probability is 1 - power. Alpha is chosen; power follows from the
size of the difference, the variance, and the number of topics.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Floats
from cranfield.errors import ParameterError
from cranfield.stats.arguments import ALTERNATIVES, Alternative, one_of, whole, within
from cranfield.stats.significance.differences import FEW_TOPICS
from cranfield.stats.significance.outcome import as_json
from cranfield.stats.wording import number

Design = Literal["one-way", "two-way"]
DESIGNS: tuple[Design, ...] = ("one-way", "two-way")

NO_SPREAD = "the standard deviation is zero: any difference would show on every topic"
NORMAL = "differences are normally distributed"


@dataclass(frozen=True)
class Power:
    """A test, the true difference it is to find, and how likely it is to find it."""

    test: str
    power: float
    """The probability that the test is significant if the true difference is `difference`; nan where not defined."""
    topics: int | None
    """None where no number of topics would do."""
    difference: float
    """Between the means of two systems; of more systems, between the best and the worst. nan where there is none."""
    sd: float
    """Standard deviation of the differences; in an analysis of variance that of the scores (what is left of them)."""
    alpha: float
    alternative: Alternative
    systems: int
    assumed: str
    undefined: str | None = None
    """Why there is no answer, if there is none."""

    @property
    def effect(self) -> float:
        """The difference in standard deviations."""
        return self.difference / self.sd if self.sd else math.nan

    @property
    def sentence(self) -> str:
        """The finding in plain words."""
        sides = "two-sided" if self.alternative == "two-sided" else "one-sided"
        named = f"{self.test}, {f'{self.systems} systems' if self.systems > 2 else sides}, alpha {self.alpha:g}"
        if self.undefined:
            return f"No power ({named}): {self.undefined}."
        return (
            f"With {self.topics} topics, a true difference of {number(self.difference)} (standard deviation "
            f"{number(self.sd)}) is found with probability {self.power:.3f} ({named})."
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it; what is not defined is None."""
        plain: dict[str, Any] = as_json(asdict(self) | {"effect": self.effect})
        return {**plain, "sentence": self.sentence}


def power_of_test(
    difference: float,
    sd: float,
    topics: int,
    *,
    test: str = "t",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> Power:
    r"""The power of a test for two systems: `t`, `wilcoxon` or `sign`.

    `difference` is the true difference between the means, new minus baseline, and `sd` the standard deviation of the
    differences between the two systems, topic by topic. Differences are taken to be normally distributed; then the
    power depends on the effect size, the number of topics n and alpha alone. That of the t-test is exact,

    .. math:: 1 - \beta = P(|T| > t_{n-1, 1 - \alpha/2}), \qquad
        T \sim t_{n-1}(\mathrm{nc} = \delta \sqrt{n}), \qquad \delta = \frac{\mathrm{difference}}{\mathrm{sd}}

    where T has a noncentral t distribution. So is that of the sign test: the number of wins is binomial with the chance
    Phi(delta) of a win. That of Wilcoxon's test is approximate: with normal differences it finds about as much as a
    t-test with 3 / pi = .955 as many topics (its asymptotic relative efficiency), which from 15 topics on is right
    within .01. For other distributions see `error_rates`.

    A difference of zero is "found" with probability alpha. Not defined for fewer than two topics, nor where the
    standard deviation is zero. Do not put in the difference that your experiment happened to find: the answer would
    only be its p-value in another guise. Put in the smallest difference that would matter.

    J. Cohen. Statistical power analysis for the behavioral sciences. 1988. J. L. Hodges, E. L. Lehmann. The efficiency
    of some nonparametric competitors of the t-test. Annals of Mathematical Statistics 27, 1956.

    >>> found = power_of_test(0.03, 0.12, 50)  # delta = .25, nc = .25 √50 = 1.768, t = 2.010
    >>> round(found.power, 4)
    0.4104
    >>> print(found.sentence)
    With 50 topics, a true difference of .030 (standard deviation .120) is found with probability 0.410 (paired t-test,
    two-sided, alpha 0.05).
    >>> [round(power_of_test(0.03, 0.12, 50, test=test).power, 4) for test in ("wilcoxon", "sign")]
    [0.3945, 0.2314]
    """
    check(sd, alpha, alternative, test)
    whole("topics", topics, 0)
    _finite_number("difference", difference)
    power, undefined = math.nan, why_undefined(sd, topics)
    if not undefined:
        power = float(paired_power(test, difference / sd, topics, alternative, alpha))
    name, _, assumed = TESTS[test]
    return Power(name, power, topics, difference, sd, alpha, alternative, 2, assumed, undefined)


def power_of_anova(
    difference: float, sd: float, systems: int, topics: int, *, design: Design = "one-way", alpha: float = 0.05
) -> Power:
    r"""The power of an analysis of variance to find that some systems differ.

    .. math:: 1 - \beta = P(F > F_{k-1, \nu, 1 - \alpha}), \qquad
        F \sim F_{k-1, \nu}(\mathrm{nc} = \lambda), \qquad
        \lambda = \frac{n \, \mathrm{difference}^2}{2 \, \mathrm{sd}^2}

    `difference` is that between the best and the worst of k systems; the others are taken to lie halfway between them,
    which is the case in which the power is smallest. F has a noncentral F distribution. In a `one-way` design `sd` is
    the standard deviation of a system's scores and nu = k (n - 1); that is Sakai's design, which ignores that the
    topics are the same. In a `two-way` design the topics are taken out: `sd` is that of the residuals, and
    nu = (k - 1)(n - 1). With two systems that is the paired t-test; there the residual variance is half the variance of
    the differences. Not defined for fewer than two topics, nor where the standard deviation is zero.

    T. Sakai. Topic set size design. Information Retrieval Journal 19, 2016.

    >>> round(power_of_anova(0.1, 0.2, 5, 40).power, 4)  # lambda = 40 · .01 / .08 = 5, nu = 195
    0.3872
    """
    within("alpha", alpha, 0, 1)
    one_of("design", design, DESIGNS)
    whole("systems", systems, 2)
    whole("topics", topics, 0)
    _finite_number("difference", difference)
    _spread(sd)
    power, undefined = math.nan, why_undefined(sd, topics)
    if not undefined:
        power = float(anova_power(difference / sd, systems, topics, design, alpha))
    name = f"{design} ANOVA"
    assumed = f"scores are {'independent, ' if design == 'one-way' else ''}normal and of equal variance"
    return Power(name, power, topics, difference, sd, alpha, "two-sided", systems, assumed, undefined)


def paired_power(
    test: str, effect: npt.ArrayLike, topics: npt.ArrayLike, alternative: Alternative, alpha: float
) -> Floats:
    """The power of one of `TESTS` for effect sizes and numbers of topics, as arrays."""
    effect, n = np.asarray(effect, dtype=np.float64), np.asarray(topics, dtype=np.float64)
    one_tail = TESTS[test][1]
    if alternative == "two-sided":
        return one_tail(effect, n, alpha / 2) + one_tail(-effect, n, alpha / 2)
    return one_tail(effect if alternative == "greater" else -effect, n, alpha)


def anova_power(effect: npt.ArrayLike, systems: int, topics: npt.ArrayLike, design: Design, alpha: float) -> Floats:
    """The power of an analysis of variance for ranges in standard deviations and numbers of topics, as arrays."""
    from scipy.special import fdtri, ncfdtr

    n = np.asarray(topics, dtype=np.float64)
    df = (n - 1) * (systems if design == "one-way" else systems - 1)
    nc = n * np.square(effect) / 2
    nc = np.where(nc < 1e-12, 0.0, nc)  # SciPy's series may not converge there, and the power is alpha
    power: Floats = 1 - ncfdtr(systems - 1, df, nc, fdtri(systems - 1, df, 1 - alpha))
    return power


def _t(effect: Floats, n: Floats, alpha: float) -> Floats:
    """The chance that t lies above its critical value; mirrored, as a lower tail is right where it is small."""
    from scipy.special import nctdtr, stdtrit

    nc = -effect * np.sqrt(n)
    power: Floats = nctdtr(n - 1, nc, stdtrit(n - 1, alpha))
    # On the wrong side SciPy gives nan where the probability is too small for its arithmetic, below 1e-14.
    return np.where(np.isnan(power) & (nc > 0), 0.0, power)


def _sign(effect: Floats, n: Floats, alpha: float) -> Floats:
    from scipy.special import bdtr, bdtrik, ndtr

    # The most losses at which the test is significant; bdtrik finds it but for rounding.
    losses = np.floor(np.maximum(np.nan_to_num(bdtrik(alpha, n, 0.5)), 0)) + 1
    for _ in range(2):
        losses -= bdtr(losses, n.astype(np.int64), 0.5) >= alpha - 1e-12
    power: Floats = np.where(losses < 0, 0.0, bdtr(np.maximum(losses, 0), n.astype(np.int64), ndtr(-effect)))
    return power


def _wilcoxon(effect: Floats, n: Floats, alpha: float) -> Floats:
    return _t(effect, n * 3 / math.pi, alpha)


TESTS: dict[str, tuple[str, Callable[[Floats, Floats, float], Floats], str]] = {
    "t": ("paired t-test", _t, NORMAL),
    "wilcoxon": ("Wilcoxon signed-rank test", _wilcoxon, f"{NORMAL}; the power is approximate"),
    "sign": ("sign test", _sign, NORMAL),
}
"""By name: the test in words, the power of its upper tail, and what is assumed."""


def check(sd: float, alpha: float, alternative: Alternative, test: str) -> None:
    """An error for what no test could be asked."""
    one_of("test", test, TESTS)
    one_of("alternative", alternative, ALTERNATIVES)
    within("alpha", alpha, 0, 1)
    _spread(sd)


def why_undefined(sd: float, topics: int) -> str | None:
    if topics < 2:
        return FEW_TOPICS
    return NO_SPREAD if sd == 0 else None


def _spread(sd: float) -> None:
    if not 0 <= sd < math.inf:
        raise ParameterError(f"sd must be a number of at least 0, not {sd!r}")


def _finite_number(name: str, value: float) -> None:
    if not math.isfinite(value):
        raise ParameterError(f"{name} must be a number, not {value!r}")
