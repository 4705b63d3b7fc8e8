"""Whether all Parquet files of a table have its columns: Spark itself takes a column that a file lacks for empty."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from cranfield.errors import DataError
from cranfield.spark.failures import in_words

if TYPE_CHECKING:
    from cranfield.spark.session import Cluster

_FIELD = re.compile(r"^  (?:required|optional|repeated) .*?(\S+)(?: \(.*\))?(?: = \d+)?(?:;| \{)$", re.MULTILINE)


def check_columns(cluster: Cluster, address: str, columns: Collection[str]) -> None:
    """An error that names the first file below a folder which lacks a column, or which is no Parquet at all.

    The ends of all files are read, where their columns are told.
    """
    session = cluster.session()
    assert session._jvm is not None
    java: Any = session._jvm.org.apache
    settings = session._jsc.hadoopConfiguration()
    with in_words(cluster, address):
        folder = java.hadoop.fs.Path(address)
        status = folder.getFileSystem(settings).getFileStatus(folder)
        known = dict[str, list[str]]()
        for footer in java.parquet.hadoop.ParquetFileReader.readFooters(settings, status, True):
            schema = footer.getParquetMetadata().getFileMetaData().getSchema().toString()
            if schema not in known:
                there = set(_FIELD.findall(schema))
                known[schema] = [name for name in columns if name not in there]
            if known[schema]:
                raise DataError(
                    f"{footer.getFile().toString()}: this Parquet file lacks columns of its table: "
                    f"{', '.join(known[schema])}. Write it anew"
                )
