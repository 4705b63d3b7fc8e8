"""The lists of two runs for the same queries, and which documents both have."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from cranfield.data.judgments import JudgmentTable
from cranfield.data.run import Run, tie_places, ties_with_next
from cranfield.data.strings import Codes, Floats, Ints
from cranfield.stats.correlation.paired_lists import PairedLists
from cranfield.stats.correlation.paired_rankings import PairedRankings
from cranfield.stats.correlation.ties import RankedLists, changes

_PIECE = 1 << 16
"""How many documents are worked on at once: few enough to stay in the processor's cache."""


class MatchedLists:
    """The first `depth` documents that two runs have for each of some queries.

    `query_a` and `query_b` are the numbers of these queries in either run. `tied` says how many documents of either
    share their score with another of the same list.
    """

    def __init__(self, a: Run, b: Run, query_a: Ints, query_b: Ints, depth: int | None) -> None:
        self._a, self._b = _Lists.of(a, query_a, depth), _Lists.of(b, query_b, depth)
        self.length_a, self.length_b = np.diff(self._a.offset), np.diff(self._b.offset)
        self.tied = self._a.tied, self._b.tied
        rows_a, rows_b = self._a.rows, self._b.rows
        table = JudgmentTable(self._a.owner, a.documents.take(rows_a), a.hashes[rows_a])
        self._in_b, self._in_a = table.find(self._b.owner, b.documents.take(rows_b), b.hashes[rows_b])
        self._owner = self._b.owner[self._in_b]
        self.common: Ints = np.bincount(self._owner, minlength=len(query_a))

    def rankings(self) -> PairedRankings:
        """For measures that compare lists of different documents."""
        a, b = self._a.ranked(), self._b.ranked()
        return PairedRankings(a, b, self._owner, self._in_a, self._in_b)

    def common_documents(self) -> PairedLists:
        """The documents that both lists have, with both scores."""
        x, y = self._a.score[self._in_a], self._b.score[self._in_b]
        return PairedLists(self._owner, x, y, lists=len(self.common))

    def all_documents(self) -> PairedLists:
        """The documents that either list has; in a list that lacks them they are tied below its end."""
        only_a = np.delete(np.arange(len(self._a.rows)), self._in_a)
        only_b = np.delete(np.arange(len(self._b.rows)), self._in_b)
        owner = np.concatenate((self._owner, self._a.owner[only_a], self._b.owner[only_b]))
        x = np.concatenate((self._a.score[self._in_a], self._a.score[only_a], np.full(len(only_b), -np.inf)))
        y = np.concatenate((self._b.score[self._in_b], np.full(len(only_a), -np.inf), self._b.score[only_b]))
        return PairedLists(owner, x, y, lists=len(self.common))


class _Lists(NamedTuple):
    """The lists of one run: which rows of the run, of which of the queries, with which scores."""

    rows: Ints
    owner: Codes
    offset: Ints
    score: Floats

    @classmethod
    def of(cls, run: Run, query: Ints, depth: int | None) -> _Lists:
        length = np.diff(run.offset)[query]
        if depth is not None:
            length = np.minimum(length, depth)
        offset = np.concatenate(([0], np.cumsum(length)))
        owner = np.repeat(np.arange(len(query), dtype=np.int32), length)
        rows = np.arange(len(owner)) + (run.offset[query] - offset[:-1])[owner]
        return cls(rows, owner, offset, run.score[rows])

    @property
    def tied(self) -> int:
        """How many documents share their score with another of the same list."""
        return len(tie_places(ties_with_next(self.owner, self.score)))

    def ranked(self) -> RankedLists:
        return RankedLists.from_begins(changes(self.owner, self.score), self.offset)


def in_pieces(a: Run, b: Run, query_a: Ints, query_b: Ints) -> Iterator[slice]:
    """Stretches of the queries, each with about as many documents as are best worked on at once."""
    documents = np.cumsum(np.diff(a.offset)[query_a] + np.diff(b.offset)[query_b])
    ends = np.searchsorted(documents, np.arange(_PIECE, documents[-1], _PIECE)) + 1
    edges = np.unique(np.concatenate(([0], ends, [len(query_a)]))).tolist()
    return (slice(begin, end) for begin, end in pairwise(edges))
