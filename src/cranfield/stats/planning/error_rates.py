"""Type I and Type II errors of a test on scores like those of a pilot, by simulation."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from cranfield.data.strings import Bools, Floats
from cranfield.stats.arguments import Alternative, whole, within
from cranfield.stats.chunks import chunks
from cranfield.stats.many_systems.score_matrix import FEW_SYSTEMS, ManyScores, named_scores
from cranfield.stats.random_stream import RandomStream
from cranfield.stats.significance.differences import FEW_TOPICS, ROUNDING, Differences
from cranfield.stats.significance.outcome import as_json
from cranfield.stats.significance.paired_tests import paired_test_named, run_paired_tests
from cranfield.stats.wording import number

ALL_CONSTANT = "no pair of systems has differences that vary"


@dataclass(frozen=True)
class ErrorRates:
    """How often a test errs, in simulated experiments."""

    test: str
    type_1: float
    """The share of experiments without a true difference in which the test finds one; nan where not defined."""
    type_2: float
    """The share of experiments with the true difference in which the test does not find it; nan where not defined."""
    difference: float
    topics: int
    """In each experiment."""
    alpha: float
    alternative: Alternative
    trials: int
    pairs: int
    """Pairs of systems the experiments were drawn from."""
    seed: int
    undefined: str | None = None
    """Why there is nothing to say, if there is nothing."""

    @property
    def power(self) -> float:
        return 1 - self.type_2

    def standard_error(self, rate: float) -> float:
        """How far such a rate may be off, since the number of experiments is limited."""
        return math.sqrt(rate * (1 - rate) / self.trials)

    @property
    def _named(self) -> str:
        return "paired t-test" if self.test == "t" else f"{self.test} test"

    @property
    def sentence(self) -> str:
        """The finding in plain words."""
        if self.undefined:
            return f"No simulation ({self._named}): {self.undefined}."
        return (
            f"In {self.trials:,} simulated experiments with {self.topics} topics each, the {self._named} at alpha "
            f"{self.alpha:g} found a difference that was not there in {self.type_1:.3f} of them (Type I error), and "
            f"missed one of {number(self.difference)} in {self.type_2:.3f} (Type II error); seed {self.seed}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it; what is not defined is None."""
        plain: dict[str, Any] = as_json(asdict(self) | {"power": self.power})
        return {**plain, "sentence": self.sentence}


def error_rates(
    scores: ManyScores,
    difference: float,
    *,
    topics: int | None = None,
    test: str = "t",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    trials: int = 2_000,
    resamples: int = 1_000,
    seed: int = 0,
) -> ErrorRates:
    """How often a test would err in experiments with topics and systems like these.

    `scores` are topics x systems of a pilot, or the scores of each system by name. Each of the `trials` takes one pair
    of systems at random and draws so many `topics` (as many as the pilot has, unless told) with replacement from their
    differences. Shifted to have no true difference, they show the Type I error; shifted to have the true `difference`,
    the Type II error, which is 1 - power. Nothing is assumed about how differences are distributed, but that those of
    the pilot are typical. The same seed gives the same rates, in whatever order topics and systems come.

    `test` is t, wilcoxon, sign, randomisation or bootstrap; `resamples` are those of the last two. Differences that
    have been shifted to a mean of zero need not have a median of zero: where they are skewed, the Type I error of
    Wilcoxon's test and of the sign test is high, since what they look at is indeed not zero. Not defined for fewer than
    two topics or systems, nor where no pair has differences that vary.

    J. Urbano, H. Lima, A. Hanjalic. Statistical significance testing in information retrieval: an empirical analysis of
    type I, type II and type III errors. SIGIR 2019.

    >>> pilot = [[0.2, 0.3], [0.5, 0.4], [0.6, 0.8], [0.3, 0.3], [0.7, 0.8], [0.4, 0.6], [0.1, 0.3], [0.9, 0.8]]
    >>> rates = error_rates(pilot, 0.1, topics=30)  # power_of_test(0.1, 0.1282, 30) is .985
    >>> rates.type_1, rates.power
    (0.0495, 0.9845)
    """
    within("alpha", alpha, 0, 1)
    whole("trials", trials, 1)
    whole("seed", seed, 0)
    name = paired_test_named(test)
    _, matrix = named_scores(scores)
    topics = len(matrix) if topics is None else topics
    whole("topics", topics, 0)
    centred = _centred_differences(matrix) if matrix.size and matrix.shape[1] > 1 else np.empty((0, 0))
    undefined = FEW_SYSTEMS if matrix.shape[1] < 2 else None
    if not undefined and min(len(matrix), topics) < 2:
        undefined = FEW_TOPICS
    elif not undefined and not len(centred):
        undefined = ALL_CONSTANT
    rates = [math.nan, math.nan]
    if not undefined:
        found = np.zeros(2)
        stream = RandomStream(seed)
        for part in chunks(trials, topics):
            sample = _sample(centred, part.stop - part.start, topics, stream)
            for row, shift in enumerate((0.0, difference)):
                tested = Differences(sample + shift, np.full(sample.shape[1], ROUNDING * np.abs(matrix).max()))
                found[row] += np.count_nonzero(_significant(tested, name, alternative, alpha, resamples, seed))
        rates = [float(found[0]) / trials, (trials - float(found[1])) / trials]
    return ErrorRates(
        name, rates[0], rates[1], difference, topics, alpha, alternative, trials, len(centred), seed, undefined
    )


def _significant(
    differences: Differences, test: str, alternative: Alternative, alpha: float, resamples: int, seed: int
) -> Bools:
    outcomes = run_paired_tests(
        differences, [test], alternative=alternative, level=1 - alpha, resamples=resamples, seed=seed
    )
    return np.asarray(outcomes[test].p < alpha)


def _centred_differences(matrix: Floats) -> Floats:
    """The differences of each pair that vary, less their mean: pairs x topics, in an order that is always the same.

    They are stretched a little, so that the variance of what is drawn from them is that with n - 1.
    """
    differences, _, _ = Differences.all_pairs(matrix)
    values = differences.one_way_round()[0].values[:, ~differences.all_equal]
    centred: Floats = (values - values.mean(axis=0)).T * math.sqrt(len(matrix) / max(len(matrix) - 1, 1))
    return centred[np.lexsort(centred.T)]


def _sample(centred: Floats, trials: int, topics: int, stream: RandomStream) -> Floats:
    """Topics x trials: in each trial a pair is drawn, then topics of it; each sample in ascending order."""
    chances = stream.uniform((trials, 1 + topics))
    pairs, pilot_topics = centred.shape
    pair = (chances[:, :1] * pairs).astype(np.int64)
    topic = (chances[:, 1:] * pilot_topics).astype(np.int64)
    return np.sort(centred[pair, topic].T, axis=0)
