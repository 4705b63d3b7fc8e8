"""Sums over subsets of differences: the topics on which two systems change places.

If the systems change places on the topics of a subset, the sum of all differences falls by twice the sum over it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.data.strings import Bytes, Floats
from cranfield.stats.chunks import chunks
from cranfield.stats.random_stream import RandomStream

_TABLES_PAY_UP_TO = 8
"""Up to so many columns, look-up tables are quicker than a product of matrices."""

_BITS_OF_A_BYTE = ((np.arange(256)[:, np.newaxis] >> np.arange(8)) & 1).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Subsets:
    """Subsets of topics, one in each row, a bit for each topic: eight to a byte, the lowest first. None is empty."""

    bits: Bytes
    topics: int
    empty: int
    """How many empty subsets there were besides."""

    @classmethod
    def every(cls, topics: int) -> Subsets:
        """All of them."""
        bits = np.arange(1, 1 << topics, dtype="<u8").view(np.uint8).reshape(-1, 8)
        return cls(bits, topics, 1)

    @classmethod
    def random(cls, topics: int, count: int, seed: int) -> Subsets:
        """So many, each topic being in half of them."""
        bits = RandomStream(seed).bits(count, topics)
        whole, rest = divmod(topics, 8)
        bits[:, whole + 1 :] = 0
        bits[:, whole : whole + 1] &= np.uint8((1 << rest) - 1)
        some = bits.any(axis=1)
        return cls(bits[some], topics, count - int(some.sum()))

    def __len__(self) -> int:
        return len(self.bits)

    def sums(self, columns: Floats) -> Floats:
        """For each column of numbers, a number to a topic, the sum over each subset: columns x subsets.

        >>> Subsets.every(3).sums(np.array([[1.0], [10.0], [100.0]]))
        array([[  1.,  10.,  11., 100., 101., 110., 111.]])
        """
        return self._by_tables(columns) if columns.shape[1] <= _TABLES_PAY_UP_TO else self._by_product(columns)

    def sizes(self) -> Floats:
        sizes: Floats = self._by_tables(np.ones((self.topics, 1)))[0]
        return sizes

    def _by_tables(self, columns: Floats) -> Floats:
        """Of each eight topics all 256 sums are made once and looked up by the byte that says which are in."""
        groups = -(-self.topics // 8)
        padded = np.zeros((8 * groups, columns.shape[1]))
        padded[: self.topics] = columns
        tables = _BITS_OF_A_BYTE @ padded.reshape(groups, 8, columns.shape[1])
        sums = np.zeros((columns.shape[1], len(self)))
        for group in range(groups):
            for column, total in enumerate(sums):
                total += tables[group, :, column].take(self.bits[:, group])
        return sums

    def _by_product(self, columns: Floats) -> Floats:
        sums = np.empty((columns.shape[1], len(self)))
        for part in chunks(len(self), self.topics):
            chosen = np.unpackbits(self.bits[part], axis=1, count=self.topics, bitorder="little")
            np.matmul(columns.T, chosen.T.astype(np.float64), out=sums[:, part])
        return sums


def count_subsets_up_to(numbers: Floats, tolerance: float) -> int:
    """How many of the 2^n subsets have a sum of at most `tolerance`, counted without going through them all.

    Each subset is one of the first half of the numbers and one of the second. The sums of both halves are sorted, and
    for each sum of the one the place of its opposite among the others says how many of them it can be paired with:
    about 2^(n/2) steps. (Horowitz, Sahni. Computing partitions with applications to the knapsack problem. 1974.)

    >>> count_subsets_up_to(np.array([-3.0, 1, 2]), 1e-9)  # of 8: {}, {-3}, {-3 1}, {-3 2}, {-3 1 2}
    5
    """
    # Every other number to each half, so that the halves are alike.
    first, second = _sorted_subset_sums(numbers[::2]), _sorted_subset_sums(numbers[1::2])
    return int(np.searchsorted(second, tolerance - first[::-1], side="right").sum())


def _sorted_subset_sums(numbers: Floats) -> Floats:
    sums = np.zeros(1)
    for number in numbers:
        sums = np.concatenate((sums, sums + number))
    sums.sort()
    return sums
