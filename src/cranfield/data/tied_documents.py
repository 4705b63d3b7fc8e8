"""The documents of rankings whose order among themselves is open, and the rankings that come of other orders."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from cranfield.data.costs import CostsByRank
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Ints, Numbered
from cranfield.data.ties import TieGroups


@dataclass(frozen=True, eq=False)
class TiedDocuments:
    """Tied documents, tie by tie, and within a tie kind by kind.

    `tie` says which of `ties` each belongs to, `row` which row of the rankings it has (-1 if it is not in the qrels)
    and `kind` what kind of document it is: documents of one kind may change places and nothing changes. Documents that
    are not in the qrels are all of one kind and need not be listed, unless what they cost matters. `slot` is where it
    stands, counted from 0. Ties are those in which more than one kind meet. Of copies, `source` says for each tie which
    one it is a copy of.
    """

    rankings: Rankings
    ties: TieGroups
    tie: Ints
    row: Ints
    kind: Ints
    slot: Ints
    source: Ints
    complete: bool = False
    """Whether all documents of a tie are listed, so that what they cost moves with them."""

    @classmethod
    def of(cls, r: Rankings, kind: Ints, depth: int | None = None) -> TiedDocuments:
        """Those of rankings with their ties, from the kind of each row; ties below a depth do not count."""
        assert r.ties is not None
        tie = r.ties.at(r.query, r.rank)
        row = np.flatnonzero(tie >= 0)
        row = row[np.lexsort((kind[row], tie[row]))]
        tie, of_row = tie[row], kind[row]
        listed = np.bincount(tie, minlength=len(r.ties))
        head = np.flatnonzero(np.diff(tie, prepend=-1))
        differ = np.zeros(len(r.ties), dtype=np.bool_)
        differ[tie[head]] = (
            np.minimum.reduceat(of_row, head) != np.maximum.reduceat(of_row, head) if len(row) else False
        )
        open_order = (listed > 0) & (differ | (listed < r.ties.size))
        if depth is not None:
            open_order &= r.ties.first <= depth
        kept = open_order[tie]
        number = np.cumsum(open_order) - 1
        ties, row, tie = r.ties.take(open_order), row[kept], number[tie[kept]]
        return cls(r, ties, tie, row, of_row[kept], r.rank[row] - ties.first[tie], np.arange(len(ties)))

    @classmethod
    def every(cls, r: Rankings, depth: int | None = None) -> TiedDocuments:
        """All tied documents, each of a kind of its own: what they cost may differ."""
        assert r.ties is not None
        ties = r.ties if depth is None else r.ties.take(r.ties.first <= depth)
        place, tie = spans(np.zeros(len(ties), dtype=np.int64), ties.size.astype(np.int64))
        row = np.full(len(place), -1)
        of_row = ties.at(r.query, r.rank)
        inside = np.flatnonzero(of_row >= 0)
        begin = np.cumsum(ties.size) - ties.size
        row[begin[of_row[inside]] + r.rank[inside] - ties.first[of_row[inside]]] = inside
        return cls(r, ties, tie, row, place, place, np.arange(len(ties)), complete=True)

    def __len__(self) -> int:
        return len(self.tie)

    @cached_property
    def begin(self) -> Ints:
        """Where the documents of each tie begin; one more than there are ties."""
        return np.searchsorted(self.tie, np.arange(len(self.ties) + 1))

    @cached_property
    def queries(self) -> Ints:
        """The queries for which the order is open."""
        return np.unique(self.ties.query).astype(np.int64)

    def arranged(self, slot: Ints) -> Rankings:
        """The rankings in which these documents stand at these places of their ties."""
        r = self.rankings
        judged = slice(None) if self._all_judged else np.flatnonzero(self.row >= 0)
        tie, row, to = self.tie[judged], self.row[judged], slot[judged]
        order = self._by_place(tie, to)
        rank, judgment = r.rank.copy(), r.judgment.copy()
        rank[self._rows] = self.ties.first[tie] + to[order]
        judgment[self._rows] = r.judgment[row[order]]
        costs = r.costs
        if costs is not None and self.complete:
            start = (np.cumsum(costs.retrieved) - costs.retrieved)[self.ties.query] + self.ties.first - 1
            moved = costs.cost.copy()
            moved[start[self.tie] + slot] = costs.cost[start[self.tie] + self.slot]
            costs = CostsByRank(moved, costs.retrieved, costs.below)
        return replace(r, rank=rank, judgment=judgment, costs=costs, ties=None)

    def _by_place(self, tie: Ints, slot: Ints) -> Ints:
        """Documents in the order of tie and place."""
        end = np.cumsum(self.ties.size)
        place = (end - self.ties.size)[tie] + slot
        if not len(tie) or int(end[-1]) > 30 * len(tie):
            return np.argsort(place)
        at = np.full(int(end[-1]), -1)
        at[place] = np.arange(len(place))
        return at[at >= 0]

    @cached_property
    def _all_judged(self) -> bool:
        return bool((self.row >= 0).all())

    @cached_property
    def _rows(self) -> Ints:
        """The rows of these documents in the order of rank: those of a tie stand together."""
        return np.sort(self.row[self.row >= 0])

    def best_first(self, worth: Floats) -> Ints:
        """The places they have if in each tie the documents that are worth more stand above; one not listed has 0.

        `worth` has a number for each row of the rankings.
        """
        value = worth[self.row]
        order = np.lexsort((-value, self.tie))
        place = np.arange(len(self)) - self.begin[self.tie]
        from_end = place + (self.ties.size - np.diff(self.begin))[self.tie]
        slot = np.empty(len(self), dtype=np.int64)
        slot[order] = np.where(value[order] < 0, from_end, place)
        return slot

    def only(self, queries: Ints) -> TiedDocuments:
        """Those of some queries, which may be named more than once: each is then a query of its own."""
        count = np.bincount(self.ties.query, minlength=len(self.rankings))
        which, query = spans(np.cumsum(count)[queries] - count[queries], count[queries])
        ties = replace(self.ties.take(which), query=query.astype(np.int32))
        rankings = _only(self.rankings, queries, ties)
        document, tie = spans(self.begin[which], np.diff(self.begin)[which])
        moved = (rankings.offset[:-1] - self.rankings.offset[queries])[query]
        row = np.where(self.row[document] < 0, -1, self.row[document] + moved[tie])
        return TiedDocuments(rankings, ties, tie, row, self.kind[document], self.slot[document], which, self.complete)


def spans(begin: Ints, size: Ints) -> tuple[Ints, Ints]:
    """The numbers of several spans, one behind the other, and which span each belongs to.

    >>> spans(np.array([5, 0]), np.array([2, 3]))
    (array([5, 6, 0, 1, 2]), array([0, 0, 1, 1, 1]))
    """
    owner = np.repeat(np.arange(len(size)), size)
    return np.arange(len(owner)) - (np.cumsum(size) - size - begin)[owner], owner


def _only(r: Rankings, queries: Ints, ties: TieGroups) -> Rankings:
    """Rankings and judgments of some queries, which may be repeated, with these ties."""
    qrels = _judgments_of(r.qrels, queries)
    row, query = spans(r.offset[queries], np.diff(r.offset)[queries])
    moved = qrels.offset[:-1] - r.qrels.offset[queries]
    costs = r.costs
    if costs is not None:
        start = np.cumsum(costs.retrieved) - costs.retrieved
        document, _ = spans(start[queries], costs.retrieved[queries])
        costs = CostsByRank(costs.cost[document], costs.retrieved[queries], costs.below)
    return replace(
        r,
        qrels=qrels,
        retrieved=r.retrieved[queries],
        tied=r.tied[queries],
        query=query.astype(np.int32),
        rank=r.rank[row],
        judgment=r.judgment[row] + moved[query],
        costs=costs,
        ties=ties,
    )


def _judgments_of(qrels: Qrels, queries: Ints) -> Qrels:
    row, query = spans(qrels.offset[queries], np.diff(qrels.offset)[queries])
    ids = [b"%09d" % number for number in range(len(queries))]
    return Qrels(
        Numbered(ids, query.astype(np.int32)),
        qrels.documents.take(row),
        qrels.grade[row],
        stratum=None if qrels.stratum is None else qrels.stratum.take(row),
        method=None if qrels.method is None else qrels.method.take(row),
        probability=None if qrels.probability is None else qrels.probability[row],
        name=qrels.name,
    )
