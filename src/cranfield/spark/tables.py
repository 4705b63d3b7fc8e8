"""Runs and judgments as tables of Spark, of which nothing is read before a job needs it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from cranfield.data.shapes import SHAPES
from cranfield.errors import DataError, UsageError
from cranfield.formats import recognise
from cranfield.formats.files import open_source
from cranfield.spark.failures import in_words
from cranfield.spark.files_given import Given
from cranfield.spark.parquet_rows import ParquetParser
from cranfield.spark.rows import JUDGMENTS, Origin, RowLayout
from cranfield.spark.same_version import same_version
from cranfield.spark.text_rows import TextParser

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from cranfield.spark.session import Cluster

    Rows = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]

TEXT_FORMATS = {"qrels": ("trec", "strata", "prels"), "run": ("trec",)}
"""The formats of text whose lines can be read one by one, wherever a worker begins."""
_LINES_LOOKED_AT = 100
_STRUCTURES = re.compile(r'"STRUCT<(.*?)>"')
_PACKED = 5
"""About how often text is as large as the same packed."""


class Table(NamedTuple):
    """What was found of runs or of judgments, and how it is to be read."""

    kind: str
    given: tuple[Given, ...]
    format: str
    """Of those that are text."""
    has: frozenset[str]
    """The columns that it has besides those that all have."""

    @property
    def unpacked_bytes(self) -> int:
        """About how large the files are as text."""
        files = [file for one in self.given for file in one.files]
        return sum(file.bytes * (_PACKED if file.packed else 1) for file in files)


def open_table(cluster: Cluster, kind: str, given: Sequence[Given], format: str | None) -> Table:
    """Find out how files are to be read; an error if Spark cannot read them here."""
    if format is not None and format not in (*TEXT_FORMATS[kind], "parquet"):
        raise UsageError(_no_format(kind, format))
    if format is not None:
        given = [one._replace(kind="parquet" if format == "parquet" else "text") for one in given]
    text = [one for one in given if one.kind == "text"]
    parquet = [one for one in given if one.kind == "parquet"]
    known = TEXT_FORMATS[kind]
    found = format or (known[0] if len(known) == 1 or not text else _recognised(cluster, kind, text[0]))
    has = set[str]()
    if text:
        has |= {"strata": {"stratum"}, "prels": {"method", "probability"}}.get(found, set())
    if parquet:
        has |= _names(kind, _parquet(cluster, parquet), parquet).keys()
    return Table(kind, tuple(given), found, frozenset(has))


def read_table(cluster: Cluster, table: Table, layout: RowLayout) -> DataFrame:
    """The rows of a table; those of judgments have the number of no run, those of the first run that of 0."""
    files = [
        (file.said, Origin(JUDGMENTS if table.kind == "qrels" else run, ordinal, one.name))
        for run, one in enumerate(table.given)
        for ordinal, file in enumerate(one.files)
    ]
    origins = _by_hash(cluster, files)
    parts = [
        read(cluster, [one for one in table.given if one.kind == kind], table, origins, layout)
        for kind, read in (("text", _text_rows), ("parquet", _parquet_rows))
        if any(one.kind == kind for one in table.given)
    ]
    return reduce(lambda a, b: a.unionByName(b), parts)


def _text_rows(
    cluster: Cluster, given: Sequence[Given], table: Table, origins: dict[int, Origin], layout: RowLayout
) -> DataFrame:
    from pyspark.sql import functions

    lines = _lines(cluster, given).select(
        functions.col("value").cast("binary").alias("line"),
        functions.xxhash64("_metadata.file_path").alias("file"),
        functions.col("_metadata.file_block_start").alias("block"),
    )
    return lines.mapInArrow(same_version(TextParser(table.kind, table.format, origins, layout)), layout.schema)


def _lines(cluster: Cluster, given: Sequence[Given]) -> DataFrame:
    addresses = [file.address for one in given for file in one.files]
    with in_words(cluster, given[0].name):
        # A lone carriage return, which Spark would take for the end of a line, is white space to us.
        return cluster.session().read.option("lineSep", "\n").text(addresses)


def _parquet_rows(
    cluster: Cluster, given: Sequence[Given], table: Table, origins: dict[int, Origin], layout: RowLayout
) -> DataFrame:
    from pyspark.sql import functions

    found = _parquet(cluster, given)
    names = _names(table.kind, found, given)
    rows = found.select(
        *(functions.col(f"`{name}`") for name in names.values()),
        functions.xxhash64("_metadata.file_path").alias("file"),
        functions.col("_metadata.row_index").alias("row"),
    )
    # Elsewhere a table is sorted as it is read, so that no one knows how its queries followed.
    layout = replace(layout, query_order=False)
    return rows.mapInArrow(same_version(ParquetParser(table.kind, names, origins, layout)), layout.schema)


def _parquet(cluster: Cluster, given: Sequence[Given]) -> DataFrame:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    addresses = [file.address for one in given for file in one.files]
    with in_words(cluster, given[0].name):
        try:
            return cluster.session().read.option("mergeSchema", "true").parquet(*addresses)
        except (PySparkException, Py4JError) as error:
            differing = _STRUCTURES.findall(str(error))
            if "CANNOT_MERGE_SCHEMAS" not in str(error) or len(differing) < 2:
                raise
            raise DataError(
                f"{given[0].name} and others: the columns of these Parquet files differ in their types, and files that "
                f"are read together need the same ({differing[0]}; {differing[1]})"
            ) from None


def _names(kind: str, table: DataFrame, given: Sequence[Given]) -> dict[str, str]:
    return SHAPES[kind].match(table.columns, given[0].name)


def _recognised(cluster: Cluster, kind: str, given: Given) -> str:
    """The format that the first lines of a file are in."""
    with in_words(cluster, given.name):
        lines = _lines(cluster, [given._replace(files=given.files[:1])]).selectExpr("cast(value as binary)")
        first = lines.limit(_LINES_LOOKED_AT).collect()
    head = b"".join(bytes(row[0]) + b"\n" for row in first)
    with open_source(io.BytesIO(head), given.name) as source:
        found: str = recognise(kind, source).NAME
    if found not in TEXT_FORMATS[kind]:
        raise UsageError(f"{given.name}: {_no_format(kind, found)}")
    return found


def _no_format(kind: str, format: str) -> str:
    known = " or ".join(TEXT_FORMATS[kind])
    return (
        f"on Spark a file of {kind} is text in the format {known}, or Parquet, and not {format}; `cranfield convert` "
        "makes one of the other"
    )


def _by_hash(cluster: Cluster, files: Sequence[tuple[str, Origin]]) -> dict[int, Origin]:
    """The origins by the hashes of what rows say of their file: a number goes with every row, a path would be long."""
    from pyspark.sql import functions

    session = cluster.session()
    with in_words(cluster):
        (row,) = (
            session.range(1)
            .select(functions.array(*[functions.xxhash64(functions.lit(f)) for f, _ in files]))
            .collect()
        )
    hashes = row[0]
    return dict(zip(hashes, (origin for _, origin in files), strict=True))
