"""What each run comes to: its values put together in the order of the judged queries, their means, and its coverage.

Means are taken over the same values in the same order as anywhere else, so that they are the same to the last bit.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.data.arrow import identifiers_from_arrow
from cranfield.data.strings import Bools, Floats, Strings, decode, group_heads
from cranfield.data.values import in_row
from cranfield.evaluation.coverage import DEPTH
from cranfield.measures import Measure
from cranfield.spark.query_values import arrow_kinds, value_columns, value_names
from cranfield.spark.rows import JUDGMENTS

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

SUMMARY = (
    "run int, tag binary, documents bigint, most_documents bigint, judged_first double, tied_documents bigint, "
    "tied_topics bigint, missing array<binary>, unjudged array<binary>, means array<double>, found binary, "
    "counted binary, values array<binary>"
)


def by_run(values: DataFrame, runs: int, parts: int) -> DataFrame:
    """The rows of each run in one part, sorted by query; below each, the one that counts where the run lacks it."""
    from pyspark.sql import functions

    numbers = values.sparkSession.range(runs).select(functions.col("id").cast("int").alias("of"))
    nobody = values.where(values.run == JUDGMENTS).crossJoin(functions.broadcast(numbers))
    lacking = nobody.withColumn("run", functions.col("of")).drop("of")
    rows = values.where(values.run != JUDGMENTS).unionByName(lacking)
    return rows.repartition(min(parts, runs), "run").sortWithinPartitions("run", "query", functions.desc("found"))


class Summed(NamedTuple):
    """The rows of a run, one for each of its queries and of those judged."""

    run: int
    table: pa.Table
    query: Strings
    judged: Bools
    found: Bools
    counted: Bools

    def column(self, name: str) -> Any:
        return self.table.column(name).to_numpy()


@dataclass(frozen=True)
class Counting:
    """What of the rows counts."""

    measures: tuple[Measure, ...]
    skips: bool
    """Whether queries that the run lacks are left out."""
    lists_missing: bool

    def kept(self, run: Summed) -> Bools:
        """Whose values are in the mean."""
        counted = run.judged & run.counted
        return counted & run.found if self.skips else counted

    def listed(self, run: Summed) -> Bools:
        """Who has a line of its own."""
        kept = self.kept(run)
        return kept if self.lists_missing else kept & run.found


@dataclass(frozen=True)
class Summaries:
    """What workers need to know to sum up runs."""

    counting: Counting
    with_values: bool

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        kinds = arrow_kinds(SUMMARY)
        for run in whole_runs(batches):
            summary = self._summary(run)
            yield pa.RecordBatch.from_pydict({name: pa.array([summary[name]], kind) for name, kind in kinds.items()})

    def _summary(self, run: Summed) -> dict[str, Any]:
        there = run.judged & run.found
        retrieved, tied, first = (run.column(name)[there] for name in ("retrieved", "tied", "judged_first"))
        strange = np.flatnonzero(~run.judged)
        strange = strange[np.argsort(run.column("first_place")[strange], kind="stable")]
        kept = self.counting.kept(run)
        columns = [
            (measure, run.table.column(name))
            for measure, name in zip(self.counting.measures, value_names(self.counting.measures), strict=True)
        ]
        return {
            "run": run.run,
            "tag": _last_tag(run),
            "documents": int(retrieved.sum()),
            "most_documents": int(retrieved.max(initial=0)),
            "judged_first": float(np.mean(first / np.minimum(retrieved, DEPTH))) if there.any() else 0.0,
            "tied_documents": int(tied.sum()),
            "tied_topics": int(np.count_nonzero(tied)),
            "missing": run.query.take(np.flatnonzero(run.judged & ~run.found)).tolist(),
            "unjudged": run.query.take(strange).tolist(),
            "means": [
                measure.aggregate(column.to_numpy()[kept]) if measure.definition.aggregate != "none" else 0.0
                for measure, column in columns
            ],
            "found": np.packbits(run.found[run.judged]).tobytes(),
            "counted": np.packbits(run.counted[run.judged]).tobytes(),
            "values": [packed(column, run.judged) for _, column in columns] if self.with_values else [],
        }


def packed(column: Any, rows: Bools) -> bytes:
    """The values of some rows: floats as they are, texts as JSON."""
    values = column.to_numpy()[rows]
    return values.tobytes() if values.dtype == np.float64 else json.dumps(values.tolist()).encode()


def unpacked(data: bytes, measure: Measure, rows: Bools) -> Floats | list[str]:
    """What was packed, of some rows."""
    if measure.definition.aggregate != "none":
        values: Floats = np.frombuffer(data, dtype=np.float64)[rows]
        return values
    return [text for text, kept in zip(json.loads(data), rows.tolist(), strict=True) if kept]


@dataclass(frozen=True)
class Listing:
    """What workers need to know to list values: a row for each query of each run that has a line of its own."""

    counting: Counting
    names: tuple[str, ...]

    @property
    def schema(self) -> str:
        return ", ".join(["run string", "query string", *value_columns(self.counting.measures)])

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for run in whole_runs(batches):
            rows = np.flatnonzero(self.counting.listed(run))
            columns = {
                "run": pa.array([self.names[run.run]] * len(rows), pa.string()),
                "query": _as_text(run.query.take(rows)),
                **{name: run.table.column(name).take(rows) for name in value_names(self.counting.measures)},
            }
            yield from pa.table(columns).to_batches()


def _as_text(queries: Strings) -> Any:
    """Queries as text; bytes that are not UTF-8 cannot be held by a column of text, and are shown."""
    import pyarrow as pa

    return pa.array([decode(query).encode("utf-8", "backslashreplace") for query in queries.tolist()]).cast(pa.string())


def _last_tag(run: Summed) -> bytes | None:
    """The tag of the last line of a run, if any has one."""
    place = run.table.column("last_place")
    marked = np.flatnonzero(place.is_valid().to_numpy())
    if not len(marked):
        return None
    at = marked[np.argmax(place.take(marked).to_numpy())]
    tag: bytes = run.table.column("tag")[int(at)].as_py()
    return tag


def whole_runs(batches: Iterable[pa.RecordBatch]) -> Iterator[Summed]:
    """The rows of each run together, of which every query has one."""
    import pyarrow as pa

    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        run = batch.column("run").to_numpy()
        edges = (np.flatnonzero(run[1:] != run[:-1]) + 1).tolist()
        for begin, end in zip([0, *edges], [*edges, len(run)], strict=True):
            if end == begin:
                continue
            if waiting and waiting[0].column("run")[0].as_py() != int(run[begin]):
                yield _summed(pa.Table.from_batches(waiting))
                waiting = []
            waiting.append(batch.slice(begin, end - begin))
    if waiting:
        yield _summed(pa.Table.from_batches(waiting))


def _summed(table: pa.Table) -> Summed:
    query = identifiers_from_arrow(table.column("query"), "query", in_row("rows"))
    # What the run itself has for a query stands above what counts where it has nothing.
    one_of_each = group_heads(query)
    table = table.take(one_of_each)
    judged, found, counted = (table.column(name).to_numpy() for name in ("judged", "found", "counted"))
    return Summed(table.column("run")[0].as_py(), table, query.take(one_of_each), judged, found, counted)
