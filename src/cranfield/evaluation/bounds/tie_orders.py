"""The orders that tied documents may have: all of them where they are few, otherwise some drawn at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Bools, Floats, Ints, Words
from cranfield.data.tied_documents import TiedDocuments
from cranfield.evaluation.bounds.tie_draws import Draws

MOST_ORDERS = 1000
"""A topic with so many orders or fewer gets all of them."""
DRAWN = 500
"""Of a topic with more, so many orders are drawn."""
_ROWS_AT_ONCE = 20_000


class Batch(NamedTuple):
    """Rankings with other orders of tied documents."""

    rankings: Rankings
    query: Ints
    """Of each query of the rankings, which one it is an order of."""
    counts: Bools
    """Whether the order is a new one."""


class Orders:
    """The orders of the tied documents of rankings, query by query.

    `streams` names the random numbers of each query, so that what is drawn for it does not depend on the others.
    """

    def __init__(self, tied: TiedDocuments, streams: Words) -> None:
        self.tied = tied
        self.streams = streams

    @cached_property
    def drawn(self) -> Bools:
        """For which queries orders are drawn at random."""
        too_many: Bools = self._logarithm > np.log(MOST_ORDERS + 0.5)
        return too_many

    @cached_property
    def number(self) -> Ints:
        """For each query how many orders are tried: all that differ, or as many as are drawn."""
        all_of_them = np.rint(np.exp(np.minimum(self._logarithm, np.log(2.0 * MOST_ORDERS)))).astype(np.int64)
        return np.where(self.drawn, DRAWN, all_of_them)

    @cached_property
    def _logarithm(self) -> Floats:
        """For each query, of the number of orders that differ."""
        t = self.tied
        factorial = np.append(0.0, np.cumsum(np.log(np.arange(1.0, int(t.ties.size.max(initial=0)) + 1.0))))
        begin = _begin_of_kinds(t)
        logarithm = factorial[t.ties.size] - factorial[t.ties.size - np.diff(t.begin)]
        alike = factorial[np.diff(begin, append=len(t))]
        logarithm -= np.bincount(t.tie[begin], weights=alike, minlength=len(t.ties))
        in_all = np.bincount(t.ties.query, weights=logarithm, minlength=len(t.rankings))
        return in_all.astype(np.float64, copy=False)

    def batches(self, queries: Ints, *, separable: bool) -> Iterator[Batch]:
        """The orders of some queries; if these are not separable, together with the others as they are."""
        level = np.ceil(np.log2(self.number[queries]) / 2)  # those with about as many orders go together
        for one in np.unique(level):
            chosen = queries[level == one]
            most = int(self.number[chosen].max())
            copies = min(max(_ROWS_AT_ONCE // int(self._rows[chosen].sum()), 1), most) if separable else 1
            query = np.repeat(chosen, copies) if separable else np.arange(len(self.number))
            arrangements = _Arrangements(self, self.tied.only(query) if separable else self.tied, query)
            place = np.tile(np.arange(copies), len(query) // copies)
            wanted = np.isin(query, chosen)
            for begin in range(0, most, copies):
                counts = wanted & (begin + place < self.number[query])
                yield Batch(arrangements.of(begin + place), query, counts)

    @cached_property
    def _rows(self) -> Ints:
        """How much work an order of each query is: its rows and judgments, and a tenth of its tied places."""
        r, ties = self.tied.rankings, self.tied.ties
        places = np.bincount(ties.query, weights=ties.size, minlength=len(r))
        return np.diff(r.offset) + np.diff(r.qrels.offset) + (places // 10).astype(np.int64)

    @cached_property
    def tables(self) -> _Tables:
        """All orders of the ties of queries of which all orders are tried."""
        return _Tables.of(self.tied, ~self.drawn)


class _Tables(NamedTuple):
    """The places of the documents of ties in each of their orders."""

    slot: Ints
    """Table by table, order by order."""
    begin: Ints
    """Where the table of each tie begins."""
    orders: Ints
    """How many orders each tie has."""
    radix: Ints
    """How many orders the ties of the same query have together that come before."""

    @classmethod
    def of(cls, tied: TiedDocuments, chosen: Bools) -> _Tables:
        """Those of the chosen queries."""
        begin, orders = np.zeros(len(tied.ties), dtype=np.int64), np.ones(len(tied.ties), dtype=np.int64)
        known: dict[tuple[int, ...], int] = {}
        tables, length = [begin[:0]], 0
        counts = _counts_of_kinds(tied)
        for tie in np.flatnonzero(chosen[tied.ties.query]).tolist():
            key = (int(tied.ties.size[tie]), *counts[tie])
            table = _arrangements(*key)
            if key not in known:
                known[key] = length
                tables.append(table.ravel())
                length += table.size
            begin[tie], orders[tie] = known[key], len(table)
        logarithm = np.log(orders)
        before = np.cumsum(logarithm) - logarithm
        first = np.searchsorted(tied.ties.query, tied.ties.query)
        radix = np.rint(np.exp(before - before[first])).astype(np.int64)
        return cls(np.concatenate(tables), begin, orders, radix)


class _Arrangements:
    """Copies of queries, and the rankings in which each has the order of some number."""

    def __init__(self, orders: Orders, copy: TiedDocuments, query: Ints) -> None:
        self._copy = copy
        self._query = copy.ties.query[copy.tie]
        drawn = orders.drawn[query][self._query]
        self._chosen, self._listed = np.flatnonzero(drawn), np.flatnonzero(~drawn)
        self._draws = Draws(copy, self._chosen, orders.streams[query][self._query[self._chosen]])
        if len(self._listed):
            t, tie = orders.tables, copy.source[copy.tie[self._listed]]
            self._slot, self._orders, self._radix = t.slot, t.orders[tie], t.radix[tie]
            self._stride = np.diff(orders.tied.begin)[tie]
            self._begin = t.begin[tie] + self._listed - copy.begin[copy.tie[self._listed]]

    def of(self, order: Ints) -> Rankings:
        """The rankings in which each copy has the order of its number."""
        slot = self._copy.slot.copy()
        if len(self._listed):
            digit = order[self._query[self._listed]] // self._radix % self._orders
            slot[self._listed] = self._slot[self._begin + digit * self._stride]
        if len(self._chosen):
            slot[self._chosen] = self._draws.slots(order[self._query[self._chosen]])
        return self._copy.arranged(slot)


def _begin_of_kinds(t: TiedDocuments) -> Ints:
    """Where the documents of each kind begin, tie by tie."""
    return np.flatnonzero((np.diff(t.tie, prepend=-1) != 0) | (np.diff(t.kind, prepend=-1) != 0))


def _counts_of_kinds(t: TiedDocuments) -> list[tuple[int, ...]]:
    """For each tie, how many of its documents are of each kind."""
    begin = _begin_of_kinds(t)
    counts: list[list[int]] = [[] for _ in range(len(t.ties))]
    for tie, count in zip(t.tie[begin].tolist(), np.diff(begin, append=len(t)).tolist(), strict=True):
        counts[tie].append(count)
    return [tuple(of_tie) for of_tie in counts]


@cache
def _arrangements(size: int, *counts: int) -> Ints:
    """All ways to place documents of several kinds, so many of each, at `size` places: a row for each way.

    >>> _arrangements(3, 1, 1).tolist()
    [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]
    """

    def ways(free: Sequence[int], kinds: Sequence[int]) -> Iterator[tuple[int, ...]]:
        if not kinds:
            yield ()
            return
        for chosen in combinations(free, kinds[0]):
            left = [place for place in free if place not in chosen]
            for others in ways(left, kinds[1:]):
                yield chosen + others

    return np.array(list(ways(range(size), counts)), dtype=np.int64)
