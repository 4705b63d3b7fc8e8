"""A Bayesian reading of the differences: how probable it is that one system is better by more than matters."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Floats
from cranfield.errors import ParameterError
from cranfield.stats.arguments import whole, within
from cranfield.stats.chunks import chunks
from cranfield.stats.interval import Interval
from cranfield.stats.random_stream import RandomStream
from cranfield.stats.significance.differences import Differences
from cranfield.stats.significance.outcome import as_json
from cranfield.stats.wording import number


@dataclass(frozen=True)
class Posterior:
    """How probable it is, given the data and a prior, that the new system is better, as good or worse.

    As good means within the region of practical equivalence, -rope to rope. The three probabilities sum to 1.
    """

    method: str
    rope: float
    better: float
    """Better by more than `rope`; nan where not defined."""
    equivalent: float
    worse: float
    n: int
    mean_difference: float
    interval: Interval | None
    """The credible interval of the mean difference, where the method has one."""
    prior: str
    notes: tuple[str, ...]
    undefined: str | None

    @property
    def sentence(self) -> str:
        return self.describe()

    def describe(self, new: str = "the new run", baseline: str = "the baseline") -> str:
        """The reading in plain words, with the systems' names."""
        if self.undefined:
            return f"No posterior ({self.method}): {self.undefined}."
        rope, better, worse = number(self.rope), _probability(self.better), _probability(self.worse)
        return (
            f"Given these topics, {new} is better than {baseline} by more than {rope} with probability {better}, "
            f"worse by more than {rope} with probability {worse}, and practically as good with probability "
            f"{_probability(self.equivalent)} ({self.method}; prior: {self.prior})."
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it: what is not defined is None."""
        return {**as_json(asdict(self)), "sentence": self.sentence}


def bayesian_t_test(
    new: npt.ArrayLike, baseline: npt.ArrayLike, rope: float, *, level: float = 0.95, correlation: float = 0.0
) -> Posterior:
    r"""The posterior of the mean difference if the differences are normally distributed.

    .. math:: \mu \sim \bar{d} + s_d \sqrt{\frac{1}{n} + \frac{\rho}{1 - \rho}} \; T_{n-1}

    The prior is flat for the mean and for the logarithm of the standard deviation, so that the credible interval is the
    same as Student's interval. `correlation` is rho: 0 for topics, which are independent; for scores on the folds of a
    cross-validation it is the share of the data in a fold. Not defined for fewer than two topics, nor where all
    differences are equal.

    A. Benavoli, G. Corani, J. Demsar, M. Zaffalon. Time for a change: a tutorial for comparing multiple classifiers
    through Bayesian analysis. JMLR 18, 2017.

    >>> reading = bayesian_t_test([0.6, 0.7, 0.9], [0.5, 0.5, 0.6], rope=0.01)
    >>> # The mean is .2, s is .1: better with Pr(T > (.01 - .2) / (.1 / √3)) = Pr(T > -3.29), two degrees of freedom
    >>> round(reading.better, 3), round(reading.worse, 3)
    (0.959, 0.034)
    """
    from scipy.special import stdtr, stdtrit

    differences = Differences.of_pair(new, baseline)
    _check_rope(rope)
    within("level", level, 0, 1)
    if not 0 <= correlation < 1:
        raise ParameterError(f"correlation must be a number from 0 to below 1, not {correlation!r}")
    n, mean = differences.topics, float(differences.mean[0])
    worse = better = equivalent = math.nan
    interval = None
    undefined = differences.why_undefined(equal=True)[0]
    if undefined is None:
        scale = float(differences.deviation[0]) * math.sqrt(1 / n + correlation / (1 - correlation))
        worse, better = (float(stdtr(n - 1, (-rope - sign * mean) / scale)) for sign in (1, -1))
        equivalent = max(0.0, 1 - worse - better)
        reach = float(stdtrit(n - 1, (1 + level) / 2)) * scale
        interval = Interval(mean - reach, mean + reach, level, "posterior")
    return Posterior(
        "Bayesian t-test", rope, better, equivalent, worse, n, mean, interval,
        prior="flat for the mean and for the logarithm of the standard deviation",
        notes=(f"correlation {correlation:g}",) if correlation else (),
        undefined=undefined,
    )  # fmt: skip


def bayesian_signed_rank_test(
    new: npt.ArrayLike,
    baseline: npt.ArrayLike,
    rope: float,
    *,
    strength: float = 0.5,
    samples: int = 50_000,
    seed: int = 0,
) -> Posterior:
    r"""The posterior of the signed ranks if nothing is known of the differences' distribution.

    .. math:: \theta_{\mathrm{better}} = \sum_{i=0}^{n} \sum_{j=0}^{n} w_i w_j \, [d_i + d_j > 2 \cdot \mathrm{rope}],
        \qquad (w_0, w_1, \ldots, w_n) \sim \mathrm{Dirichlet}(s, 1, \ldots, 1)

    The mean of two differences, drawn with weights w, lies above the region of practical equivalence with the
    probability given, and likewise below (worse) and inside (as good). The weights are not known: they are drawn
    `samples` times, and a reading's probability is the share of draws in which it has the highest theta of the three.
    The prior is a Dirichlet process of strength s, with one difference d_0 = 0 taken to have been seen s times. Not
    defined for fewer than two topics.

    A. Benavoli, F. Mangili, G. Corani, M. Zaffalon, F. Ruggeri. A Bayesian Wilcoxon signed-rank test based on the
    Dirichlet process. ICML 2014.

    >>> reading = bayesian_signed_rank_test([0.6, 0.7, 0.9, 0.8], [0.5, 0.5, 0.6, 0.7], rope=0.01)
    >>> reading.better > 0.95, reading.worse
    (True, 0.0)
    """
    differences = Differences.of_pair(new, baseline)
    _check_rope(rope)
    within("strength", strength, 0)
    whole("samples", samples, 1)
    whole("seed", seed, 0)
    undefined = "there are fewer than two topics" if differences.topics < 2 else None
    shares = np.full(3, np.nan)
    if undefined is None:
        upright, turned = differences.one_way_round()
        shares = _winners(upright, rope, strength, samples, seed)
        shares = shares[::-1] if turned[0] else shares
    worse, equivalent, better = (float(share) for share in shares)
    return Posterior(
        "Bayesian signed-rank test", rope, better, equivalent, worse,
        differences.topics, float(differences.mean[0]), None,
        prior=f"Dirichlet process of strength {strength:g} at a difference of 0",
        notes=(f"from {samples:,} draws, seed {seed}",),
        undefined=undefined,
    )  # fmt: skip


def _probability(value: float) -> str:
    """
    >>> _probability(0.25), _probability(1e-6), _probability(0.9999999)
    ('.250', 'below .001', 'above .999')
    """
    return "below .001" if value < 0.001 else "above .999" if value > 0.999 else number(value)


def _check_rope(rope: float) -> None:
    if not 0 <= rope < math.inf:
        raise ParameterError(f"rope must be a number of at least 0, not {rope!r}")


def _winners(differences: Differences, rope: float, strength: float, samples: int, seed: int) -> Floats:
    """In what share of the draws worse, as good and better have the highest theta."""
    seen = np.concatenate(([0.0], differences.values[:, 0]))
    order = np.argsort(seen, kind="stable")
    ordered, reach = seen[order], 2 * rope + float(differences.tolerance[0])
    # For each difference, how many others make a sum below -2 rope with it, and how many one up to 2 rope.
    below = np.searchsorted(ordered, -reach - ordered, side="left")
    not_above = np.searchsorted(ordered, reach - ordered, side="right")
    stream, wins = RandomStream(seed), np.zeros(3)
    for part in chunks(samples, len(seen)):
        weight = _dirichlet(stream, part.stop - part.start, len(seen), strength)[:, order]
        up_to = np.cumsum(np.pad(weight, ((0, 0), (1, 0))), axis=1)
        worse = np.sum(weight * up_to[:, below], axis=1)
        better = 1 - np.sum(weight * up_to[:, not_above], axis=1)
        theta = np.stack((worse, 1 - worse - better, better))
        wins += np.bincount(theta.argmax(axis=0), minlength=3)
    shares: Floats = wins / samples
    return shares


def _dirichlet(stream: RandomStream, rows: int, columns: int, strength: float) -> Floats:
    """Weights that sum to 1: Gamma variables, the first with this shape and the others with 1, over their sum."""
    from scipy.special import gammaincinv

    uniform = stream.uniform((rows, columns))
    weight: Floats = -np.log(uniform)
    weight[:, 0] = gammaincinv(strength, uniform[:, 0])
    weight /= weight.sum(axis=1, keepdims=True)
    return weight
