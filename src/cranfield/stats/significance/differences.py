"""Differences between two systems, topic by topic: what every test for two systems looks at.

A difference is new minus baseline, so that an improvement is positive.

Erratum: the notes subtract the other way round, baseline minus test, and an improvement then gives a negative t.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.errors import DataError

ROUNDING = 1e-12
"""Numbers closer than this share of the highest score of a pair are the same number."""

FEW_TOPICS = "there are fewer than two topics"
ALL_ZERO = "all differences are zero"
ALL_EQUAL = "all differences are equal, so that they have no variance"


@dataclass(frozen=True, eq=False)
class Differences:
    """The differences of one or more pairs of systems on the same topics, one column for each pair.

    Each column is in ascending order, whatever the order of the topics was, so that no result depends on it. What the
    computer's arithmetic alone has made different is made equal again: .6 - .5 and .3 - .2 are the same difference, and
    .1 + .2 - .3 is zero, as they are with pencil and paper. Ranks, signs and ties depend on it.
    """

    values: Floats
    """Topics x pairs."""
    tolerance: Floats
    """For each pair, how far apart two numbers are still the same."""

    @classmethod
    def of_pair(cls, new: npt.ArrayLike, baseline: npt.ArrayLike) -> Differences:
        """Of one pair: a score for each topic, and the baseline's score for each, or one target.

        >>> Differences.of_pair([[1, 2], [3, 4]], [0, 0])
        Traceback (most recent call last):
            ...
        cranfield.errors.DataError: new: expected a list of numbers, one for each topic, found 2 dimensions
        """
        return cls.between(_numbers("new", new, dimensions=1), _numbers("baseline", baseline, dimensions=1))

    @classmethod
    def between(cls, new: npt.ArrayLike, baseline: npt.ArrayLike) -> Differences:
        """Of new scores, topics x runs, to a baseline: one for all runs or one for each, or one target.

        >>> Differences.between([3, 5, 1], [6, 4, 1]).values.T  # 3 - 6, 1 - 1, 5 - 4
        array([[-3.,  0.,  1.]])
        """
        first, second = score_table("new", new), score_table("baseline", baseline)
        if np.ndim(baseline) and len(first) != len(second):
            raise DataError(
                f"new has {len(first)} topics and baseline has {len(second)}: expected a score of each for every topic"
            )
        if second.shape[1] not in (1, first.shape[1]):
            raise DataError(
                f"new has {first.shape[1]} columns and baseline has {second.shape[1]}: expected one baseline, "
                "or one for each column"
            )
        highest = np.maximum(_highest(first), _highest(second))
        return cls._from(first - second, ROUNDING * highest)

    @classmethod
    def all_pairs(cls, scores: npt.ArrayLike) -> tuple[Differences, Ints, Ints]:
        """Of all pairs of systems, given topics x systems; and which system is the first and the second of each pair.

        A difference is the first system's score minus the second's.

        >>> differences, first, second = Differences.all_pairs([[1, 2, 4], [1, 1, 1]])
        >>> differences.values.tolist(), first.tolist(), second.tolist()
        ([[-1.0, -3.0, -2.0], [0.0, 0.0, 0.0]], [0, 0, 1], [1, 2, 2])
        """
        matrix = score_table("scores", scores)
        if matrix.shape[1] < 2:
            raise DataError(f"scores: expected topics x systems with two systems or more, found {matrix.shape[1]}")
        first, second = np.triu_indices(matrix.shape[1], 1)
        highest = _highest(matrix)
        tolerance = ROUNDING * np.maximum(highest[first], highest[second])
        return cls._from(matrix[:, first] - matrix[:, second], tolerance), first, second

    @classmethod
    def _from(cls, difference: Floats, tolerance: Floats) -> Differences:
        order = np.argsort(np.abs(difference), axis=0)
        ordered = np.take_along_axis(difference, order, axis=0)
        size = np.abs(ordered)
        grows = np.diff(size, axis=0, prepend=0) > tolerance
        first = np.maximum.accumulate(np.where(grows, np.arange(len(size))[:, np.newaxis], -1), axis=0)
        same = np.where(first < 0, 0, np.take_along_axis(size, np.maximum(first, 0), axis=0))
        return cls(np.sort(np.copysign(same, ordered) + 0.0, axis=0), tolerance)

    @property
    def topics(self) -> int:
        return len(self.values)

    @property
    def pairs(self) -> int:
        return int(self.values.shape[1])

    @cached_property
    def mean(self) -> Floats:
        if not self.topics:
            return np.full(self.pairs, np.nan)
        mean: Floats = self.values.mean(axis=0)
        return np.where(np.abs(mean) <= self.tolerance, 0.0, mean)

    @cached_property
    def deviation(self) -> Floats:
        """The standard deviation, with n - 1; nan for fewer than two topics."""
        if self.topics < 2:
            return np.full(self.pairs, np.nan)
        deviation: Floats = np.where(self.all_equal, 0.0, self.values.std(axis=0, ddof=1))
        return deviation

    @cached_property
    def all_equal(self) -> Bools:
        """Whether the differences have no variance."""
        all_equal: Bools = np.all(self.values == self.values[:1], axis=0)
        return all_equal

    @cached_property
    def all_zero(self) -> Bools:
        all_zero: Bools = np.all(self.values == 0, axis=0)
        return all_zero

    @cached_property
    def wins(self) -> Ints:
        wins: Ints = np.count_nonzero(self.values > 0, axis=0)
        return wins

    @cached_property
    def losses(self) -> Ints:
        losses: Ints = np.count_nonzero(self.values < 0, axis=0)
        return losses

    @cached_property
    def zeros(self) -> Ints:
        return self.topics - self.wins - self.losses

    def why_undefined(self, *, equal: bool = False) -> list[str | None]:
        """For each pair why nothing can be said: all differences are zero, or, if that is enough, all are `equal`."""
        if self.topics < 2:
            return [FEW_TOPICS] * self.pairs
        reasons: list[str | None] = [None] * self.pairs
        for pair in np.flatnonzero(self.all_equal if equal else self.all_zero):
            reasons[pair] = ALL_ZERO if self.all_zero[pair] else ALL_EQUAL
        return reasons

    def one_way_round(self) -> tuple[Differences, Bools]:
        """Columns turned so that their means are not negative, and which were turned.

        With random numbers given to these columns, swapping the two systems changes signs and nothing else. Where the
        mean is zero, the greater of the first values that differ decides.

        >>> upright, turned = Differences.between([[1, -1], [-3, 3]], 0).one_way_round()
        >>> upright.values.tolist(), turned.tolist()
        ([[-1.0, -1.0], [3.0, 3.0]], [True, False])
        """
        total, other = self.values.sum(axis=0), -self.values[::-1] + 0.0
        unlike = np.argmax(self.values != other, axis=0)[np.newaxis] if self.topics else np.empty((0, self.pairs), int)
        smaller = np.take_along_axis(self.values < other, unlike, axis=0).any(axis=0)
        turned = np.where(np.abs(total) <= self.tolerance, smaller, total < 0)
        return Differences(np.where(turned, other, self.values), self.tolerance), turned


def _highest(matrix: Floats) -> Floats:
    highest: Floats = np.abs(matrix).max(axis=0, initial=0)
    return highest


def score_table(name: str, scores: npt.ArrayLike) -> Floats:
    """Scores as topics x columns: a number is one topic, a list of numbers one column."""
    matrix = _numbers(name, scores, dimensions=2)
    matrix = matrix if matrix.ndim == 2 else matrix.reshape(-1, 1)
    strange = np.argwhere(~np.isfinite(matrix))
    if len(strange):
        topic, column = strange[0]
        where = f"topic {topic + 1}" + (f", column {column + 1}" if matrix.shape[1] > 1 else "")
        raise DataError(
            f"{name}, {where}: {matrix[topic, column]} is not a score. Give the topic a score or leave it out of all."
        )
    return matrix


def _numbers(name: str, scores: npt.ArrayLike, *, dimensions: int) -> Floats:
    expected = "a list of numbers, one for each topic" if dimensions == 1 else "a table of numbers, topics x columns"
    try:
        numbers = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{name}: expected {expected}, found {scores!r:.60}") from None
    if numbers.ndim > dimensions:
        raise DataError(f"{name}: expected {expected}, found {numbers.ndim} dimensions")
    return numbers
