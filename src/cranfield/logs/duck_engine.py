"""DuckDB inside this process answers questions about a log."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import uuid4

from cranfield.errors import DataError, MissingExtraError
from cranfield.logs.duck import bounds
from cranfield.logs.staging.sql import literal, parquet_files
from cranfield.logs.tables import SCHEMA, Column, typed_columns

if TYPE_CHECKING:
    import ibis
    import pyarrow as pa


_TYPES = {"VARCHAR": "string", "BIGINT": "int64", "INTEGER": "int32", "DOUBLE": "float64", "BOOLEAN": "boolean"}
"""What Ibis calls the types of columns."""


class DuckEngine:
    """See `cranfield.logs.engine.Engine`."""

    name: ClassVar[str] = "duckdb"

    def text(self, place: str) -> str | None:
        path = Path(place)
        return path.read_text() if path.is_file() else None

    def table(self, name: str, place: str) -> ibis.Table:
        if next(Path(place).glob("*/*.parquet"), None) is None:
            raise DataError(
                f"{place}: there is no such table: was the log copied as a whole? `cranfield logs settle` makes the "
                "tables anew from what was imported"
            )
        backend, view = self._backend, f"{name}_{uuid4().hex}"
        from ibis.expr.operations import DatabaseTable
        from ibis.expr.schema import Schema

        backend.raw_sql(f"CREATE TEMPORARY VIEW {view} AS FROM {parquet_files('*/*.parquet', Path(place))}")
        # Its columns are known: to have Ibis ask for them takes longer than many a question.
        columns = Schema({column.name: _TYPES[column.kind] for column in SCHEMA[name]})
        found: ibis.Table = DatabaseTable(view, columns, backend).to_expr()
        return found

    def run(self, expression: ibis.Expr) -> pa.Table:
        return self._backend.to_pyarrow(expression)

    def keep(self, expression: ibis.Table) -> ibis.Table:
        kept: ibis.Table = self._backend.create_table(f"kept_{uuid4().hex}", expression, temp=True)
        return kept

    def write(self, expression: ibis.Table, columns: Sequence[Column], file: Path) -> None:
        """Write these columns of what an expression comes to as Parquet, rows in order."""
        # A cast by Ibis would leave sums as they are: it takes them for what they are to be, and they are wider.
        statement = f"SELECT {typed_columns(columns)} FROM ({self._backend.compile(expression)}) ORDER BY ALL"
        self._backend.raw_sql(f"COPY ({statement}) TO {literal(str(file))} (FORMAT parquet, COMPRESSION zstd)")

    @cached_property
    def _backend(self) -> Any:
        try:
            import ibis
        except ImportError:
            raise MissingExtraError("query logs", "logs") from None
        # DuckDB makes the folder when something does not fit in memory, and removes it in the end.
        return ibis.duckdb.connect(**bounds(Path(tempfile.gettempdir()) / f"cranfield-log-{uuid4().hex}"))
