"""Random numbers by number. Oracle: the words of SplitMix64 for the seed 1234567 as Rosetta Code lists them."""

from __future__ import annotations

import numpy as np

from cranfield.stats.numbered_random import numbered_draws, numbered_words

PUBLISHED = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


def test_words_are_those_of_splitmix64() -> None:
    seed = np.full(5, 1234567, dtype=np.uint64)
    assert numbered_words(seed, np.arange(5, dtype=np.uint64)).tolist() == PUBLISHED
    order = np.array([3, 0], dtype=np.uint64)  # in any order
    assert numbered_words(seed[:2], order).tolist() == [PUBLISHED[3], PUBLISHED[0]]


def test_draws_are_even() -> None:
    words = numbered_words(np.full(70_000, 9, dtype=np.uint64), np.arange(70_000, dtype=np.uint64))
    count = np.bincount(numbered_draws(words, np.full(70_000, 7)), minlength=7)
    # Each is binomial with mean 10,000 and standard deviation 92.6; five of these.
    assert len(count) == 7
    assert (np.abs(count - 10_000) < 463).all()
