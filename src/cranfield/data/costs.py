"""What it costs to read documents: seconds, characters, or whatever else a reader spends."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.data.columns import Columns
from cranfield.data.judgments import JudgmentTable
from cranfield.data.qrels import located, repetition
from cranfield.data.run import Run
from cranfield.data.strings import Bools, Codes, Floats, Ints, Strings, number, repeated_pairs
from cranfield.data.values import identifiers, in_row, nested, numbers, shown
from cranfield.errors import DataError, UsageError


class Costs:
    """What each document costs, the same for every query or not. Frozen and columnar.

    `default` is what a document costs that is not listed; without it, such a document is an error.

    >>> Costs.from_dict({"d1": 30, "d2": 12.5})
    <Costs costs: 2 documents>
    """

    def __init__(
        self,
        documents: Strings,
        cost: Floats,
        query: Strings | None = None,
        *,
        name: str = "costs",
    ) -> None:
        ids, code = ([], np.zeros(len(documents), dtype=np.int32)) if query is None else number(query)
        self.documents = documents
        self.cost = cost
        self.query: Codes = code
        self.position = None if query is None else {one: index for index, one in enumerate(ids)}
        self.default: float | None = None
        self.name = name

    @classmethod
    def from_dict(cls, costs: Mapping[Any, Any], *, name: str = "costs") -> Costs:
        """From `{document: cost}` or `{query: {document: cost}}`."""
        if any(isinstance(value, Mapping) for value in costs.values()):
            query, documents, cost = nested(costs, "cost", name)
            return cls(documents, cost, query, name=name).checked(unit="row")
        documents = identifiers(list(costs), "document", in_row(name))
        cost = numbers(list(costs.values()), "cost", in_row(name))
        return cls(documents, cost, name=name).checked(unit="row")

    @classmethod
    def from_columns(cls, columns: Columns, *, name: str = "costs") -> Costs:
        """From the columns document, cost and perhaps query, not yet checked."""
        return cls(columns.ids["document"], columns.numbers["cost"], columns.ids.get("query"), name=name)

    def checked(self, *, source: str = "", line: Codes | None = None, unit: str = "line") -> Costs:
        """Itself, if no cost is negative and no document has two.

        `line` gives the line of each row, for the message; `unit` says what is counted.
        """
        negative = np.flatnonzero(self.cost < 0)
        if len(negative):
            row = int(negative[0])
            reason = f"document {shown(self.documents[row])} costs {self.cost[row]:g}; a cost is at least 0"
            raise located(reason, row + 1 if line is None else int(line[row]), source or self.name, unit)
        twice = repeated_pairs(self.query, self.documents, self._hashes)
        if twice is not None:
            reason = f"document {shown(self.documents[twice[1]])} has two costs"
            raise repetition(reason, twice, None, source or self.name, line, unit)
        return self

    def or_else(self, default: float | None) -> Costs:
        """The same costs, with `default` (if it is given) for documents that are not listed."""
        if default is None:
            return self
        if not 0 <= default < np.inf:
            raise UsageError(f"a document that is not listed costs (--default-cost) at least 0, not {default:g}")
        changed = copy(self)
        changed.default = float(default)
        return changed

    @property
    def below(self) -> float:
        """What a document costs that would come below the end of a list: the default, or else the mean of all costs.

        If nothing costs anything it is 1: a reader who never spends anything would go on for ever.
        """
        return self.default or (float(self.cost.mean()) if len(self) else 0.0) or 1.0

    @cached_property
    def _hashes(self) -> Any:
        return self.documents.hash64()

    @cached_property
    def _table(self) -> JudgmentTable:
        return JudgmentTable(self.query, self.documents, self._hashes)

    def of(self, run: Run, rows: Ints) -> Floats:
        """What the documents in these rows of a run cost."""
        documents = run.documents.take(rows)
        if self.position is None:
            where = np.zeros(len(rows), dtype=np.int32)
        else:
            known = [self.position.get(query, -1) for query in run.query_ids]
            where = np.array(known, dtype=np.int32)[run.query[rows]]
        found, at = self._table.find(where, documents, run.hashes[rows])
        if len(found) < len(rows) and self.default is None:
            raise self._missing(run, rows, found)
        cost = np.full(len(rows), np.nan if self.default is None else self.default)
        cost[found] = self.cost[at]
        return cost

    def _missing(self, run: Run, rows: Ints, found: Ints) -> DataError:
        lacks = np.ones(len(rows), dtype=np.bool_)
        lacks[found] = False
        first = int(rows[np.flatnonzero(lacks)[0]])
        return DataError(
            f"{self.name}: no cost for {int(lacks.sum())} of the {len(rows)} documents that {run.name} returns, "
            f"such as {shown(run.documents[first])} for query {shown(run.query_ids[run.query[first]])}. Add them, or "
            f"say with --default-cost (default_cost=) what a document costs that is not listed."
        )

    def __len__(self) -> int:
        return len(self.cost)

    def __repr__(self) -> str:
        return f"<Costs {self.name}: {len(self)} documents>"


@dataclass(eq=False, repr=False)
class CostsByRank:
    """What the documents of rankings cost: `cost` has one number for each, query by query, in the order of rank."""

    cost: Floats
    retrieved: Ints
    below: float
    """What a document costs that would come below the end of a list."""

    @cached_property
    def _start(self) -> Ints:
        return np.cumsum(self.retrieved) - self.retrieved

    def cut(self, depth: int) -> CostsByRank:
        """Of the first `depth` documents of each query."""
        rank = np.arange(len(self.cost)) - np.repeat(self._start, self.retrieved)
        return CostsByRank(self.cost[rank < depth], np.minimum(self.retrieved, depth), self.below)

    def only(self, query: Codes, rank: Ints, retrieved: Ints) -> CostsByRank:
        """Of some documents, of which each query has so many."""
        return CostsByRank(self.cost[self._start[query] + rank - 1], retrieved, self.below)

    def down_to(self, query: Ints, depth: int) -> Floats:
        """Of some queries, the cost at each rank from 1 to a depth: queries down, ranks across."""
        rank = np.arange(depth)
        within: Bools = rank < self.retrieved[query][:, None]
        out = np.full(within.shape, self.below)
        out[within] = self.cost[(self._start[query][:, None] + rank)[within]]
        return out
