"""Fisher's randomisation test for the differences between two systems."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Bools, Floats
from cranfield.errors import ParameterError
from cranfield.stats.arguments import ALTERNATIVES, Alternative, one_of, whole, within
from cranfield.stats.chunks import chunks
from cranfield.stats.interval import Intervals, tail_share
from cranfield.stats.significance.differences import Differences
from cranfield.stats.significance.mean_difference import standardised_effects
from cranfield.stats.significance.outcome import Outcome, Outcomes
from cranfield.stats.significance.sign_flips import Subsets, count_subsets_up_to
from cranfield.stats.wording import TWO_SYSTEMS

EXCHANGEABLE = "under the null hypothesis the two scores of a topic might as well change places"

_MOST_EXACT = 48
"""2^24 sums of each half are 128 MB."""


def randomisation_test(
    new: npt.ArrayLike,
    baseline: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    resamples: int = 100_000,
    seed: int = 0,
    exact_up_to: int = 40,
) -> Outcome:
    r"""Fisher's randomisation (or permutation) test: would the mean difference be as large with the labels shuffled?

    .. math:: p = \frac{\#\{s \in \{-1, 1\}^n : |\sum_i s_i d_i| \ge |\sum_i d_i|\}}{2^n}, \qquad
        p \approx \frac{\#\{b : |\sum_i s_{bi} d_i| \ge |\sum_i d_i|\} + 1}{B + 1}

    If it does not matter which system made which of the two scores of a topic, each difference might as well have the
    other sign. p is the share of all 2^n choices of signs with a mean difference at least as large as the one found.
    With at most `exact_up_to` differences that are not zero all of them are counted (40 take a fraction of a second);
    otherwise B = `resamples` choices are drawn at random, and the one found counts as one more, so that p is never 0.
    Sums that differ by less than 1e-12 of the highest score are equal.

    The interval holds the values that the same test would not reject as the true mean difference. Its bounds are
    quantiles of the means of subsets of the differences: all subsets, or `resamples` random ones. A few topics may not
    be enough for a bound; it is infinite then.

    Not defined for fewer than two topics, nor where all differences are zero. `scipy.stats.permutation_test` with
    `permutation_type="samples"` does the same. ranx's Fisher test divides count by B and can give p = 0.

    R. A. Fisher. The design of experiments. 1935. M. D. Smucker, J. Allan, B. Carterette. A comparison of statistical
    significance tests for information retrieval evaluation. CIKM 2007. Interval: J. A. Hartigan. Using subsample values
    as typical values. JASA 64, 1969.

    >>> A, B = [0.61, 0.52, 0.12, 0.73, 0.22], [0.32, 0.55, 0.13, 0.32, 0.12]
    >>> outcome = randomisation_test(A, B)  # differences .29 -.03 -.01 .41 .10 have the sum .76; of 32 choices of signs
    >>> outcome.p  # four have a sum of .76 or more (.84 .82 .78 .76) and four one of -.76 or less: 8 / 32
    0.25
    """
    return randomisation_tests(
        Differences.of_pair(new, baseline),
        alternative=alternative,
        level=level,
        resamples=resamples,
        seed=seed,
        exact_up_to=exact_up_to,
    )[0]


def randomisation_tests(
    differences: Differences,
    *,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    resamples: int = 100_000,
    seed: int = 0,
    exact_up_to: int = 24,
) -> Outcomes:
    """`randomisation_test` for many pairs at once, all with the same random choices.

    Counting everything is by default left to fewer topics than for a single pair, as it is done for each pair anew.
    """
    one_of("alternative", alternative, ALTERNATIVES)
    within("level", level, 0, 1)
    whole("resamples", resamples, 1)
    whole("seed", seed, 0)
    whole("exact_up_to", exact_up_to, 0)
    if exact_up_to > _MOST_EXACT:
        raise ParameterError(f"exact_up_to must be at most {_MOST_EXACT}, not {exact_up_to}: it takes too much memory")
    upright, turned = differences.one_way_round()
    n = differences.topics
    all_subsets = n < 63 and 1 << n <= max(resamples, 2)
    subsets = Subsets.every(n) if all_subsets else Subsets.random(n, resamples, seed)
    found = _Found(upright, subsets, one_more=0 if all_subsets else 1)
    tail = tail_share(level, alternative)
    for part in chunks(differences.pairs, len(subsets)):
        found.look_at(part, tail)
    not_zero = n - differences.zeros
    counted = np.zeros(differences.pairs, dtype=np.bool_) if all_subsets else not_zero <= exact_up_to
    for pair in np.flatnonzero(counted).tolist():
        found.count_all(pair, one_sided=alternative != "two-sided")
    return Outcomes(
        differences=differences,
        test="randomisation test",
        symbol="mean difference",
        statistic=differences.mean,
        p=found.p(alternative, turned),
        alternative=alternative,
        level=level,
        interval=Intervals.towards(
            alternative,
            np.where(turned, -found.upper, found.lower),
            np.where(turned, -found.lower, found.upper),
            level,
            f"randomisation, {'all' if all_subsets else f'{resamples:,} random'} subsets of topics",
        ),
        effects=standardised_effects(differences),
        details={},
        assumed=EXCHANGEABLE,
        question=TWO_SYSTEMS[alternative],
        undefined=differences.why_undefined(),
        notes=[
            (f"p is exact, over all 2^{signs} choices of signs",)
            if exact
            else (
                f"p is an estimate from {resamples:,} random choices of signs, seed {seed}; it cannot be below "
                f"1/{resamples + 1:,}",
            )
            for signs, exact in zip(not_zero, counted | all_subsets, strict=True)
        ],
    )


class _Found:
    """How many choices of signs make the sum as high, as low and as far from zero as it is; bounds of the mean.

    No sum of differences is negative here.
    """

    def __init__(self, upright: Differences, subsets: Subsets, *, one_more: int) -> None:
        self.upright = upright
        self.subsets = subsets
        self.sizes = subsets.sizes()
        self.unchanged = subsets.empty + one_more
        self.choices: Floats = np.full(upright.pairs, float(len(subsets) + self.unchanged))
        self.as_high, self.as_low, self.as_far = np.zeros((3, upright.pairs))
        self.lower, self.upper = np.zeros((2, upright.pairs))
        self.total: Floats = upright.values.sum(axis=0)

    def look_at(self, part: slice, tail: float) -> None:
        """With the subsets at hand. Signs changed on a subset make the sum T - 2S, S being the sum over the subset."""
        sums = self.subsets.sums(self.upright.values[:, part])
        T, tolerance = self.total[part, np.newaxis], self.upright.tolerance[part, np.newaxis]
        as_high = sums <= tolerance
        self.as_high[part] = self.unchanged + np.count_nonzero(as_high, axis=1)
        self.as_low[part] = self.unchanged + np.count_nonzero(sums >= -tolerance, axis=1)
        self.as_far[part] = self.unchanged + np.count_nonzero(as_high | (sums >= T - tolerance), axis=1)
        # A true mean difference m is rejected if too few subsets have a mean of m or less (or of m or more).
        sums /= self.sizes
        rank = int(round(self.choices[0] * tail, 9)) - self.unchanged
        if 0 <= rank < len(self.sizes):
            sums.partition((rank, len(self.sizes) - 1 - rank), axis=1)
            self.lower[part], self.upper[part] = sums[:, rank], sums[:, -1 - rank]
        else:
            self.lower[part], self.upper[part] = -np.inf, np.inf

    def count_all(self, pair: int, *, one_sided: bool) -> None:
        """Over all subsets, without going through them."""
        numbers = self.upright.values[:, pair]
        numbers, tolerance = numbers[numbers != 0], float(self.upright.tolerance[pair])
        self.choices[pair] = 2.0 ** len(numbers)
        self.as_high[pair] = count_subsets_up_to(numbers, tolerance)
        # What a subset with a sum of 0 or less leaves has a sum of T or more.
        self.as_far[pair] = min(2 * self.as_high[pair], self.choices[pair])
        if one_sided:
            self.as_low[pair] = count_subsets_up_to(-numbers, tolerance)

    def p(self, alternative: Alternative, turned: Bools) -> Floats:
        as_extreme: Floats = self.as_far
        if alternative != "two-sided":
            as_extreme = np.where(turned == (alternative == "less"), self.as_high, self.as_low)
        p: Floats = as_extreme / self.choices
        return p
