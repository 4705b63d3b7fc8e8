"""Tukey's honestly significant difference: which of many systems differ, all pairs judged at once.

Both tests look at the largest of all differences between means: if even that is this large only once in twenty times
where all systems are equal, then the chance that any pair is called different falsely is one in twenty. So their
p-values need no correction for the number of comparisons. Topics are the same for all systems, and both tests know it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.stats.arguments import whole, within
from cranfield.stats.chunks import chunks
from cranfield.stats.many_systems.anova import NO_RESIDUAL, effects_and_residuals
from cranfield.stats.many_systems.letters import Groups, groups
from cranfield.stats.many_systems.score_matrix import FEW_SYSTEMS, ManyScores, named_scores
from cranfield.stats.many_systems.studentised_range import studentised_range_isf, studentised_range_sf
from cranfield.stats.random_stream import RandomStream
from cranfield.stats.significance.differences import FEW_TOPICS, ROUNDING
from cranfield.stats.significance.outcome import alpha_of, as_json

ALL_SAME = "on every topic all systems have the same score"


@dataclass(frozen=True, eq=False)
class Tukey:
    """All pairs of systems. A difference is the first system's mean minus the second's."""

    test: str
    names: tuple[str, ...]
    means: Floats
    first: Ints
    """The first system of each pair, by its number in `names`."""
    second: Ints
    difference: Floats
    p: Floats
    """For each pair, already for the whole family of pairs; nan where the test is not defined."""
    critical: float
    """How far apart two means have to be: a larger difference is significant. The intervals reach this far."""
    topics: int
    level: float
    assumed: str
    notes: tuple[str, ...]
    undefined: str | None
    """Why there are no p-values, if there are none."""

    @property
    def comparisons(self) -> int:
        """The size of the family: all pairs."""
        return len(self.first)

    @property
    def lower(self) -> Floats:
        """The lower ends of the simultaneous intervals: all of them hold the true differences with chance `level`."""
        return self.difference - self.critical

    @property
    def upper(self) -> Floats:
        return self.difference + self.critical

    @property
    def significant(self) -> Bools:
        """For each pair, whether p is below alpha = 1 - level."""
        return np.asarray(self.p < alpha_of(self.level))

    @cached_property
    def groups(self) -> Groups:
        """Systems not separable from each other, as letters (see `groups`)."""
        different = np.zeros((len(self.names), len(self.names)), dtype=np.bool_)
        different[self.first, self.second] = different[self.second, self.first] = self.significant
        return groups(self.means, different)

    @property
    def sentence(self) -> str:
        """The finding in plain words."""
        if self.undefined:
            return f"Not tested ({self.test}): {self.undefined}."
        found = int(np.count_nonzero(self.significant))
        return (
            f"{found} of {self.comparisons} pairs of {len(self.names)} systems differ significantly on {self.topics} "
            f"topics: those whose means are more than {self.critical:.4f} apart ({self.test}, family-wise alpha "
            f"{alpha_of(self.level):g})."
        )

    def pairs(self) -> Iterator[dict[str, Any]]:
        """For each pair the names of the two systems, difference, lower, upper, p and whether it is significant."""
        for pair in range(self.comparisons):
            yield {
                "first": self.names[self.first[pair]],
                "second": self.names[self.second[pair]],
                "difference": float(self.difference[pair]),
                "lower": float(self.lower[pair]),
                "upper": float(self.upper[pair]),
                "p": float(self.p[pair]),
                "significant": bool(self.significant[pair]),
            }

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it; what is not defined is None."""
        systems = zip(self.names, self.means.tolist(), self.groups.letters, strict=True)
        whole: dict[str, Any] = as_json(
            {
                "test": self.test,
                "comparisons": self.comparisons,
                "topics": self.topics,
                "level": self.level,
                "critical": self.critical,
                "systems": [{"name": name, "mean": mean, "letters": letters} for name, mean, letters in systems],
                "pairs": tuple(self.pairs()),
                "assumed": self.assumed,
                "notes": self.notes,
                "undefined": self.undefined,
                "sentence": self.sentence,
            }
        )
        return whole


def tukey_hsd(scores: ManyScores, *, level: float = 0.95) -> Tukey:
    r"""Tukey's test for all pairs of systems, with topics taken out as in two-way analysis of variance.

    .. math:: q = \frac{|\bar{x}_i - \bar{x}_j|}{\sqrt{MS_{\mathrm{residual}} / n}}

    q has the distribution of the studentised range of k systems with (n - 1)(k - 1) degrees of freedom. `scores` are
    topics x systems (n topics, k systems), or the scores of each system by name. p holds for the whole family of
    k (k - 1) / 2 pairs. With two systems it is the paired t-test. Not defined for fewer than two topics or systems, nor
    where the residual variance is zero.

    Some tools (ranx, `scipy.stats.tukey_hsd`) take the scores of different systems for independent samples. On the same
    topics that hides differences, since the topics vary more than the systems do.

    J. W. Tukey. Comparing individual means in the analysis of variance. Biometrics 5, 1949.

    >>> found = tukey_hsd({"a": [1, 2, 3, 2], "b": [2, 2, 4, 3], "c": [3, 3, 4, 4]})
    >>> found.p.round(4)  # means 2, 2.75, 3.5; MS 5/36, 6 degrees of freedom: q = .75 / √(5/36 / 4) = 4.02, and 8.05
    array([0.0659, 0.0031, 0.0659])
    >>> found.groups.letters  # b can be told neither from a nor from c
    ('b', 'ab', 'a')
    >>> print(found.sentence)
    1 of 3 pairs of 3 systems differ significantly on 4 topics: those whose means are more than 0.8086 apart (Tukey HSD,
    family-wise alpha 0.05).
    """
    within("level", level, 0, 1)
    names, matrix = named_scores(scores)
    n, k = matrix.shape
    first, second, difference = _differences(matrix)
    p, critical = np.full(len(first), np.nan), np.nan
    undefined = _why_undefined(matrix)
    if not undefined:
        residual = effects_and_residuals(matrix)[2]
        df = (n - 1) * (k - 1)
        error = np.sqrt((residual**2).sum() / df / n)
        if error:
            p = studentised_range_sf(np.abs(difference) / error, k, df)
            critical = float(studentised_range_isf(alpha_of(level), k, df) * error)
        else:
            undefined = NO_RESIDUAL
    assumed = "the effects of topics and systems add up, and residuals are independent, normal and of equal variance"
    means = _means(matrix)
    return Tukey("Tukey HSD", names, means, first, second, difference, p, critical, n, level, assumed, (), undefined)


def randomised_tukey_hsd(
    scores: ManyScores, *, level: float = 0.95, permutations: int = 10_000, seed: int = 0
) -> Tukey:
    r"""Tukey's idea without a normal distribution: how far apart do means lie if systems are mixed up on every topic?

    .. math:: p_{ij} = \frac{1 + \sum_{b=1}^{B} \left[ \max_s \bar{x}^{(b)}_s - \min_s \bar{x}^{(b)}_s \ge
        |\bar{x}_i - \bar{x}_j| \right]}{B + 1}

    If all systems are equal, the scores of a topic could as well stand in any other order. B times the scores of each
    topic are put in a random order, and the largest difference between means is noted: p is how often it is at least as
    large as the difference of the pair. So p holds for the whole family of k (k - 1) / 2 pairs. The same seed gives the
    same p, in whatever order topics and systems come.

    Where some systems are much worse than the others, mixing them up makes the null distribution wider, and fewer
    differences among the others are found; leave out systems that are not in the race. Not defined for fewer than two
    topics or systems, nor where on every topic all systems have the same score.

    B. Carterette. Multiple testing in statistical analysis of systems-based information retrieval experiments. ACM
    Transactions on Information Systems 30, 2012.

    >>> found = randomised_tukey_hsd({"a": [1, 2, 3, 2], "b": [2, 2, 4, 3], "c": [3, 3, 4, 4]})
    >>> found.p.round(2)  # all 6⁴ orders of the four topics would give .5185, .0185 and .5185
    array([0.53, 0.02, 0.53])
    >>> found.notes
    ('10000 permutations, seed 0',)
    """
    within("level", level, 0, 1)
    whole("permutations", permutations, 1)
    whole("seed", seed, 0)
    names, matrix = named_scores(scores)
    first, second, difference = _differences(matrix)
    p, critical = np.full(len(first), np.nan), np.nan
    undefined = _why_undefined(matrix)
    noise = ROUNDING * np.abs(matrix).max(initial=0)
    if not undefined and np.ptp(matrix, axis=1).max() <= noise:
        undefined = ALL_SAME
    notes = [f"{permutations} permutations, seed {seed}"]
    if not undefined:
        largest = _largest_differences(matrix, permutations, seed)
        at_least = permutations - np.searchsorted(largest, np.abs(difference) - noise)
        p = (at_least + 1) / (permutations + 1)
        # A difference is significant if so many permutations, or fewer, reach it.
        allowed = int(np.ceil(alpha_of(level) * (permutations + 1) - 1 - 1e-9)) - 1
        critical = float(largest[permutations - 1 - allowed] + noise) if allowed >= 0 else np.inf
        if allowed < 0:
            notes.append("with so few permutations no difference can be significant")
    assumed = "if all systems are equal, the scores of a topic could stand in any order"
    means = _means(matrix)
    test, n = "randomised Tukey HSD", len(matrix)
    return Tukey(test, names, means, first, second, difference, p, critical, n, level, assumed, tuple(notes), undefined)


def _largest_differences(matrix: Floats, permutations: int, seed: int) -> Floats:
    """The largest difference between means for each permutation, in ascending order.

    Topics and the scores of each are sorted first, so that random numbers do not depend on the order they came in.
    """
    n, k = matrix.shape
    scores = np.sort(matrix, axis=1)
    scores = scores[np.lexsort(scores.T)]
    # Random words, their last bits replaced by the numbers 0 to k-1, are sorted: then these are in random order.
    number = np.arange(k, dtype=np.uint64)
    last_bits = np.uint64((1 << (k - 1).bit_length()) - 1)
    begins = np.arange(0, n * k, k)[:, np.newaxis]
    stream = RandomStream(seed)
    largest = np.empty(permutations)
    for part in chunks(permutations, n * k):
        words = stream.words((part.stop - part.start) * n * k).reshape(-1, n, k)
        words &= ~last_bits
        words |= number
        words.sort(axis=2)
        words &= last_bits
        place = words.view(np.int64)
        place += begins
        sums = scores.take(place).sum(axis=1)
        largest[part] = np.ptp(sums, axis=1)
    return np.sort(largest / n)


def _differences(matrix: Floats) -> tuple[Ints, Ints, Floats]:
    first, second = np.triu_indices(matrix.shape[1], 1)
    means = _means(matrix)
    return first, second, means[first] - means[second]


def _means(matrix: Floats) -> Floats:
    """Of each system; the same whatever the order of the topics."""
    if not len(matrix):
        return np.full(matrix.shape[1], np.nan)
    means: Floats = np.sort(matrix, axis=0).sum(axis=0) / len(matrix)
    return means


def _why_undefined(matrix: Floats) -> str | None:
    n, k = matrix.shape
    if k < 2:
        return FEW_SYSTEMS
    return FEW_TOPICS if n < 2 else None
