"""What answers questions about a log: DuckDB inside this process, or Spark on a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    import ibis
    import pyarrow as pa


class Engine(Protocol):
    """Reads the tables of a log, and says what expressions over them come to."""

    name: ClassVar[str]

    def text(self, place: str) -> str | None:
        """What a small file says; None if there is no such file."""

    def table(self, name: str, place: str) -> ibis.Table:
        """One of `cranfield.logs.tables.SCHEMA`, from all Parquet files below a folder."""

    def run(self, expression: ibis.Expr) -> pa.Table:
        """What an expression over the tables comes to; of a scalar, the value."""

    def keep(self, expression: ibis.Table) -> ibis.Table:
        """The same table, worked out once and kept: for what several questions are put to."""
