"""From the words of queries in a log on a cluster to topics."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from cranfield.data.topics import Topics
from cranfield.errors import DataError
from cranfield.logs.topic_texts import normalised

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame


_TEXTS_A_PART = 500_000
"""That one worker puts in order."""


class SparkTopics(NamedTuple):
    """Topics, and how far they are those of the log; see `cranfield.logs.topic_texts.TopicTexts`."""

    table: DataFrame
    """Of `query_id` and `text`."""
    number: int
    silent: int
    strangers: int


@contextlib.contextmanager
def spark_topics(texts: DataFrame, topics: Topics | None = None) -> Iterator[SparkTopics]:
    """The topics that have these texts, a column `text`, as their words; without topics every text becomes one, as
    `cranfield.logs.topic_texts.topic_texts` has it. The workers keep the table until the end."""
    different = texts.where("text IS NOT NULL").distinct()
    if topics is None:
        from pyspark import StorageLevel

        parts = math.ceil(different.count() / _TEXTS_A_PART) or 1
        ordered = different.repartitionByRange(parts, "text").sortWithinPartitions("text")
        ordered = ordered.persist(StorageLevel.MEMORY_AND_DISK)
        try:
            yield _numbered(ordered, parts)
        finally:
            ordered.unpersist()
    else:
        yield _known(different, topics)


def _known(different: DataFrame, topics: Topics) -> SparkTopics:
    import pyarrow as pa
    from pyspark.sql.functions import broadcast

    said = topics.queries()
    words = normalised(list(said.values()))
    table = different.sparkSession.createDataFrame(pa.table({"query_id": list(said), "text": words}))
    found = set(different.join(broadcast(table.select("text").distinct()), "text").toArrow()["text"].to_pylist())
    if not found:
        raise DataError(
            f"{topics.name}: none of these {len(topics)} topics has words that were searched for in the log: are these "
            "its topics?"
        )
    silent = sum(each not in found for each in words)
    return SparkTopics(broadcast(table), len(topics), silent, different.count() - len(found))


def _numbered(ordered: DataFrame, parts: int) -> SparkTopics:
    """q1, q2 and so on, in the order of their words: each worker counts on from where the one before it ends."""
    sizes: dict[int, int] = dict(ordered.mapInArrow(_sizes, "part int, size bigint").collect())
    ends = list(accumulate(sizes.get(part, 0) for part in range(parts)))

    def numbered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        part = _part()
        at = ends[part] - sizes.get(part, 0)
        for batch in batches:
            names = pa.array([f"q{at + each}" for each in range(1, len(batch) + 1)], pa.string())
            at += len(batch)
            yield pa.record_batch([names, batch.column(0)], names=["query_id", "text"])

    return SparkTopics(ordered.mapInArrow(numbered, "query_id string, text string"), sum(sizes.values()), 0, 0)


def _sizes(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    size = sum(map(len, batches))
    yield pa.record_batch([pa.array([_part()], pa.int32()), pa.array([size], pa.int64())], names=["part", "size"])


def _part() -> int:
    """Which part of a table this task has."""
    from pyspark import TaskContext

    task = TaskContext.get()
    assert task is not None
    return task.partitionId()
