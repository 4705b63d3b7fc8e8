"""Finding millions of retrieved documents among the judged ones."""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Bools, Codes, Ints, Strings, Words, mix64

_QUERY = np.uint64(0xD6E8FEB86659FD93)
_SLOTS_EACH = 4
_MOST_BITS = 24


class JudgmentTable:
    """Looks (query, document) pairs up among the judged ones.

    Each judgment has a slot, by its hash, in a table of which most is empty, so that most pairs that are not judged are
    turned away at once. Where several share a slot the first of them is there, and the others are searched in the order
    of their hashes. What is found is compared byte for byte.
    """

    def __init__(self, query: Codes, documents: Strings, hashes: Words) -> None:
        self._query = query
        self._documents = documents
        self._keys = pair_keys(query, hashes)
        bits = min(max(10, (_SLOTS_EACH * len(query)).bit_length()), _MOST_BITS)
        self._shift = np.uint64(64 - bits)
        slot = self._slots(self._keys)
        row = np.arange(len(query), dtype=np.int32)
        self._first = np.full(1 << bits, -1, dtype=np.int32)
        self._first[slot[::-1]] = row[::-1]
        others = np.flatnonzero(self._first[slot] != row)
        self._shared = np.zeros(1 << bits, dtype=np.bool_)
        self._shared[slot[others]] = True
        self._others = others[np.argsort(self._keys[others], kind="stable")]
        self._other_keys = self._keys[self._others]

    def find(self, query: Codes, documents: Strings, hashes: Words) -> tuple[Ints, Ints]:
        """The rows that are judged, in order, and the judgment each of them has; the first, if it has several."""
        if not len(self._keys):
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        key = pair_keys(query, hashes)
        slot = self._slots(key)
        first = self._first[slot]
        maybe = np.flatnonzero(first >= 0)
        judgment = first[maybe].astype(np.int64)
        alike = self._keys[judgment] == key[maybe]
        rows, judgments = maybe[alike], judgment[alike]
        same = self._same(judgments, query, documents, rows)
        found = [(rows[same], judgments[same])]
        left = np.concatenate((maybe[~alike], rows[~same]))
        left = left[self._shared[slot[left]]]
        at = np.searchsorted(self._other_keys, key[left])
        while len(left):
            inside = at < len(self._others)
            left, at = left[inside], at[inside]
            alike = self._other_keys[at] == key[left]
            left, at = left[alike], at[alike]
            judgment = self._others[at]
            same = self._same(judgment, query, documents, left)
            found.append((left[same], judgment[same]))
            left, at = left[~same], at[~same] + 1
        row, judgment = (np.concatenate(parts) for parts in zip(*found, strict=True))
        if len(row) > len(found[0][0]):
            order = np.argsort(row, kind="stable")
            row, judgment = row[order], judgment[order]
        return row, judgment

    def _slots(self, key: Words) -> Ints:
        return (key >> self._shift).astype(np.int64)

    def _same(self, judgment: Ints, query: Codes, documents: Strings, rows: Ints) -> Bools:
        """Whether judgments, one for each of these rows, are about the same query and document."""
        same: Bools = self._query[judgment] == query[rows]
        return same & self._documents.take(judgment).equal(documents.take(rows))


def pair_keys(query: Codes, hashes: Words) -> Words:
    """A 64-bit key for each (query, document) pair."""
    return mix64(hashes + query.astype(np.uint64) * _QUERY)
