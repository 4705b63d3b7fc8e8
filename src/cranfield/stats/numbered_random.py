"""Random numbers that are found by their number: word i of stream s, whatever else is drawn and in which order.

They are the words of SplitMix64 (Steele, Lea and Flood 2014), whose i-th word follows from the seed and i alone.
"""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Ints, Words

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


def numbered_words(stream: Words, number: Words) -> Words:
    """The word of each number, counted from 0, in each stream.

    >>> numbered_words(np.array([1234567], dtype=np.uint64), np.arange(2, dtype=np.uint64)).tolist()
    [6457827717110365317, 3203168211198807973]
    """
    word: Words = stream + (number + np.uint64(1)) * _STEP
    word = (word ^ (word >> np.uint64(30))) * _MIX_1
    word = (word ^ (word >> np.uint64(27))) * _MIX_2
    word ^= word >> np.uint64(31)
    return word


def numbered_draws(word: Words, among: Ints) -> Ints:
    """From each word a draw from 0 to one less than `among`, floor(first half / 2^32 · among).

    The chances of two outcomes differ by less than 2^-32.

    >>> numbered_draws(np.array([2**63], dtype=np.uint64), np.array([10])).tolist()
    [5]
    """
    drawn = ((word >> np.uint64(32)) * among.astype(np.uint64)) >> np.uint64(32)
    return drawn.astype(np.int64)
