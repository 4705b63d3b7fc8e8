"""Pools of more runs than one machine can read: Spark finds the first documents of every list.

Workers see the lists of a topic, and keep of each document the best rank at which any run has it, which is all that
some strategies ask. What is chosen of these documents is found here, as for any other pool; so the pool is the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.data.arrow import bytes_to_arrow, identifiers_from_arrow
from cranfield.data.run import Run
from cranfield.data.strings import Ints, number
from cranfield.data.values import in_row
from cranfield.errors import UsageError
from cranfield.evaluation.inputs import run_names
from cranfield.evaluation.provenance.origin import read_input
from cranfield.pooling.building import BuiltPool, build_pool
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.depth import Depth
from cranfield.pooling.run_lists import lists_of
from cranfield.pooling.sampling import RandomSample, StratifiedSample
from cranfield.pooling.strategy import Strategy
from cranfield.spark.by_query import by_query, parts_for, pieces
from cranfield.spark.failures import in_words
from cranfield.spark.files_given import find
from cranfield.spark.piece_lists import PieceLists
from cranfield.spark.rows import RowLayout
from cranfield.spark.tables import open_table, read_table

if TYPE_CHECKING:
    from collections.abc import Collection

    import pyarrow as pa

    from cranfield.spark.session import Cluster

BY_BEST_RANK = (Depth, RandomSample, StratifiedSample)
"""The strategies that ask of a document only the best rank that it has in any run."""
_SCHEMA = "query binary, document binary, run int, number bigint"
_NO_RUN = -1


def build_pool_on_spark(
    runs: Sequence[str | os.PathLike[str] | Run], strategy: Strategy | None = None, *, cluster: Cluster, **options: Any
) -> BuiltPool:
    """As `build_pool`, of runs that Spark reads: files, folders, patterns and addresses."""
    strategy = strategy or Depth()
    if not isinstance(strategy, BY_BEST_RANK):
        known = ", ".join(one.name for one in BY_BEST_RANK)
        raise UsageError(
            f"the strategy {strategy.name} needs the place of every document in every run, which Spark does not bring "
            f"together here; there are: {known}"
        )
    return build_pool(runs, strategy, **options, reading=partial(read_candidates, cluster))


def read_candidates(
    cluster: Cluster, runs: Sequence[Any], depth: int | None, *, input_format: str | None = None
) -> Candidates:
    """What runs returned, so many documents of each list, each document with its best rank alone."""
    if not runs:
        return Candidates.of([], depth)
    if any(isinstance(run, Run) for run in runs):
        raise UsageError("on Spark runs are files that all workers see, not data in memory")
    from pyspark import StorageLevel
    from pyspark.sql import functions

    given = find(cluster, [os.fspath(run) for run in runs])
    names = run_names([one.name for one in given])
    table = open_table(cluster, "run", given, input_format)
    rows = by_query(read_table(cluster, table, RowLayout()), parts_for(cluster, table.unpacked_bytes))
    with in_words(cluster, given[0].name):
        found = rows.mapInArrow(_BestRanks(tuple(names), depth), _SCHEMA).persist(StorageLevel.DISK_ONLY)
        try:
            of_document = found.where(found.run == _NO_RUN).groupBy("query", "document")
            best = of_document.agg(functions.min("number").alias("rank")).toArrow()
            counts = found.where(found.run != _NO_RUN).groupBy("query", "run").agg(functions.sum("number")).toArrow()
        finally:
            found.unpersist()
    sha256 = tuple(_sha256(one.name) for one in given)
    in_order = best.sort_by([("query", "ascending"), ("document", "ascending")])
    return _candidates(in_order, counts, names, depth, sha256)


def _sha256(name: str) -> str | None:
    """Of a file that is here; what is elsewhere is not read here."""
    return read_input("run", name, lambda: None, hashed=True)[1].sha256 if os.path.isfile(name) else None


@dataclass(frozen=True)
class _BestRanks:
    """What workers need to know to find the first documents of lists."""

    names: tuple[str, ...]
    depth: int | None

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for piece in pieces(batches):
            lists = PieceLists(piece.table)
            numbers, found = [], []
            for run, rows in lists.runs():
                numbers.append(run)
                found.append(lists_of(lists.run(rows, self.names[run]).checked(), self.depth, self.names[run]))
            candidates = Candidates.of_lists(found, self.depth)
            topics = pa.array(candidates.topic_ids, pa.binary())
            size = len(candidates)
            yield pa.RecordBatch.from_arrays(
                [
                    topics.take(candidates.topic),
                    bytes_to_arrow(candidates.documents),
                    pa.array(np.full(size, _NO_RUN, dtype=np.int32)),
                    pa.array(candidates.best_rank.astype(np.int64)),
                ],
                names=["query", "document", "run", "number"],
            )
            run_at, topic_at = np.nonzero(candidates.returned)
            yield pa.RecordBatch.from_arrays(
                [
                    topics.take(topic_at),
                    pa.nulls(len(run_at), pa.binary()),
                    pa.array(np.array(numbers, dtype=np.int32)[run_at]),
                    pa.array(candidates.returned[run_at, topic_at]),
                ],
                names=["query", "document", "run", "number"],
            )


@dataclass(frozen=True, eq=False, repr=False)
class _BestPlaces(Candidates):
    """Candidates of which only the best place is known, and how many documents each run (row) has for each topic."""

    counted: Ints = field(default_factory=lambda: np.zeros((0, 0), dtype=np.int64))

    @cached_property
    def returned(self) -> Ints:
        return self.counted

    def among(self, topics: Collection[bytes]) -> Candidates:
        kept = [topic in topics for topic in self.topic_ids]
        chosen = super().among(topics)
        assert isinstance(chosen, _BestPlaces)
        return replace(chosen, counted=self.counted[:, list(compress(range(len(kept)), kept))])


def _candidates(
    best: pa.Table, counts: pa.Table, names: Sequence[str], depth: int | None, sha256: tuple[str | None, ...]
) -> Candidates:
    """Of documents in the order of topic and name, with their best ranks."""
    topic_ids, topic = number(identifiers_from_arrow(best.column("query"), "query", in_row("documents")))
    place = {query: at for at, query in enumerate(topic_ids)}
    counted = np.zeros((len(names), len(topic_ids)), dtype=np.int64)
    query, run, size = (column.to_pylist() for column in counts.columns)
    counted[run, [place[one] for one in query]] = size
    documents = identifiers_from_arrow(best.column("document"), "document", in_row("documents"))
    return _BestPlaces(
        tuple(topic_ids),
        tuple(names),
        topic,
        documents,
        np.searchsorted(topic, np.arange(len(topic_ids) + 1)),
        np.arange(len(topic)),
        np.zeros(len(topic), dtype=np.int32),
        best.column("rank").to_numpy(),
        depth,
        sha256,
        counted,
    )
