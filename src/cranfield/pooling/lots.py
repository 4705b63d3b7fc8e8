"""Chance that follows from a seed and from names alone, not from the order of files, topics or documents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.data.strings import Codes, Strings, Words
from cranfield.stats.numbered_random import numbered_words

DRAWING, JUDGING, TIES, ASKING = range(4)
"""What lots are for: those of one purpose say nothing about those of another."""


def lots(topic_ids: Sequence[bytes], topic: Codes, hashes: Words, seed: int, purpose: int) -> Words:
    """A random number for each document of a topic; to sort by it is to shuffle.

    Whoever is given the same seed finds the same number for the same document of the same topic, whatever else there
    is, so that more can be drawn later as if all had been drawn at once (permanent random numbers, Ohlsson 1995).

    >>> documents = Strings.from_list([b"d1", b"d2", b"d1"])
    >>> one, _, other = lots([b"q1", b"q2"], np.array([0, 0, 1]), documents.hash64(), seed=1, purpose=DRAWING)
    >>> bool(one == other)
    False
    >>> bool(one == lots([b"q1"], np.array([0]), Strings.from_list([b"d1"]).hash64(), seed=1, purpose=DRAWING)[0])
    True
    """
    number = np.full(len(topic_ids), (seed * 4 + purpose) % 2**64, dtype=np.uint64)
    streams = numbered_words(Strings.from_list(list(topic_ids)).hash64(), number)
    return numbered_words(streams[topic], hashes)
