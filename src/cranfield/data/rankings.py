"""What a measure sees: for every judged query, at which ranks the judged documents stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from cranfield.data.costs import Costs, CostsByRank
from cranfield.data.qrels import Qrels
from cranfield.data.query_sums import cumulative, reached, totals
from cranfield.data.run import Run, as_single, order_in_ties, tie_places, ties_with_next
from cranfield.data.strings import Bools, Codes, Floats, Ints, Strings
from cranfield.data.ties import TieGroups
from cranfield.data.values import identifiers, numbers
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.data.working import Working

Numbers = TypeVar("Numbers", Floats, Ints)

_PIECE = 1 << 16
"""How many documents are looked up at once: few enough to stay in the processor's cache."""


@dataclass(frozen=True, eq=False, repr=False)
class Rankings:
    """The rankings of one run, joined with the judgments.

    Of the retrieved documents only those in the qrels have a row, with `query`, `rank` and `judgment` (the row of the
    qrels), sorted by query and rank; every other rank up to `retrieved` holds an unjudged document. A negative grade
    marks a document that was in the pool but not judged. Queries are all those of the qrels; one that the run lacks
    has `retrieved` 0.

    `level` is the least grade that counts as relevant, unless a measure is told otherwise. `costs` says what every
    retrieved document costs to read; None if each costs 1.
    """

    qrels: Qrels
    retrieved: Ints
    tied: Ints
    query: Codes
    rank: Ints
    judgment: Ints
    level: float = 1.0
    recall_rounding: str = "ceil"
    costs: CostsByRank | None = None
    ties: TieGroups | None = None
    """Which documents share a score; None where nobody asked."""
    unretrieved_below: Ints | None = None
    """For each query, how many of its documents stand above those that are not retrieved; None: all of them."""
    working: Working | None = None
    """What measures write their arithmetic on, where the value of a single query is to be explained."""

    # Building

    @classmethod
    def join(
        cls,
        qrels: Qrels,
        run: Run,
        *,
        single: bool = False,
        ties_ascending: bool = False,
        costs: Costs | None = None,
        keep_ties: bool = False,
    ) -> Rankings:
        """Look up every document of the run. `single` compares scores as 32-bit floats."""
        score = as_single(run.score) if single else run.score
        tied_with_next = ties_with_next(run.query, score)
        places = tie_places(tied_with_next)
        tie_count = np.bincount(run.query[places], minlength=len(run.query_ids))
        where = np.array([qrels.position.get(query, -1) for query in run.query_ids], dtype=np.int32)
        known = where >= 0
        retrieved = np.zeros(len(qrels.query_ids), dtype=np.int64)
        retrieved[where[known]] = np.diff(run.offset)[known]
        tied = np.zeros(len(qrels.query_ids), dtype=np.int64)
        tied[where[known]] = tie_count[known]
        rows, judgments = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        for begin in range(0, len(run), _PIECE):
            piece = slice(begin, begin + _PIECE)
            row, judgment = qrels.table.find(where[run.query[piece]], run.documents.take(piece), run.hashes[piece])
            rows.append(row + begin)
            judgments.append(judgment)
        row, judgment = np.concatenate(rows), np.concatenate(judgments)
        moved = places
        if len(places) and (single or ties_ascending):
            # A run is in order for doubles and ties in descending order of documents: here some ties are arranged anew.
            documents = run.documents.take(places)
            moved = places[order_in_ties(tied_with_next, places, documents, ascending=ties_ascending)]
            row = _new_places(row, moved, places)
            order = np.argsort(row, kind="stable")
            row, judgment = row[order], judgment[order]
        query = run.query[row]
        rank = row - run.offset[query] + 1
        by_rank = None
        if costs is not None:
            returned = np.arange(len(run))
            returned[places] = moved
            returned = returned[known[run.query]]
            returned = returned[np.argsort(where[run.query[returned]], kind="stable")]
            by_rank = CostsByRank(costs.of(run, returned), retrieved, costs.below)
        ties = TieGroups.of(tied_with_next, run.query, run.offset, where) if keep_ties else None
        return cls(qrels, retrieved, tied, where[query], rank, judgment, costs=by_rank, ties=ties).in_query_order()

    @classmethod
    def from_grades(
        cls,
        grades: Sequence[float | None],
        *,
        unretrieved: Sequence[float] = (),
        strata: Sequence[str] | None = None,
        probabilities: Sequence[float] | None = None,
        costs: Sequence[float] | None = None,
        level: float = 1.0,
    ) -> Rankings:
        """One query's ranking from the grade at each rank (None: unjudged) and the judged documents it missed.

        `strata` and `probabilities` say how the documents with a grade were sampled, in the order of rank, and then of
        `unretrieved`. `costs` says what the document at each rank costs.

        >>> Rankings.from_grades([2, None, 0], unretrieved=[1]).rank.tolist()
        [1, 3]
        >>> Rankings.from_grades([2, None, -1], unretrieved=[1], strata="AAB").qrels.inclusion.tolist()
        [0.5, 0.5, 1.0]
        """
        found = [(rank, grade) for rank, grade in enumerate(grades, 1) if grade is not None]

        def where(place: int) -> str:
            return f"rank {found[place][0]}" if place < len(found) else f"unretrieved document {place - len(found) + 1}"

        all_grades = numbers([grade for _, grade in found] + list(unretrieved), "grade", where)
        names = [b"d%d" % i for i in range(len(all_grades))]
        for what, given in (("strata", strata), ("probabilities", probabilities)):
            if given is not None and len(given) != len(names):
                raise UsageError(f"{len(given)} {what} for {len(names)} documents with a grade; give each its own")
        if costs is not None and len(costs) != len(grades):
            raise UsageError(f"{len(costs)} costs for {len(grades)} documents; give each its own")
        qrels = Qrels(
            Strings.from_list([b"q"] * len(names)),
            Strings.from_list(names),
            all_grades,
            stratum=None if strata is None else identifiers(strata, "stratum", where),
            probability=None if probabilities is None else numbers(probabilities, "probability", where),
        ).checked(unit="row")
        if not names:
            qrels.query_ids, qrels.offset = (b"q",), np.zeros(2, dtype=np.int64)
        return cls(
            qrels,
            np.array([len(grades)]),
            np.array([0]),
            np.zeros(len(found), dtype=np.int32),
            np.array([rank for rank, _ in found], dtype=np.int64),
            np.arange(len(found)),
            level=level,
            costs=None if costs is None else _costs_of_one(costs),
        )

    @classmethod
    def best(cls, qrels: Qrels, least: float) -> Rankings:
        """The best rankings there could be: the documents with a grade of at least `least` and no others, best first.

        >>> qrels = Qrels.from_dict({"q1": {"d1": 0, "d2": 1, "d3": 2}})
        >>> Rankings.best(qrels, 1).grade.tolist()
        [2.0, 1.0]
        """
        order = qrels.best_first
        judgment = order[qrels.grade[order] >= least]
        query = qrels.query[judgment]
        retrieved = np.bincount(query, minlength=len(qrels.query_ids))
        rank = np.arange(len(judgment)) - (np.cumsum(retrieved) - retrieved)[query] + 1
        return cls(qrels, retrieved, np.zeros_like(retrieved), query, rank, judgment)

    def in_query_order(self) -> Rankings:
        """Itself with rows sorted by query (ranks within a query keep their order)."""
        if not (self.query[1:] < self.query[:-1]).any():
            return self
        order = np.argsort(self.query, kind="stable")
        return replace(self, query=self.query[order], rank=self.rank[order], judgment=self.judgment[order])

    def only(self, rows: Bools) -> Rankings:
        """Itself with some rows and no others; every document stays where it is."""
        return replace(self, query=self.query[rows], rank=self.rank[rows], judgment=self.judgment[rows])

    def cut(self, depth: int) -> Rankings:
        """Only the first `depth` documents of each query."""
        return replace(
            self.only(self.rank <= depth),
            retrieved=np.minimum(self.retrieved, depth),
            costs=self.costs and self.costs.cut(depth),
            ties=self.ties and self.ties.cut(depth),
        )

    def condensed(self) -> Rankings:
        """Only the judged documents, the ranks closed up."""
        return self._condensed

    @cached_property
    def _condensed(self) -> Rankings:
        keep = self.grade >= 0
        query = self.query[keep]
        count = np.bincount(query, minlength=len(self.retrieved))
        rank = np.arange(len(query)) - (np.cumsum(count) - count)[query] + 1
        costs = self.costs and self.costs.only(query, self.rank[keep], count)
        ties = self.ties and self.ties.among(query, self.rank[keep])
        judgment = self.judgment[keep]
        condensed = replace(self, retrieved=count, query=query, rank=rank, judgment=judgment, costs=costs, ties=ties)
        if self.unretrieved_below is None:
            return condensed
        above = query[self.rank[keep] <= self.unretrieved_below[query]]
        return replace(condensed, unretrieved_below=np.bincount(above, minlength=len(self)))

    # What measures ask

    def __len__(self) -> int:
        """The number of queries."""
        return len(self.retrieved)

    @cached_property
    def readers(self) -> dict[Any, Any]:
        """The user models put before these rankings: one is often asked for several values."""
        return {}

    @cached_property
    def grade(self) -> Floats:
        """The grade of each row."""
        return self.qrels.grade[self.judgment]

    def found(self) -> tuple[Codes, Floats]:
        """The query and the grade of each document that is retrieved and in the qrels."""
        return self.query, self.grade

    @cached_property
    def offset(self) -> Ints:
        """Where the rows of each query begin; one more than there are queries."""
        return np.searchsorted(self.query, np.arange(len(self) + 1))

    def at_least(self, rel: float | None) -> Bools:
        """Which rows are relevant: a grade of at least `rel` (or `level`)."""
        return self.grade >= (self.level if rel is None else rel)

    def relevant(self, rel: float | None) -> Ints:
        """For each query, R: how many judged documents are relevant, retrieved or not."""
        return self.qrels.count(self.level if rel is None else rel)

    def nonrelevant(self, rel: float | None) -> Ints:
        """For each query, how many documents are judged and not relevant, retrieved or not."""
        return self.qrels.count(0.0, self.level if rel is None else rel)

    def sum(
        self,
        values: Floats | Ints | Bools,
        cutoff: int | Ints | None = None,
        *,
        rows: Ints | None = None,
        name: str = "",
        column: str = "",
    ) -> Floats:
        """For each query, the values of its rows (or of some rows) added up in the order of rank, to a rank or the end.

        With a `name` the sum is a step of the arithmetic, and the values are shown as a `column`.
        """
        query = self.query if rows is None else self.query[rows]
        if cutoff is not None:
            depth = cutoff[query] if isinstance(cutoff, np.ndarray) else cutoff
            values = np.where((self.rank if rows is None else self.rank[rows]) <= depth, values, 0.0)
        total = totals(query, values, len(self))
        if self.working is not None and name:
            self.show(column, values, cutoff, rows=rows)
            self.working.add_up(name, column, total[0])
        return total

    def count(self, chosen: Bools, cutoff: int | Ints | None = None, *, name: str = "", column: str = "rel") -> Floats:
        """For each query, how many of its rows are chosen, to a rank or to the end; shown as `sum` shows a sum."""
        if cutoff is not None:
            depth = cutoff[self.query] if isinstance(cutoff, np.ndarray) else cutoff
            chosen = chosen & (self.rank <= depth)
        found = np.bincount(self.query[chosen], minlength=len(self)).astype(np.float64)
        if self.working is not None and name:
            self.show(column, chosen, cutoff)
            self.working.add_up(name, column, found[0])
        return found

    def cumulative(self, values: Floats | Bools) -> Floats:
        """For each row, the sum of the values of its query down to this row."""
        return cumulative(self.query, np.asarray(values, dtype=np.float64), len(self))

    def reached(self, stop: Floats) -> Floats:
        """For each row, the chance that a reader gets to it who stops at each document with a chance."""
        return reached(self.query, stop, len(self))

    # What measures write down

    def show(self, column: str, values: Any, cutoff: int | Ints | None = None, *, rows: Ints | None = None) -> None:
        """Show a value for each row (or for each of some rows), to a rank or to the end."""
        if self.working is not None:
            judgment, rank = (self.judgment, self.rank) if rows is None else (self.judgment[rows], self.rank[rows])
            if cutoff is not None:
                inside = rank <= np.atleast_1d(cutoff)[0]
                judgment, values = judgment[inside], np.asarray(values)[inside]
            self.working.show(column, judgment.tolist(), values)

    def show_highest(self, values: Floats, *, name: str, column: str) -> None:
        """Show the highest of the values of all rows (0 or more) as a step, in the first row that has it."""
        if self.working is not None:
            highest = np.flatnonzero(values == values.max(initial=0.0))[:1]
            self.sum(values[highest], rows=highest, name=name, column=column)

    def show_ideal(
        self,
        columns: Mapping[str, Floats],
        depth: int | Ints | None = None,
        *,
        name: str,
        total: Floats,
        rows: Ints | None = None,
    ) -> None:
        """Show columns of the ideal list, the last of which adds up to a total of this name, to a depth or the end.

        `rows` are the judgments that it is made of, where they do not follow from a column of gains.
        """
        if self.working is not None:
            top = None if depth is None else int(np.atleast_1d(depth)[0])
            self.working.ideal_rows = [] if rows is None else rows.tolist()
            self.working.ideal.update((column, values[:top].tolist()) for column, values in columns.items())
            self.working.add_up(name, list(columns)[-1], total[0], of_ideal=True)

    def step(self, name: str, formula: str, value: Numbers, **inputs: Any) -> Numbers:
        """The value, which follows from `inputs` and earlier steps as the formula says; see `Step`."""
        if self.working is not None:
            numbers = {key: float(np.atleast_1d(given)[0]) for key, given in inputs.items()}
            self.working.step(name, formula, value[0], numbers)
        return value

    def unexplained(self) -> Rankings:
        """Itself, with nothing to write on: for a value that is one step of a longer arithmetic."""
        return self if self.working is None else replace(self, working=None)


def _costs_of_one(costs: Sequence[float]) -> CostsByRank:
    """What the documents of a single query cost, in the order of rank."""
    checked = Costs.from_dict({f"d{rank}": cost for rank, cost in enumerate(costs, 1)})
    return CostsByRank(checked.cost, np.array([len(costs)]), checked.below)


def _new_places(row: Ints, moved: Ints, places: Ints) -> Ints:
    """Where rows stand after the rows `moved` went to `places`."""
    by_row = np.argsort(moved)
    at = np.minimum(np.searchsorted(moved, row, sorter=by_row), len(moved) - 1)
    return np.where(moved[by_row[at]] == row, places[by_row[at]], row)
