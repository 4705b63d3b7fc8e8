"""Which rows of several lists are the same document."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import WORD, Bools, Ints, Strings, Words

ROWS_AT_ONCE = 1 << 16
"""So many rows are worked on at once: more would not fit in the caches."""

_WORD_BITS = np.uint64(64)
_HALF = np.uint64(1 << 32)


def alike(topic: Ints, documents: Strings, hashes: Words) -> tuple[Ints, Bools]:
    """The rows by topic, those of the same document together, and which of them begin a document.

    They are sorted by keys that begin with the topic and go on with as much of the hash as there is room for: by
    sixteen bits at a time, which takes half as long as all bits at once, and by the first half, if that keeps
    different documents apart.
    """
    topic_bits = np.uint64(int(topic.max(initial=0)).bit_length())
    key = hashes >> topic_bits
    if topic_bits:
        key |= topic.view(np.uint64) << (_WORD_BITS - topic_bits)
    order = _by_digits(key, (2, 3))
    change = _changes(key[order])
    if ((change < _HALF) & (change > 0)).any():
        order = _by_digits(key, (0, 1, 2, 3))
        change = _changes(key[order])
    heads = np.ones(len(order), dtype=np.bool_)
    heads[1:] = change > 0
    if _are_equal(documents.take(order), hashes[order], heads):
        return order, heads
    # Different documents have the same hash, or nearly: rare enough to be slow.
    order = np.lexsort([*reversed(documents.sort_keys()), documents.length, topic])
    one, other = order[:-1], order[1:]
    heads[1:] = ~documents.take(one).equal(documents.take(other)) | (topic[one] != topic[other])
    return order, heads


def _by_digits(key: Words, digits: Sequence[int]) -> Ints:
    """The rows in the order of some digits of their keys: there are four, the least first."""
    columns = key.astype("<u8", copy=False).view("<u2").reshape(-1, 4)
    order: Ints = np.argsort(columns[:, digits[0]], kind="stable")
    for digit in digits[1:]:
        order = order[np.argsort(columns[order, digit], kind="stable")]
    return order


def _changes(ordered: Words) -> Words:
    """In which bits each differs from the one before."""
    return ordered[1:] ^ ordered[:-1]


def _are_equal(documents: Strings, hashes: Words, heads: Bools) -> bool:
    """Whether every document is the same as the one before it, but for those that begin a group.

    A hash is made of the length and the words of an identifier by steps that can be undone, so that one word, the last,
    follows from it and all the others.
    """
    if not (_repeats(hashes, heads) and _repeats(documents.length, heads)):
        return False
    for j in range(documents.words() - 1):
        longer = np.flatnonzero(documents.length > WORD * (j + 1))
        documents, heads = documents.take(longer), heads[longer]
        if not _repeats(documents.word(j), heads):
            return False
    return True


def _repeats(column: npt.NDArray[np.generic], heads: Bools) -> bool:
    return bool((heads[1:] | (column[1:] == column[:-1])).all())
