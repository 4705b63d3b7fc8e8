"""Finding millions of retrieved documents among the judged ones."""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Codes, Ints, Strings, Words, mix64

_QUERY = np.uint64(0xD6E8FEB86659FD93)


class JudgmentTable:
    """Looks (query, document) pairs up among the judged ones.

    A filter of one byte per slot turns away nearly all pairs that are not judged; the rest are searched in the
    sorted hashes, and what is found there is compared byte for byte.
    """

    def __init__(self, query: Codes, documents: Strings, hashes: Words) -> None:
        key = pair_keys(query, hashes)
        self._order = np.argsort(key, kind="stable")
        self._keys = key[self._order]
        self._query = query
        self._documents = documents
        bits = min(max(12, (16 * len(key)).bit_length()), 24)
        self._shift = np.uint64(64 - bits)
        self._filter = np.zeros(1 << bits, dtype=np.bool_)
        self._filter[(key >> self._shift).astype(np.int64)] = True

    def find(self, query: Codes, documents: Strings, hashes: Words) -> tuple[Ints, Ints]:
        """The rows that are judged, in order, and the judgment each of them has."""
        if not len(self._keys):
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        key = pair_keys(query, hashes)
        maybe = np.flatnonzero(self._filter[(key >> self._shift).astype(np.int64)])
        wanted = key[maybe]
        at = np.searchsorted(self._keys, wanted)
        rows: list[Ints] = []
        judgments: list[Ints] = []
        while len(maybe):
            inside = at < len(self._keys)
            maybe, wanted, at = maybe[inside], wanted[inside], at[inside]
            hit = self._keys[at] == wanted
            maybe, wanted, at = maybe[hit], wanted[hit], at[hit]
            judgment = self._order[at]
            same = (self._query[judgment] == query[maybe]) & self._documents.take(judgment).equal(documents.take(maybe))
            rows.append(maybe[same])
            judgments.append(judgment[same])
            maybe, wanted, at = maybe[~same], wanted[~same], at[~same] + 1
        row = np.concatenate(rows) if rows else np.zeros(0, dtype=np.int64)
        judgment = np.concatenate(judgments) if judgments else np.zeros(0, dtype=np.int64)
        if len(rows) > 1:
            order = np.argsort(row, kind="stable")
            row, judgment = row[order], judgment[order]
        return row, judgment


def pair_keys(query: Codes, hashes: Words) -> Words:
    """A 64-bit key for each (query, document) pair."""
    return mix64(hashes + query.astype(np.uint64) * _QUERY)
