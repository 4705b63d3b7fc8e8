"""The lists and judgments of a piece."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.data.arrow import identifiers_from_arrow
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.strings import Ints, Strings, group_heads
from cranfield.data.values import in_row
from cranfield.spark.rows import JUDGMENTS

if TYPE_CHECKING:
    import pyarrow as pa


class Marks(NamedTuple):
    """Where the lines of each query of a run begin in its file, and of some queries a tag and the place of its line."""

    first: Ints
    last: dict[int, int]
    tag: dict[int, bytes]


NO_MARKS = Marks(np.zeros(0, dtype=np.int64), {}, {})


class PieceLists:
    """The columns of a piece."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table
        self._query = self._strings("query")
        self._document = self._strings("document")
        self._value = table.column("value").to_numpy()
        self._run = table.column("run").to_numpy()
        self.judgments = int(np.count_nonzero(self._run == JUDGMENTS))
        self.first_query = self._query[0]

    def _strings(self, name: str) -> Strings:
        return identifiers_from_arrow(self._table.column(name), name, in_row("rows"))

    def qrels(self, name: str) -> Qrels:
        rows = np.flatnonzero(self._run == JUDGMENTS)
        table = self._table.take(rows)

        def column(of: str) -> Strings | None:
            there = of in table.column_names and not table.column(of).null_count
            return identifiers_from_arrow(table.column(of), of, in_row(name)) if there else None

        probability = None
        if "probability" in table.column_names and not table.column("probability").null_count:
            probability = table.column("probability").to_numpy()
        return Qrels(
            self._query.take(rows),
            self._document.take(rows),
            self._value[rows],
            column("label"),
            stratum=column("stratum"),
            method=column("method"),
            probability=probability,
            name=name,
        ).checked(source=name)

    def runs(self) -> Iterator[tuple[int, Ints]]:
        """The rows of each run."""
        rows = np.flatnonzero(self._run != JUDGMENTS)
        rows = rows[np.argsort(self._run[rows], kind="stable")]
        ordered = self._run[rows]
        edges = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
        for part in np.split(rows, edges):
            if len(part):
                yield int(self._run[part[0]]), part

    def run(self, rows: Ints | slice, name: str) -> Run:
        rank = None
        if "given_rank" in self._table.column_names:
            given = self._table.column("given_rank").to_numpy()[rows]
            rank = None if np.isnan(given).any() else given
        return Run(self._query.take(rows), self._document.take(rows), self._value[rows], name=name, rank=rank)

    def marks(self, rows: Ints, run: Run, *, query_order: bool) -> Marks:
        """Rows are sorted by query, as those of the run are."""
        group = np.cumsum(np.isin(np.arange(len(rows)), group_heads(self._query.take(rows)))) - 1
        place, label = (self._table.column(name).take(rows) for name in ("place", "label"))
        first = np.zeros(len(run.query_ids), dtype=np.int64)
        if query_order:
            marked = np.flatnonzero(place.is_valid().to_numpy())[::-1]  # the first of a query has the last word
            first[group[marked]] = place.fill_null(0).to_numpy()[marked]
        last, tag = dict[int, int](), dict[int, bytes]()
        for row in np.flatnonzero(label.is_valid().to_numpy()).tolist():
            at, found = int(group[row]), place[row].as_py()
            if at not in last or found > last[at]:
                last[at], tag[at] = found, label[row].as_py()
        return Marks(first, last, tag)
