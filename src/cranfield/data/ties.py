"""Which documents of a ranking share their score, so that nothing but their names puts them in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.data.strings import Bools, Codes, Ints


@dataclass(eq=False, repr=False)
class TieGroups:
    """The ties of rankings: for each the query, the first rank and how many documents (2 or more) share the score.

    Sorted by query and rank; the documents of a tie stand at `first` to `last`.
    """

    query: Codes
    first: Codes
    size: Codes

    @classmethod
    def of(cls, tied_with_next: Bools, query: Codes, begin: Ints, where: Codes) -> TieGroups:
        """The ties among rows in ranking order, of which each is tied with the next or not.

        `query` is that of each row, `begin` the row with which each query begins, and `where` the number it has among
        all queries; queries with a negative one are left out.

        >>> tied = np.array([False, True, True, False])  # 5 documents of one query: 1, 2 = 3 = 4, 5
        >>> groups = TieGroups.of(tied, np.zeros(5, dtype=np.int32), np.array([0]), np.array([7], dtype=np.int32))
        >>> groups.query.tolist(), groups.first.tolist(), groups.last.tolist()
        ([7], [2], [4])
        """
        before, after = np.append(False, tied_with_next[:-1]), np.append(tied_with_next[1:], False)
        head = np.flatnonzero(tied_with_next & ~before[: len(tied_with_next)])
        end = np.flatnonzero(tied_with_next & ~after[: len(tied_with_next)]) + 1
        code = query[head]
        known = where[code] >= 0
        head, end, code = head[known], end[known], code[known]
        first = (head - begin[code] + 1).astype(np.int32)
        return cls(where[code].astype(np.int32), first, (end - head + 1).astype(np.int32)).in_query_order()

    @classmethod
    def none(cls) -> TieGroups:
        """Where all scores differ."""
        nothing = np.zeros(0, dtype=np.int32)
        return cls(nothing, nothing, nothing)

    @classmethod
    def joined(cls, parts: Sequence[TieGroups | None]) -> TieGroups | None:
        """The ties of several parts of a run, which have no query in common; None if those of a part are not known."""
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        columns = ([getattr(part, name) for part in known] for name in ("query", "first", "size"))
        return cls(*(np.concatenate(column) for column in columns)).in_query_order()

    def in_query_order(self) -> TieGroups:
        """Itself sorted by query (ranks within a query keep their order)."""
        if not (self.query[1:] < self.query[:-1]).any():
            return self
        return self.take(np.argsort(self.query, kind="stable"))

    def take(self, which: Ints | Bools) -> TieGroups:
        """Some of them."""
        return TieGroups(self.query[which], self.first[which], self.size[which])

    def __len__(self) -> int:
        return len(self.query)

    @property
    def last(self) -> Codes:
        """The last rank of each."""
        return self.first + self.size - 1

    def at(self, query: Codes, rank: Ints) -> Ints:
        """For some places in the rankings, the number of the tie they are in; -1 where there is none."""
        if not len(self):
            return np.full(len(rank), -1)
        stride = max(int(self.last.max()), int(rank.max(initial=0))) + 1
        begins = self.query.astype(np.int64) * stride + self.first
        found = np.searchsorted(begins, query.astype(np.int64) * stride + rank, "right") - 1
        inside = (found >= 0) & (self.query[found] == query) & (rank <= self.last[found])
        return np.where(inside, found, -1)

    def across(self, depth: int | Ints) -> Bools:
        """Which of them have documents on both sides of a rank: the last that counts, the same for all or by query."""
        end = depth[self.query] if isinstance(depth, np.ndarray) else depth
        across: Bools = (self.first <= end) & (self.last > end)
        return across

    def cut(self, depth: int) -> TieGroups:
        """What is left of them in the first `depth` documents, with the order as it is."""
        last = np.minimum(self.last, depth)
        size = last - self.first + 1
        kept = size > 1
        return TieGroups(self.query[kept], self.first[kept], size[kept])

    def among(self, query: Codes, rank: Ints) -> TieGroups:
        """The ties that are left where only some documents (sorted by query and rank) stay, and close up."""
        stride = max(int(self.last.max(initial=0)), int(rank.max(initial=0))) + 2
        place = query.astype(np.int64) * stride + rank
        of_query = self.query.astype(np.int64) * stride
        begin = np.searchsorted(place, of_query + self.first)
        size = np.searchsorted(place, of_query + self.last, "right") - begin
        first = begin - np.searchsorted(place, of_query) + 1
        kept = size > 1
        return TieGroups(self.query[kept], first[kept].astype(np.int32), size[kept].astype(np.int32))
