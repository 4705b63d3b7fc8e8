"""From a log on a cluster to judgments, which the workers make and write."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.data.topics import Topics
from cranfield.logs.clicks import ENOUGH
from cranfield.logs.evidence import COEC
from cranfield.logs.evidence_rows import Evidence
from cranfield.logs.grading import AT, INTERVAL, Grading
from cranfield.logs.inferring import COLUMNS, nothing_known
from cranfield.logs.log import Log
from cranfield.logs.spark_engine import SparkEngine
from cranfield.logs.spark_evidence import spark_evidence
from cranfield.logs.spark_topics import SparkTopics, spark_topics
from cranfield.spark.failures import in_words
from cranfield.spark.folders import write_folder
from cranfield.spark.scratch import refuse_old

if TYPE_CHECKING:
    import pyarrow as pa

_GRADED = (
    "query_id string, doc_id string, relevance bigint, value double, low double, high double, shown bigint, "
    "clicked bigint"
)


@dataclass(frozen=True)
class WrittenJudgments:
    """What was written."""

    grades: dict[int, int]
    """How many documents have each grade."""
    topics: int
    """How many have a judgment."""
    thin: int
    """Documents of these topics about which nothing is said, for they were shown too rarely."""
    clicks: int
    """How often documents were clicked in the log, whatever the topic."""
    matched: SparkTopics

    def __len__(self) -> int:
        return sum(self.grades.values())


def write_inferred_qrels(
    log: Log,
    engine: SparkEngine,
    output: str,
    source: str = COEC,
    *,
    rule: str = INTERVAL,
    at: Sequence[float] = AT,
    enough: int = ENOUGH,
    topics: Topics | None = None,
    topics_output: str | None = None,
    scratch: str | None = None,
) -> WrittenJudgments:
    """Grades as those of `cranfield.logs.inferring.infer_qrels`, written as a folder of Parquet with the columns that
    its table has; topics that are made go to another folder."""
    from pyspark import StorageLevel

    grading = Grading(rule, tuple(at))

    def graded(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            table = pa.Table.from_batches([batch])
            grades = pa.array(grading.grades(Evidence.of_table(table)))
            yield from table.append_column("relevance", grades).select(COLUMNS).to_batches()

    for folder in filter(None, (output, topics_output)):
        refuse_old(engine.cluster, folder)
    with (
        in_words(engine.cluster, log.path),
        spark_evidence(log, engine, source, enough=enough, scratch=scratch) as found,
        contextlib.ExitStack() as kept,
    ):
        evidence = found.persist(StorageLevel.MEMORY_AND_DISK)
        kept.callback(evidence.unpersist)
        matched = kept.enter_context(spark_topics(evidence.select("text"), topics))
        rows = evidence.join(matched.table, "text")
        known = rows.where("NOT isnan(value)")
        judged = known.mapInArrow(graded, _GRADED).persist(StorageLevel.MEMORY_AND_DISK)
        kept.callback(judged.unpersist)
        counts: dict[int, int] = dict(judged.groupBy("relevance").count().collect())
        if not counts:
            raise nothing_known(log, enough, topics)
        thin = rows.where("isnan(value)").count()
        write_folder(engine.cluster, judged, output)
        if topics_output is not None:
            told = judged.select("query_id").distinct()
            write_folder(engine.cluster, matched.table.join(told, "query_id", "left_semi"), topics_output)
        number = judged.select("query_id").distinct().count()
        clicks: int = evidence.agg({"clicked": "sum"}).collect()[0][0]
        if topics is None:
            matched = matched._replace(number=number)
        return WrittenJudgments(counts, number, thin, clicks, matched)
