"""Runs scored against judgments on a cluster: the same evaluator, for the queries that each worker has."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.data.strings import Floats, decode
from cranfield.errors import UsageError
from cranfield.evaluation.coverage import Coverage
from cranfield.evaluation.evaluator import DEFAULT_MEASURES, Evaluator, Measures
from cranfield.evaluation.inputs import run_names
from cranfield.evaluation.judgments_given import as_intents, check_measures
from cranfield.evaluation.provenance.origin import Input, Origin, Role, read_input
from cranfield.evaluation.result import Evaluation, RunEvaluation, Scores
from cranfield.measures import Measure
from cranfield.spark.by_query import by_query, parts_for
from cranfield.spark.failures import in_words
from cranfield.spark.files_given import find
from cranfield.spark.folders import write_folder
from cranfield.spark.judgment_facts import example_judgments
from cranfield.spark.query_values import QueryValues, value_names
from cranfield.spark.rows import JUDGMENTS, RowLayout
from cranfield.spark.run_summaries import SUMMARY, Counting, Listing, Summaries, by_run, unpacked
from cranfield.spark.scratch import refuse_old
from cranfield.spark.session import Cluster
from cranfield.spark.tables import Table, open_table, read_table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_VALUES = 1 << 25
"""So many values (256 MB of them) are held where the evaluation is asked for; beyond that, means alone."""
_NOT_HERE = {
    "ties": ("docid", "--ties (ties=)"),
    "residuals": (False, "--residuals (residuals=)"),
    "highest_grade": (None, "--highest-grade (highest_grade=)"),
    "intervals": (None, "--intervals (intervals=)"),
}
"""Options that need the rankings and not only the values of each query."""


class JudgedQueries(NamedTuple):
    """What an evaluation on a cluster knows of its judgments."""

    name: str
    queries: tuple[str, ...]
    without_relevant: tuple[str, ...]


class SparkEvaluator:
    """As `Evaluator`, for judgments and runs that Spark reads: files, folders, patterns and addresses.

    What is held here is a value for each measure and query of each run, as far as that is not too much, the names of
    the judged queries, and those that a run lacks; `per_query` names a folder for the values of all.
    """

    def __init__(
        self,
        qrels: str | os.PathLike[str],
        measures: Measures = DEFAULT_MEASURES,
        *,
        cluster: Cluster | None = None,
        per_query: str | None = None,
        needs_values: bool = True,
        qrels_format: str | None = None,
        run_format: str | None = None,
        intents: Any = None,
        provenance: bool = False,
        **options: Any,
    ) -> None:
        """Look at the judgments once, and check that they and the options will do.

        `needs_values` says that means alone are of no use, so that too many values are an error.
        """
        options = _without_refused(options)
        self.cluster = cluster or Cluster()
        self._per_query = per_query
        self._needs_values = needs_values
        self._run_format = run_format
        self._provenance = provenance
        self._name = os.fspath(qrels)
        if per_query is not None:
            refuse_old(self.cluster, per_query)
        self._judgments = open_table(self.cluster, "qrels", find(self.cluster, [self._name]), qrels_format)
        layout = RowLayout(**{name: name in self._judgments.has for name in ("stratum", "method", "probability")})
        read = read_table(self.cluster, self._judgments, layout)
        self._example = Evaluator(
            example_judgments(self.cluster, read, self._name), measures, **options, provenance=False
        )
        check_measures(self.measures, self._example.relevance, intents=intents is not None)
        self._intents = None if intents is None else as_intents(intents)
        self._example.intents = intents
        self._input = _read_by_spark("qrels", self._name, qrels_format, hashed=provenance)
        self._options = {**options, "costs": self._example.costs, "default_cost": None}
        self._layout = RowLayout(
            places=not self._example.plain,
            query_order=self._example.plain and self._example.relevance == "qrels" and self._example.costs is None,
            ranks=any(rules.ties == "rank" for rules in self._example.rules.values()),
            stratum=layout.stratum,
            method=layout.method,
            probability=layout.probability,
        )

    @property
    def measures(self) -> tuple[Measure, ...]:
        return self._example.measures

    def adapt(self, measure: Measure) -> Measure:
        """See `Evaluator.adapt`."""
        return self._example.adapt(measure)

    @cached_property
    def qrels(self) -> JudgedQueries:
        """The names of the judged queries."""
        rows = read_table(self.cluster, self._judgments, RowLayout())
        with in_words(self.cluster, self._name):
            found = rows.select("query").distinct().toArrow().column("query").to_pylist()
        return JudgedQueries(self._name, tuple(map(decode, sorted(found))), ())

    def evaluate_all(self, runs: Sequence[Any], *, names: Sequence[str] | None = None) -> Evaluation:
        """Evaluate all runs in one job."""
        if not runs:
            raise UsageError("there is no run to evaluate")
        if not all(isinstance(run, (str, os.PathLike)) for run in runs):
            raise UsageError("on Spark runs are files that all workers see, not data in memory")
        given = find(self.cluster, [os.fspath(run) for run in runs])
        called = list(names) if names and len(names) == len(given) else run_names([one.name for one in given])
        table = open_table(self.cluster, "run", given, self._run_format)
        with self._values(table, called) as values, in_words(self.cluster, self._name):
            judged = self._judged(values)
            counting = Counting(self.measures, self._example.missing == "skip", self._example.profile.lists_missing)
            rows = by_run(values, len(called), values.rdd.getNumPartitions())
            if self._per_query is not None:
                self._write(rows, Listing(counting, tuple(called)), self._per_query)
            whole = len(called) * len(judged.queries) * len(self.measures) <= MOST_VALUES
            if self._needs_values and not whole:
                raise UsageError(_too_many(len(called), len(judged.queries), len(self.measures)))
            summed = rows.mapInArrow(Summaries(counting, whole), SUMMARY).toArrow().sort_by("run").to_pylist()
        return Evaluation(
            tuple(
                self._result(row, judged, called[number], given[number].name, counting, whole=whole)
                for number, row in enumerate(summed)
            )
        )

    @contextmanager
    def _values(self, table: Table, names: Sequence[str]) -> Iterator[DataFrame]:
        """The values of all runs, kept on the disks of the workers as long as they are needed."""
        from pyspark import StorageLevel

        rows = read_table(self.cluster, table, self._layout)
        rows = rows.unionByName(read_table(self.cluster, self._judgments, self._layout))
        order = self._layout.query_order
        task = QueryValues(self.measures, self._options, self._intents, tuple(names), self._name, order)
        parts = parts_for(self.cluster, table.unpacked_bytes + self._judgments.unpacked_bytes)
        values = by_query(rows, parts).mapInArrow(task, task.schema).persist(StorageLevel.DISK_ONLY)
        try:
            yield values
        finally:
            values.unpersist()

    def _judged(self, values: DataFrame) -> JudgedQueries:
        found = values.where(values.run == JUDGMENTS).select("query", "relevant").toArrow().sort_by("query")
        queries = tuple(map(decode, found.column("query").to_pylist()))
        relevant = found.column("relevant").to_pylist()
        lacking = tuple(query for query, has in zip(queries, relevant, strict=True) if not has)
        return JudgedQueries(self._name, queries, lacking)

    def _write(self, rows: DataFrame, listing: Listing, folder: str) -> None:
        table = rows.mapInArrow(listing, listing.schema)
        named = dict(zip(value_names(self.measures), map(str, self.measures), strict=True))
        write_folder(self.cluster, table.withColumnsRenamed(named), folder)

    def _result(
        self, row: Mapping[str, Any], judged: JudgedQueries, name: str, file: str, counting: Counting, *, whole: bool
    ) -> RunEvaluation:
        example, total = self._example, len(judged.queries)
        found, counted = (
            np.unpackbits(np.frombuffer(row[of], dtype=np.uint8), count=total).astype(np.bool_)
            for of in ("found", "counted")
        )
        missing = tuple(map(decode, row["missing"]))
        coverage = Coverage(
            judged=total,
            found=total - len(missing),
            missing=missing,
            unjudged=tuple(map(decode, row["unjudged"])),
            without_relevant=judged.without_relevant,
            documents=row["documents"],
            most_documents=row["most_documents"],
            judged_at_10=row["judged_first"],
            tied_documents=row["tied_documents"],
            tied_topics=row["tied_topics"],
            missing_means="left out" if counting.skips else "scored 0",
        )
        example.missing_topics.check(coverage, judged.queries, name)
        kept = counted & found if counting.skips else counted
        listed = np.ones(int(kept.sum()), dtype=np.bool_) if counting.lists_missing else found[kept]
        queries = judged.queries
        if not kept.all():
            queries = tuple(query for query, stays in zip(queries, kept.tolist(), strict=True) if stays)
        columns: dict[Measure, Floats | list[str]] = {
            measure: [] if measure.definition.aggregate == "none" else np.zeros(0) for measure in self.measures
        }
        if whole:
            columns = {m: unpacked(data, m, kept) for m, data in zip(self.measures, row["values"], strict=True)}
        means = {
            str(measure): mean
            for measure, mean in zip(self.measures, row["means"], strict=True)
            if measure.definition.aggregate != "none"
        }
        return SummedRun(
            name,
            name if row["tag"] is None else decode(row["tag"]),
            example.profile.name,
            self.measures,
            queries,
            columns,
            listed if whole else np.zeros(len(queries), dtype=np.bool_),
            coverage,
            example.settings,
            warnings=example.warnings,
            origin=self._origin(file),
            means=means,
        )

    def _origin(self, file: str) -> Origin:
        """Where values come from."""
        example, hashed = self._example, self._provenance
        read = _read_by_spark("run", file, self._run_format, hashed=hashed)
        return Origin(example.profile, (self._input, *example.inputs[1:], read), time.time(), hashed)


@dataclass(frozen=True, eq=False, repr=False)
class SummedRun(RunEvaluation):
    """The values of a run, or its means alone, where the values are too many to be held."""

    means: Mapping[str, float] = None  # type: ignore[assignment]

    @cached_property
    def mean(self) -> Scores:
        """As the workers took them, unless the values have since become deviations."""
        return super().mean if self.standardised else Scores(self.means)


def _read_by_spark(role: Role, name: str, format: str | None, *, hashed: bool) -> Input:
    """The record of what Spark reads: of a file here with its hash, if that is wanted; others are not read here."""
    if os.path.isfile(name):
        return read_input(role, name, lambda: None, hashed=hashed, format=format)[1]
    return Input(role, name, format=format)


def _without_refused(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options but for those that cannot be had here; an error if one of these was asked for."""
    for name, (usual, said) in _NOT_HERE.items():
        if options.get(name, usual) != usual:
            raise UsageError(f"{said} needs more of each run than its values, and has no answer on Spark: leave it out")
    if options.get("relevance") == "prefs":
        raise UsageError("-R prefs (relevance='prefs') is not read by Spark; -R qrels_prefs makes preferences of qrels")
    return {name: value for name, value in options.items() if name not in (*_NOT_HERE, "confidence", "seed")}


def _too_many(runs: int, queries: int, measures: int) -> str:
    return (
        f"{runs} runs, {queries} topics and {measures} measures are {runs * queries * measures} values, and at most "
        f"{MOST_VALUES} are held here. Ask for means alone, or for fewer runs or measures; --per-query (per_query=) "
        "writes the values of all to a folder"
    )
