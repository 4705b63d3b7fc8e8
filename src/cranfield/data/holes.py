"""Where rankings have documents that nobody judged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from cranfield.data.query_sums import cumulative, totals
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Bools, Codes, Floats, Ints


class Edge(NamedTuple):
    """For each query, a place between its ranks: the stretch it is in, and how many holes of that are above it."""

    stretch: Ints
    above: Ints


@dataclass(frozen=True, eq=False)
class Holes:
    """The holes of rankings down to a depth: the ranks of documents that were not judged, or have a negative grade.

    The judged documents part them into stretches of ranks, `first` to `last` (one less than `first` if there are none):
    in each query one above every judged document, and one below the last. So a query has one stretch more than it has
    judged documents, and to go over its holes takes no longer than to go over these.

    >>> holes = Holes.of(Rankings.from_grades([None, 1, None, -1, 0]))
    >>> holes.first.tolist(), holes.last.tolist(), holes.count.tolist()
    ([1, 3, 6], [1, 4, 5], [3])
    """

    query: Codes
    """Of each stretch."""
    first: Ints
    last: Ints
    offset: Ints
    """Where the stretches of each query begin; one more than there are queries."""
    depth: Ints
    """For each query, the last rank that is looked at."""
    rows: Ints
    """The rows of the rankings that part the stretches."""
    row_query: Codes

    @classmethod
    def of(cls, r: Rankings, cutoff: int | None = None) -> Holes:
        """Of all documents retrieved, or of the first so many."""
        depth = r.retrieved if cutoff is None else np.minimum(r.retrieved, cutoff)
        rows = np.flatnonzero((r.grade >= 0) & (r.rank <= depth[r.query]))
        query, rank = r.query[rows], r.rank[rows]
        offset = np.append(0, np.cumsum(np.bincount(query, minlength=len(r)) + 1))
        above = np.arange(len(rows)) + query
        first, last = np.ones(len(rows) + len(r), dtype=np.int64), np.empty(len(rows) + len(r), dtype=np.int64)
        first[above + 1], last[above] = rank + 1, rank - 1
        last[offset[1:] - 1] = depth
        of_stretch = np.repeat(np.arange(len(r), dtype=np.int32), np.diff(offset))
        return cls(of_stretch, first, last, offset, depth, rows, query)

    def __len__(self) -> int:
        """The number of queries."""
        return len(self.depth)

    @cached_property
    def size(self) -> Ints:
        """How many holes each stretch has."""
        return self.last - self.first + 1

    @cached_property
    def to(self) -> Ints:
        """For each stretch, how many holes its query has down to its end."""
        total = np.cumsum(self.size)
        to: Ints = total - np.append(0, total)[self.offset[:-1]][self.query]
        return to

    @cached_property
    def count(self) -> Ints:
        """For each query, how many holes it has."""
        return self.to[self.offset[1:] - 1]

    def sums(self, table: Floats) -> Floats:
        """For each stretch, a value of its ranks added up; `table` has the running sum over all ranks, 0 at rank 0."""
        return table[self.last] - table[self.first - 1]

    def above(self, values: Floats | Bools) -> Floats:
        """For each stretch, a value of the judged documents (`rows`) above it, added up."""
        running = cumulative(self.row_query, np.asarray(values, dtype=np.float64), len(self))
        found = np.zeros(len(self.first))
        found[np.arange(len(running)) + self.row_query + 1] = running
        return found

    def running(self, values: Floats) -> Floats:
        """For each stretch, a value of the stretches of its query down to it, added up."""
        return cumulative(self.query, values, len(self))

    def total(self, values: Floats) -> Floats:
        """For each query, a value of its stretches added up."""
        return totals(self.query, values, len(self))

    def highest(self, values: Floats) -> Floats:
        """For each query, the highest value of its stretches."""
        found: Floats = np.maximum.reduceat(values, self.offset[:-1]) if len(self) else np.zeros(0)
        return found

    def edge(self, above: Ints) -> Edge:
        """For each query, the place with so many of its holes above it."""
        stride = int(self.depth.max(initial=0)) + 1
        ends = self.query.astype(np.int64) * stride + self.to
        stretch = np.searchsorted(ends, np.arange(len(self)) * stride + above)
        return Edge(stretch, above - (self.to - self.size)[stretch])

    def rank_above(self, edge: Edge) -> Ints:
        """For each query, the rank right above a place."""
        return self.first[edge.stretch] + edge.above - 1
