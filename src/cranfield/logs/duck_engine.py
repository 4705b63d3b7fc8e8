"""DuckDB inside this process answers questions about a log."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from cranfield.errors import MissingExtraError
from cranfield.logs.duck import MEMORY

if TYPE_CHECKING:
    import ibis
    import pyarrow as pa

_USUAL = "2GB"


class DuckEngine:
    """See `cranfield.logs.engine.Engine`."""

    name: ClassVar[str] = "duckdb"

    def text(self, place: str) -> str | None:
        path = Path(place)
        return path.read_text() if path.is_file() else None

    def table(self, name: str, place: str) -> ibis.Table:
        # The day is a column of the files too; that of the folders would be taken for a date.
        found: ibis.Table = self._backend.read_parquet(str(Path(place) / "*" / "*.parquet"), hive_partitioning=False)
        return found

    def run(self, expression: ibis.Expr) -> pa.Table:
        return self._backend.to_pyarrow(expression)

    @cached_property
    def _backend(self) -> Any:
        try:
            import ibis
        except ImportError:
            raise MissingExtraError("query logs", "logs") from None
        return ibis.duckdb.connect(memory_limit=os.environ.get(MEMORY, _USUAL))
