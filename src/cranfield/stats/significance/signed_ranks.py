"""Signed ranks of differences, and how their sum is distributed when the signs are tosses of a coin."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np

from cranfield.data.strings import Bools, Floats
from cranfield.stats.significance.differences import Differences

Zeros = Literal["wilcox", "pratt", "zsplit"]
"""What becomes of differences that are zero, by the names SciPy gives them."""


@dataclass(frozen=True, eq=False)
class SignedRanks:
    """The ranks of the absolute differences, smallest first, ties sharing the mean of their ranks; topics x pairs.

    >>> ranks = SignedRanks.of(Differences.between([0, 3, -5, 3, 8], 0), "wilcox")  # sizes 3 3 5 8: ranks 1.5 1.5 3 4
    >>> ranks.signed.T.tolist(), ranks.sigma.round(4).tolist()  # √(1.5² + 1.5² + 3² + 4²) = √29.5
    ([[0.0, 1.5, 1.5, -3.0, 4.0]], [5.4314])
    """

    signed: Floats
    """With the sign of the difference; zero for differences that are zero."""
    sigma: Floats
    """The standard deviation of the sum when each sign is the toss of a coin."""
    ties: Bools
    """Whether differences that are not zero are tied."""

    @classmethod
    def of(cls, differences: Differences, zeros: Zeros) -> SignedRanks:
        order = np.argsort(np.abs(differences.values), axis=0)
        ordered = np.take_along_axis(differences.values, order, axis=0)
        size = np.abs(ordered)
        place = np.arange(1.0, 1 + len(size))[:, np.newaxis]
        begins = np.diff(size, axis=0, prepend=-1) > 0
        ends = np.diff(size, axis=0, append=np.inf) > 0
        first = np.maximum.accumulate(np.where(begins, place, 0), axis=0)
        last = np.minimum.accumulate(np.where(ends, place, np.inf)[::-1], axis=0)[::-1]
        ranks = (first + last) / 2
        if zeros == "wilcox":
            ranks -= differences.zeros
        counted = (size > 0) | (zeros == "zsplit")
        return cls(
            signed=np.sign(ordered) * ranks,
            sigma=np.sqrt(np.sum(np.where(counted, ranks, 0) ** 2, axis=0)),
            ties=np.any((first < last) & (size > 0), axis=0),
        )

    @cached_property
    def sum(self) -> Floats:
        """W, the sum of the signed ranks."""
        W: Floats = self.signed.sum(axis=0)
        return W

    @cached_property
    def total(self) -> Floats:
        """The sum of the ranks without their signs: W is at most that."""
        total: Floats = np.abs(self.signed).sum(axis=0)
        return total

    def exact_tail(self, pair: int, at_least: float) -> float:
        """The probability that W is `at_least` this, all signs being equally likely."""
        twice = np.rint(2 * np.abs(self.signed[:, pair])).astype(np.int64)
        cumulative = _cumulative(tuple(twice[twice > 0].tolist()))
        # W = 2 R - total, where R is the sum of the positive ranks; R and total - R have the same distribution.
        highest = round(self.total[pair] - at_least)
        return float(cumulative[min(highest, len(cumulative) - 1)]) if highest >= 0 else 0.0


@lru_cache(maxsize=64)
def _cumulative(twice_the_ranks: tuple[int, ...]) -> Floats:
    """For s = 0, 1, 2, ... the probability that the negative ranks, twice, sum to s or less.

    Twice the ranks are whole numbers even with ties. The ranks join one by one, each with probability 1/2.
    """
    share = np.zeros(sum(twice_the_ranks) + 1)
    share[0] = 1.0
    reached = 1
    for rank in twice_the_ranks:
        without = share[:reached].copy()
        share[:reached] = without / 2
        share[rank : rank + reached] += without / 2
        reached += rank
    return np.cumsum(share)
