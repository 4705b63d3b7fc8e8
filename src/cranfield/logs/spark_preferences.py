"""From a log on a cluster to preferences, which the workers make and write."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.data.topics import Topics
from cranfield.logs.log import Log
from cranfield.logs.preference_file import none_certain
from cranfield.logs.preferences import ENOUGH, preferences_of, rule_of, votes
from cranfield.logs.spark_engine import SparkEngine
from cranfield.logs.spark_topics import SparkTopics, spark_topics
from cranfield.spark.failures import in_words
from cranfield.spark.folders import write_folder
from cranfield.spark.scratch import refuse_old

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

_PREFERENCES = (
    "text string, first string, second string, preferred string, other string, votes bigint, chances bigint, "
    "against bigint, against_chances bigint, low double, high double, certain boolean, one_sided boolean, told boolean"
)


@dataclass(frozen=True)
class WrittenPreferences:
    """What was written, and of how much."""

    pairs: int
    one_sided: int
    certain: int
    written: int
    topics: int
    matched: SparkTopics


def write_inferred_preferences(
    log: Log,
    engine: SparkEngine,
    output: str,
    rule: str = "skip-above",
    *,
    enough: int = ENOUGH,
    uncertain: bool = False,
    topics: Topics | None = None,
    topics_output: str | None = None,
) -> WrittenPreferences:
    """Preferences as those of `cranfield.logs.preferences` by topic, written as a folder of Parquet with the columns
    that their table has; topics that are made go to another folder."""
    from pyspark import StorageLevel

    chosen = rule_of(rule)

    def made(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            table = pa.Table.from_batches([batch])
            yield from _rows(table, enough).to_batches()

    for folder in filter(None, (output, topics_output)):
        refuse_old(engine.cluster, folder)
    with in_words(engine.cluster, log.path), contextlib.ExitStack() as keeping:
        found = engine.rows(votes(log.impressions, chosen)).mapInArrow(made, _PREFERENCES)
        found = found.persist(StorageLevel.MEMORY_AND_DISK)
        keeping.callback(found.unpersist)
        counts = found.selectExpr("count(*)", "count_if(one_sided)", "count_if(certain)", "count_if(told)").first()
        assert counts is not None
        pairs, one_sided, certain, told = counts
        if not (told if uncertain else certain):
            raise none_certain(pairs, one_sided, enough)
        kept = found.where("told" if uncertain else "certain")
        matched = keeping.enter_context(spark_topics(kept.select("text"), topics))
        by_topic = kept.join(matched.table, "text").persist(StorageLevel.MEMORY_AND_DISK)
        keeping.callback(by_topic.unpersist)
        written, judged = by_topic.count(), by_topic.select("query_id").distinct().count()
        write_folder(engine.cluster, _table(by_topic), output)
        if topics_output is not None:
            write_folder(engine.cluster, matched.table, topics_output)
        return WrittenPreferences(pairs, one_sided, certain, written, judged, matched)


def _rows(table: pa.Table, enough: int) -> pa.Table:
    import pyarrow as pa

    found = preferences_of(table, enough)
    columns = {
        "preferred": pa.array(found.preferred, pa.string()),
        "other": pa.array(found.other, pa.string()),
        "votes": found.votes,
        "chances": found.chances,
        "against": found.against,
        "against_chances": found.against_chances,
        "low": found.interval.lower,
        "high": found.interval.upper,
        "certain": found.certain,
        "one_sided": found.one_sided,
        "told": found.told,
    }
    same = {name: table[name].cast(pa.string()) for name in ("text", "first", "second")}
    return pa.table({**same, **columns})


def _table(by_topic: DataFrame) -> DataFrame:
    """Each preference is a judgment group of its own, in the order of the alphabet within its topic."""
    from pyspark.sql import Window
    from pyspark.sql.functions import row_number

    group = row_number().over(Window.partitionBy("query_id").orderBy("first", "second")).cast("bigint")
    same = ("query_id", "group", "0L AS subgroup")
    numbered = by_topic.withColumn("group", group)
    one = numbered.selectExpr(*same, "preferred AS doc_id", "1L AS level", "votes", "chances", "low", "high")
    other = numbered.selectExpr(
        *same,
        "other AS doc_id",
        "0L AS level",
        "against AS votes",
        "against_chances AS chances",
        "-high AS low",
        "-low AS high",
    )
    return one.unionAll(other)
