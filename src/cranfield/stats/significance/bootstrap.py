"""The paired bootstrap for the differences between two systems."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Bools, Floats
from cranfield.stats.arguments import ALTERNATIVES, Alternative, one_of, whole, within
from cranfield.stats.chunks import chunks
from cranfield.stats.interval import Intervals, tail_share
from cranfield.stats.random_stream import RandomStream
from cranfield.stats.significance.differences import Differences
from cranfield.stats.significance.mean_difference import standardised_effects
from cranfield.stats.significance.outcome import Outcome, Outcomes
from cranfield.stats.wording import TWO_SYSTEMS

Method = Literal["bca", "percentile"]

REPRESENTATIVE = "topics are a random sample, large enough to stand for the population they come from"

ENOUGH_TOPICS = 30
"""With fewer, a sample of the topics varies less than topics do: p is too small, and intervals are too narrow."""

_KINDS = {"bca": "BCa", "percentile": "percentile"}


def bootstrap_test(
    new: npt.ArrayLike,
    baseline: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    interval: Method = "bca",
) -> Outcome:
    r"""The paired bootstrap: how much does the mean difference vary from one sample of topics to the next?

    .. math:: p = \frac{\#\{b : |\bar{d}^*_b - \bar{d}| \ge |\bar{d}|\} + 1}{B + 1}

    B = `resamples` samples of n topics are drawn from the n topics with replacement. Their mean differences, shifted so
    that their centre is zero, show how large a mean difference comes about by chance: the shift method. The interval is
    made of quantiles of the means: as they are (`percentile`), or with levels corrected for bias and for skewness
    (`bca`):

    .. math:: \alpha' = \Phi\left(z_0 + \frac{z_0 + z_\alpha}{1 - a (z_0 + z_\alpha)}\right), \qquad
        z_0 = \Phi^{-1}\left(\frac{\#\{\bar{d}^*_b < \bar{d}\} + \frac{1}{2} \#\{\bar{d}^*_b = \bar{d}\}}{B}\right),
        \qquad a = \frac{\sum_i (d_i - \bar{d})^3}{6 \left(\sum_i (d_i - \bar{d})^2\right)^{3/2}}

    Means that differ by less than 1e-12 of the highest score are equal. Not defined for fewer than two topics, nor
    where all differences are equal. `scipy.stats.bootstrap` gives the same intervals for the same samples.

    B. Efron, R. J. Tibshirani. An introduction to the bootstrap. 1993. M. D. Smucker, J. Allan, B. Carterette. A
    comparison of statistical significance tests for information retrieval evaluation. CIKM 2007.

    >>> outcome = bootstrap_test([1, 1, 1, 0], [0, 0, 0, 0], resamples=100_000)
    >>> # The mean is 3/4. A mean of a sample is 3/4 or more away from it only if it is 0: (1/4)^4 = .0039
    >>> round(outcome.p, 3)
    0.004
    """
    return bootstrap_tests(
        Differences.of_pair(new, baseline),
        alternative=alternative,
        level=level,
        resamples=resamples,
        seed=seed,
        interval=interval,
    )[0]


def bootstrap_tests(
    differences: Differences,
    *,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    interval: Method = "bca",
) -> Outcomes:
    """`bootstrap_test` for many pairs at once, all with the same samples of topics."""
    one_of("alternative", alternative, ALTERNATIVES)
    one_of("interval", interval, get_args(Method))
    within("level", level, 0, 1)
    whole("resamples", resamples, 1)
    whole("seed", seed, 0)
    upright, turned = differences.one_way_round()
    tail = tail_share(level, alternative)
    p, lower, upper = np.full((3, differences.pairs), np.nan)
    for part in chunks(differences.pairs, resamples) if differences.topics else ():
        chunk = Differences(upright.values[:, part], upright.tolerance[part])
        means = resampled_means(chunk, resamples, seed)
        p[part] = _shifted_p(means, chunk, alternative, turned[part])
        means.sort(axis=1)
        low, high = np.full((2, chunk.pairs), tail)
        high = 1 - high
        if interval == "bca":
            low, high = _corrected(means, chunk, tail)
        lower[part], upper[part] = _quantile(means, low), _quantile(means, high)
    lower, upper = np.where(differences.all_equal, np.nan, (lower, upper))
    return Outcomes(
        differences=differences,
        test="paired bootstrap test",
        symbol="mean difference",
        statistic=differences.mean,
        p=p,
        alternative=alternative,
        level=level,
        interval=Intervals.towards(
            alternative,
            np.where(turned, -upper, lower),
            np.where(turned, -lower, upper),
            level,
            f"{_KINDS[interval]} bootstrap, {resamples:,} samples of topics",
        ),
        effects=standardised_effects(differences),
        details={},
        assumed=REPRESENTATIVE,
        question=TWO_SYSTEMS[alternative],
        undefined=differences.why_undefined(equal=True),
        notes=[_notes(differences.topics, resamples, seed)] * differences.pairs,
        interval_kind=_KINDS[interval],
    )


def _notes(topics: int, resamples: int, seed: int) -> tuple[str, ...]:
    estimate = f"p is an estimate from {resamples:,} random samples of topics (shift method), seed {seed}"
    notes = (f"{estimate}; it cannot be below 1/{resamples + 1:,}",)
    if topics >= ENOUGH_TOPICS:
        return notes
    return (
        *notes,
        f"below about {ENOUGH_TOPICS} topics, and here are {topics}, the bootstrap is too sure of itself: p is too "
        f"small and the interval too narrow; the randomisation test is not",
    )


def resampled_means(differences: Differences, resamples: int, seed: int) -> Floats:
    """The mean differences of random samples of topics, the same for all pairs: pairs x samples."""
    stream, n = RandomStream(seed), differences.topics
    means = np.empty((differences.pairs, resamples))
    for part in chunks(resamples, n):
        np.matmul(differences.values.T, stream.draws(part.stop - part.start, n).T, out=means[:, part])
    means /= n
    return means


def _shifted_p(means: Floats, differences: Differences, alternative: Alternative, turned: Bools) -> Floats:
    """How often a mean is as far from the mean found as that is from zero."""
    mean, tolerance = differences.mean[:, np.newaxis], differences.tolerance[:, np.newaxis]
    high = np.count_nonzero(means >= 2 * mean - tolerance, axis=1)
    # No mean is negative here; in a pair that was turned it was, and low was high.
    if alternative == "two-sided":
        everything = np.abs(differences.mean) <= differences.tolerance
        count = np.where(everything, len(means[0]), high + np.count_nonzero(means <= tolerance, axis=1))
    else:
        lows = np.count_nonzero(means <= 2 * mean + tolerance, axis=1)
        count = np.where(turned == (alternative == "less"), high, lows)
    return (count + 1) / (len(means[0]) + 1)


def _corrected(means: Floats, differences: Differences, tail: float) -> tuple[Floats, Floats]:
    """The levels of the quantiles, corrected for bias and acceleration."""
    from scipy.special import ndtr, ndtri

    mean, tolerance = differences.mean[:, np.newaxis], differences.tolerance[:, np.newaxis]
    below = np.count_nonzero(means < mean - tolerance, axis=1)
    not_above = np.count_nonzero(means <= mean + tolerance, axis=1)
    bias = ndtri((below + not_above) / (2 * len(means[0])))
    away = differences.values - differences.mean
    with np.errstate(invalid="ignore"):
        acceleration = (away**3).sum(axis=0) / (6 * (away**2).sum(axis=0) ** 1.5)
        levels = [bias + ndtri(share) for share in (tail, 1 - tail)]
        low, high = (ndtr(bias + level / (1 - acceleration * level)) for level in levels)
    return low, high


def _quantile(ordered: Floats, level: Floats) -> Floats:
    """Of each row, between the two values that the level lies between; nan for a level that is nan."""
    known = np.where(np.isnan(level), 0, level)
    place = known * (ordered.shape[1] - 1)
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, ordered.shape[1] - 1)
    low, high = (np.take_along_axis(ordered, at[:, np.newaxis], axis=1)[:, 0] for at in (below, above))
    return np.where(np.isnan(level), np.nan, low + (high - low) * (place - below))
