"""The same run ranked by other rules: scores as 32-bit floats, another order of tied documents, documents dropped.

Documents are looked up in the judgments once; for each set of rules they only change their places.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Literal

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run, as_single, order_in_ties, tie_places, ties_with_next
from cranfield.data.strings import Bools, Floats, Ints, Strings
from cranfield.data.values import shown
from cranfield.errors import DataError

Order = Literal["document-down", "document-up", "given", "rank", "best", "worst"]
"""How documents of the same score are arranged. With `rank` the rank column decides, if the run has one, and scores do
not. `best` and `worst` are by grade, documents that are not judged counting as 0."""


class Reranking:
    """A run joined with judgments, to be ranked by any rules.

    >>> qrels = Qrels.from_dict({"q1": {"d1": 1, "d2": 0}})
    >>> reranking = Reranking(qrels, Run.from_dict({"q1": {"d1": 0.5, "d2": 0.5}}))
    >>> [reranking.ranked(ties=ties).grade.tolist() for ties in ("document-down", "document-up", "best")]
    [[0.0, 1.0], [1.0, 0.0], [1.0, 0.0]]
    """

    def __init__(self, qrels: Qrels, run: Run) -> None:
        self.run = run
        self.rankings = Rankings.join(qrels, run)
        """As the run is: scores as they are, tied documents by identifier, last first."""
        self._in_run = np.array([run.position.get(query, -1) for query in qrels.query_ids], dtype=np.int64)
        self._row: Ints = run.offset[self._in_run[self.rankings.query]] + self.rankings.rank - 1
        self._known: dict[tuple[bool, str, bool], Rankings] = {}

    def ranked(self, *, ties: Order = "document-down", single: bool = False, drops_own: bool = False) -> Rankings:
        """The rankings by these rules; the very same object where rules make no difference."""
        key = (single, ties, drops_own and bool(self._own.any()))
        if key not in self._known:
            self._known[key] = self._one_of_the_known(self._ranked(*key))
        return self._known[key]

    def _ranked(self, single: bool, ties: Order, drops_own: bool) -> Rankings:
        r, run = self.rankings, self.run
        order = self._order(single, ties)
        if drops_own:
            order = order[~self._own[order]]
        query = run.query[order]
        size = np.bincount(query, minlength=len(run.query_ids))
        rank_of_row = np.zeros(len(run), dtype=np.int64)
        rank_of_row[order] = np.arange(len(order)) - (np.cumsum(size) - size)[query] + 1
        rank = rank_of_row[self._row]
        kept = np.flatnonzero(rank)
        kept = kept[np.lexsort((rank[kept], r.query[kept]))]
        retrieved = np.where(self._in_run < 0, 0, np.append(size, 0)[self._in_run])
        return replace(r, retrieved=retrieved, query=r.query[kept], rank=rank[kept], judgment=r.judgment[kept])

    @cached_property
    def above_zero(self) -> Ints | None:
        """For each query, how many of its documents have a score of at least 0; None if all have."""
        negative = self.run.score < 0
        if not negative.any():
            return None
        count = np.bincount(self.run.query[~negative], minlength=len(self.run.query_ids))
        return np.where(self._in_run < 0, 0, np.append(count, 0)[self._in_run])

    def _one_of_the_known(self, made: Rankings) -> Rankings:
        for known in (self.rankings, *self._known.values()):
            same = (np.array_equal(getattr(known, name), getattr(made, name)) for name in ("retrieved", "rank"))
            if all(same) and np.array_equal(known.judgment, made.judgment):
                return known
        return made

    def _order(self, single: bool, ties: Order) -> Ints:
        """The rows of the run in the order of these rules, query by query."""
        run = self.run
        if ties == "rank" and run.given_rank is not None:
            return _by_rank(run, run.given_rank)
        score = as_single(run.score) if single else run.score
        tied = ties_with_next(run.query, score)
        places = tie_places(tied)
        order = np.arange(len(run))
        if len(places):
            order[places] = places[self._order_in_ties(ties, tied, places)]
        return order

    def _order_in_ties(self, ties: Order, tied: Bools, places: Ints) -> Ints:
        if ties in ("document-down", "document-up"):
            documents = self.run.documents.take(places)
            return order_in_ties(tied, places, documents, ascending=ties == "document-up")
        begins = np.ones(len(places), dtype=np.bool_)
        begins[1:] = ~tied[places[1:] - 1]
        if ties in ("given", "rank"):
            key: Floats | Ints = self.run.given_place[places]
        else:
            key = -self._grade[places] if ties == "best" else self._grade[places]
        return np.lexsort((key, np.cumsum(begins)))

    @cached_property
    def _grade(self) -> Floats:
        """The grade of each row of the run."""
        grade = np.zeros(len(self.run))
        grade[self._row] = self.rankings.grade
        return grade

    @cached_property
    def _own(self) -> Bools:
        """Which rows have a document with the identifier of their query."""
        run = self.run
        names = Strings.from_list(run.query_ids)
        own: Bools = names.hash64()[run.query] == run.hashes
        rows = np.flatnonzero(own)
        own[rows] = run.documents.take(rows).equal(names.take(run.query[rows]))
        return own


def _by_rank(run: Run, rank: Floats) -> Ints:
    """The rows sorted by query and rank column; an error if a query has a rank twice."""
    order = np.lexsort((rank, run.query))
    twice = np.flatnonzero((rank[order][1:] == rank[order][:-1]) & (run.query[order][1:] == run.query[order][:-1]))
    if len(twice):
        first, second = order[twice[0]], order[twice[0] + 1]
        raise DataError(
            f"{run.name}: documents {shown(run.documents[first])} and {shown(run.documents[second])} of query "
            f"{shown(run.query_ids[run.query[first]])} both have rank {rank[first]:g}, and ranks are to decide"
        )
    return order
