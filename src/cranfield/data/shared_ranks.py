"""Rankings in which tied documents share their ranks: each of n stands at each of n ranks with an n-th of itself."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.reach import chances_to_reach
from cranfield.data.shared_rows import SharedRows
from cranfield.data.strings import Bools, Codes, Floats, Ints


def _nothing() -> Ints:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class SharedRankings(Rankings):
    """What is expected of rankings over all orders of their tied documents, which are equally likely.

    A row is a kind of document at one of the ranks it may have, with its `share` of documents; see `SharedRows`. `sum`
    and `count` give expected sums, `cumulative` what is expected down to a row if a document of its kind stands there,
    and `reached` the chance to get there. So the value of a measure that adds up rows, or rows times one of these, is
    its expected value.
    """

    share: Floats = field(default_factory=lambda: np.zeros(0))
    tie: Ints = field(default_factory=_nothing)
    size: Ints = field(default_factory=_nothing)
    kind: Ints = field(default_factory=_nothing)

    @classmethod
    def of(cls, r: Rankings, kind: Ints) -> SharedRankings:
        """From rankings with their ties; `kind` says of each row what kind of document it is.

        >>> from cranfield.data.ties import TieGroups
        >>> tie = TieGroups(*(np.array([value], dtype=np.int32) for value in (0, 1, 2)))  # the first two of query 0
        >>> r = SharedRankings.of(replace(Rankings.from_grades([1, None, 1]), ties=tie), np.array([0, 0]))
        >>> r.rank.tolist(), r.share.tolist()
        ([1, 2, 3], [0.5, 0.5, 1.0])
        """
        assert r.ties is not None
        group = r.ties.at(r.query, r.rank)
        tied, alone = np.flatnonzero(group >= 0), np.flatnonzero(group < 0)
        kinds = int(kind.max(initial=0)) + 1
        each, example, count = np.unique(group[tied] * kinds + kind[tied], return_index=True, return_counts=True)
        size = r.ties.size[each // kinds].astype(np.int64)
        entry = np.repeat(np.arange(len(each)), size)
        slot = np.arange(len(entry)) - np.repeat(np.cumsum(size) - size, size)
        row = np.concatenate((tied[example][entry], alone))
        rank = np.concatenate((r.ties.first[each // kinds][entry] + slot, r.rank[alone]))
        share = np.concatenate(((count / size)[entry], np.ones(len(alone))))
        tie = np.concatenate((group[tied[example]][entry], len(r.ties) + np.arange(len(alone))))
        order = np.lexsort((kind[row], rank, r.query[row]))
        row = row[order]
        return cls(
            r.qrels,
            r.retrieved,
            r.tied,
            r.query[row],
            rank[order],
            r.judgment[row],
            level=r.level,
            recall_rounding=r.recall_rounding,
            costs=r.costs,
            share=share[order],
            tie=tie[order],
            size=np.concatenate((size[entry], np.ones(len(alone), dtype=np.int64)))[order],
            kind=kind[row],
        )

    def only(self, rows: Bools) -> SharedRankings:
        """Itself with some rows and no others."""
        return replace(
            self,
            query=self.query[rows],
            rank=self.rank[rows],
            judgment=self.judgment[rows],
            share=self.share[rows],
            tie=self.tie[rows],
            size=self.size[rows],
            kind=self.kind[rows],
        )

    def found(self) -> tuple[Codes, Floats]:
        """The query and the grade of each document, once."""
        top = np.flatnonzero(self.rows.first_of_tie(self.rank) == self.rank)
        document = np.repeat(top, np.rint(self.share[top] * self.size[top]).astype(np.int64))
        return self.query[document], self.grade[document]

    @cached_property
    def rows(self) -> SharedRows:
        """The rows, with a reader for each query."""
        return SharedRows(self.query, self.tie, self.rank, self.size, self.share, self.kind)

    def sum(
        self,
        values: Floats | Ints | Bools,
        cutoff: int | Ints | None = None,
        *,
        rows: Ints | None = None,
        name: str = "",
        column: str = "",
    ) -> Floats:
        """For each query, what the values of its rows (or of some rows) are expected to add up to."""
        return super().sum(values * (self.share if rows is None else self.share[rows]), cutoff, rows=rows)

    def count(self, chosen: Bools, cutoff: int | Ints | None = None, *, name: str = "", column: str = "rel") -> Floats:
        """For each query, how many of its documents are expected to be chosen, to a rank or to the end."""
        return self.sum(chosen, cutoff)

    def cumulative(self, values: Floats | Bools) -> Floats:
        """For each row, what the values down to it are expected to add up to, if a document of its kind is there."""
        return self.rows.cumulative(np.asarray(values, dtype=np.float64))

    def reached(self, stop: Floats) -> Floats:
        """For each row, the chance to get there, such that share · stop · chance adds up to that of stopping there."""
        return chances_to_reach(self.rows, stop)
