"""Kinds of documents at the ranks they may have, and what is expected above each of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.data.query_sums import cumulative
from cranfield.data.strings import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class SharedRows:
    """Rows for tied documents, each of which stands at each of the n ranks of its tie with the same chance.

    A row is a kind of document at a rank: `share` is how many of the kind are expected there, the number of them
    divided by n. Rows are sorted by `key` (a reader for each) and rank. `tie` numbers the ties (a document that is not
    tied is one by itself), and `size` is n.
    """

    key: Any
    tie: Any
    rank: Any
    size: Any
    share: Any
    kind: Any

    def __len__(self) -> int:
        return len(self.rank)

    def take(self, rows: Ints | Bools) -> SharedRows:
        """Some rows, in this order."""
        columns = (self.key, self.tie, self.rank, self.size, self.share, self.kind)
        return SharedRows(*(column[rows] for column in columns))

    @cached_property
    def new_key(self) -> Bools:
        """Which rows begin a key."""
        return self._changes(self.key)

    @cached_property
    def new_tie(self) -> Bools:
        """Which rows begin a tie of a key."""
        return self.new_key | self._changes(self.tie)

    @cached_property
    def new_rank(self) -> Bools:
        """Which rows begin a rank of a key."""
        return self.new_key | self._changes(self.rank)

    def _changes(self, column: Any) -> Bools:
        changes: Bools = np.append(True, column[1:] != column[:-1])[: len(self)]
        return changes

    def first_of_tie(self, values: Any) -> Any:
        """For each row, the value of the first row of its tie."""
        return _of_first(self.new_tie, values)

    def before_and_in_tie(self, values: Floats) -> tuple[Floats, Floats]:
        """For each row, what the values are expected to add up to above its tie, and in it."""
        expected = self.share * values
        before = _of_first(self.new_tie, _running(self.new_key, expected) - expected)
        tie = _number(self.new_tie)
        return before, np.bincount(tie, weights=expected)[tie]

    def cumulative(self, values: Floats) -> Floats:
        """For each row, what the values down to it are expected to add up to, if a document of its kind stands there.

        Each of the other n - 1 documents of its tie then stands at any of the other ranks of the tie.
        """
        expected = self.share * values
        above = _running(self.new_key, expected) - expected
        before_tie, before_rank = _of_first(self.new_tie, above), _of_first(self.new_rank, above)
        own = np.empty(len(self))
        order = np.lexsort((self.kind, _number(self.new_tie)))
        same = self.take(order)
        own[order] = _running(same.new_tie | (np.diff(same.kind, prepend=-1) != 0), values[order])
        others = np.maximum(self.size - 1, 1)
        in_tie = (before_rank - before_tie) * (self.size / others) - (own - values) / others
        total: Floats = before_tie + np.where(self.size > 1, in_tie, 0.0) + values
        return total


def _number(begins: Bools) -> Any:
    """For each row, the number of the stretch it is in; one begins at each row that `begins` says."""
    return np.cumsum(begins) - 1


def _of_first(begins: Bools, values: Any) -> Any:
    """For each row, the value of the first row of its stretch."""
    return values[begins][_number(begins)]


def _running(begins: Bools, values: Floats) -> Floats:
    """Running sums that start again with each stretch."""
    return cumulative(_number(begins), values, int(np.count_nonzero(begins)))
