"""Spark answers questions about a log: the same expressions, wherever the files are that Spark can read."""

from __future__ import annotations

from functools import cached_property
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from cranfield.errors import MissingExtraError
from cranfield.logs.tables import SCHEMA
from cranfield.spark.failures import in_words
from cranfield.spark.parquet_columns import check_columns
from cranfield.spark.session import Cluster

if TYPE_CHECKING:
    import ibis
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

_KINDS = {"VARCHAR": "STRING", "INTEGER": "INT"}
"""The types of columns that Spark names otherwise than DuckDB."""
_NUMBERS = count()
"""Views of one session need names of their own."""


class SparkEngine:
    """See `cranfield.logs.engine.Engine`. A place may be a path that all workers see, or any address that Spark reads
    (s3a, hdfs, gs) by its own settings."""

    name: ClassVar[str] = "spark"

    def __init__(self, cluster: Cluster | None = None) -> None:
        self.cluster = cluster or Cluster()

    @cached_property
    def session(self) -> SparkSession:
        return self.cluster.session()

    def text(self, place: str) -> str | None:
        if "://" not in place:
            path = Path(place)
            return path.read_text() if path.is_file() else None
        from pyspark.errors import AnalysisException

        with in_words(self.cluster, place):
            try:
                return str(self.session.read.text(place, wholetext=True).collect()[0][0])
            except AnalysisException:  # there is no such file
                return None

    def table(self, name: str, place: str) -> ibis.Table:
        columns = ", ".join(f"`{one.name}` {_KINDS.get(one.kind, one.kind)}" for one in SCHEMA[name])
        address = _address(place)
        check_columns(self.cluster, address, [one.name for one in SCHEMA[name]])
        with in_words(self.cluster, place):
            found = self.session.read.schema(columns).option("recursiveFileLookup", "true").parquet(address)
        return self._named(found, name)

    def run(self, expression: ibis.Expr) -> pa.Table:
        table, rows = expression.as_table(), self.rows(expression)
        with in_words(self.cluster):
            answer = rows.toArrow().cast(table.schema().to_pyarrow())
        return answer if isinstance(expression, type(table)) else answer.column(0)[0]

    def rows(self, expression: ibis.Expr) -> DataFrame:
        """The same as a table of Spark's, of which nothing was computed yet."""
        name = f"cranfield_answer_{next(_NUMBERS)}"
        with in_words(self.cluster):
            self._backend.create_view(name, expression.as_table())
            found = self.session.table(name)
            self.session.catalog.dropTempView(name)
            return found

    def keep(self, expression: ibis.Table) -> ibis.Table:
        """The workers keep it till the session ends, in memory and beyond that on their disks."""
        return self._named(self.rows(expression).persist(), "kept")

    def _named(self, rows: DataFrame, name: str) -> ibis.Table:
        """Rows as a table of Ibis."""
        view = f"cranfield_{name}_{next(_NUMBERS)}"
        rows.createTempView(view)
        table: ibis.Table = self._backend.table(view)
        return table

    @cached_property
    def _backend(self) -> Any:
        try:
            import ibis
        except ImportError:
            raise MissingExtraError("query logs", "logs") from None
        return ibis.pyspark.connect(self.session)


def _address(place: str) -> str:
    """What Spark calls a place: a path here is one of files, whatever file system Spark is set to."""
    return place if "://" in place else Path(place).resolve().as_uri()
