"""Random numbers that are the same on every machine: the raw 64-bit words of PCG64, whose stream never changes."""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Bytes, Floats, Words


class RandomStream:
    """The words of PCG64 for a seed, one after the other, as bits, as numbers between 0 and 1 and as draws.

    >>> RandomStream(0).uniform((2,)).round(6)  # (the first 53 bits + 1/2) / 2^53
    array([0.636962, 0.269787])
    """

    def __init__(self, seed: int) -> None:
        self._source = np.random.PCG64(seed)

    def words(self, count: int) -> Words:
        words: Words = self._source.random_raw(count)
        return words

    def bits(self, rows: int, columns: int) -> Bytes:
        """Rows of random bits, eight to a byte, the lowest first; at least `columns` bits to a row."""
        words = self.words(rows * -(-columns // 64))
        return words.astype("<u8", copy=False).view(np.uint8).reshape(rows, -1)

    def uniform(self, shape: tuple[int, ...]) -> Floats:
        """Numbers above 0 and below 1."""
        words = self.words(int(np.prod(shape)))
        return (((words >> np.uint64(11)).astype(np.float64) + 0.5) / 2**53).reshape(shape)

    def draws(self, rows: int, items: int) -> Floats:
        """Rows of `items` draws with replacement: how often each item was drawn.

        Half a word makes a draw, floor(half / 2^32 · items), so that the chances of two items differ by less than
        2^-32.

        >>> RandomStream(0).draws(2, 5)
        array([[0., 2., 1., 1., 1.],
               [3., 0., 0., 1., 1.]])
        """
        words = self.words(rows * -(-items // 2)).astype("<u8", copy=False)
        halves = words.view("<u4").reshape(rows, -1)[:, :items].astype(np.uint64)
        item = ((halves * np.uint64(items)) >> np.uint64(32)).astype(np.int64)
        item += np.arange(0, rows * items, items)[:, np.newaxis]
        return np.bincount(item.ravel(), minlength=rows * items).reshape(rows, items).astype(np.float64)
