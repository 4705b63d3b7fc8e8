"""Which rows of several lists are the same document."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import WORD, Ints, Strings, Words, group_heads

ROWS_AT_ONCE = 1 << 16
"""So many rows are worked on at once: more would not fit in the caches."""

_SIXTEEN_BITS = 1 << 16
_MIX = np.uint64(0x9E3779B97F4A7C15)


class Alike(NamedTuple):
    """Rows of the same topic and document, counted as one."""

    one_of_each: Ints
    """A row of each document, those of a topic together, topic after topic."""
    number: Ints
    """For each row, the place of its document in `one_of_each`."""


def alike(topic: Ints, documents: Strings, hashes: Words) -> Alike:
    """Which rows are the same document for the same topic.

    >>> documents = Strings.from_list([b"d1", b"d2", b"d2"])
    >>> alike(np.array([0, 0, 0]), documents, documents.hash64()).number.tolist()
    [0, 1, 1]
    """
    speaker = _speakers(hashes + topic.view(np.uint64) * _MIX)
    if not _speak_for(speaker, topic, documents):
        speaker = _speakers_by_sorting(topic, documents)
    one_of_each = np.flatnonzero(speaker == np.arange(len(speaker)))
    one_of_each = one_of_each[in_order(topic[one_of_each])]
    number = np.empty(len(speaker), dtype=np.int64)
    number[one_of_each] = np.arange(len(one_of_each))
    return Alike(one_of_each, number[speaker])


def in_order(numbers: Ints) -> Ints:
    """The rows by a number from 0, those with the same number as they come; few bits are sorted far more quickly."""
    few = int(numbers.max(initial=0)) < _SIXTEEN_BITS
    return np.argsort(numbers.astype(np.uint16) if few else numbers, kind="stable")


def _speakers(key: Words) -> Ints:
    """For each row, a row with the same key that speaks for all of them.

    Rows are thrown into a table by their keys. The one that stays in a slot speaks for those that have its key, and
    the others, which are few, are thrown again.
    """
    bits = max(10, (2 * len(key)).bit_length())
    slot = (key >> np.uint64(64 - bits)).view(np.int64)
    table = np.empty(1 << bits, dtype=np.int32)
    table[slot] = np.arange(len(key), dtype=np.int32)
    speaker = table[slot].astype(np.int64)
    left = np.flatnonzero(key[speaker] != key)
    while len(left):
        where = slot[left]
        table[where] = left
        speaker[left] = table[where]
        left = left[key[speaker[left]] != key[left]]
    return speaker


def _speak_for(speaker: Ints, topic: Ints, documents: Strings) -> bool:
    """Whether each speaker is indeed the document of all for whom it speaks.

    Rows with the same key and topic have the same hash. A hash is made of the length and the words of an identifier by
    steps that can be undone, so that one word, the last, follows from it and all the others.
    """

    def repeated(column: npt.NDArray[np.generic]) -> bool:
        return np.array_equal(column[speaker], column)

    if not (repeated(topic) and repeated(documents.length)):
        return False
    for j in range(documents.words() - 1):
        longer = np.flatnonzero(documents.length > WORD * (j + 1))
        word = np.zeros(len(speaker), dtype=np.uint64)
        word[longer] = documents.take(longer).word(j)
        if not repeated(word):
            return False
    return True


def _speakers_by_sorting(topic: Ints, documents: Strings) -> Ints:
    """The same where different documents have the same hash: rare enough to be slow."""
    order = np.lexsort([*reversed(documents.sort_keys()), documents.length, topic])
    begins = np.zeros(len(order), dtype=np.bool_)
    begins[group_heads(documents.take(order))] = True
    begins[1:] |= topic[order][1:] != topic[order][:-1]
    heads = np.flatnonzero(begins)
    speaker = np.empty(len(order), dtype=np.int64)
    speaker[order] = np.repeat(order[heads], np.diff(heads, append=len(order)))
    return speaker
