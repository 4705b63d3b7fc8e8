"""DuckDB inside this process, within bounds: so much memory, the rest on disk."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import MissingExtraError
from cranfield.logs.staging.sql import MACROS, literal

if TYPE_CHECKING:
    import duckdb

MEMORY = "CRANFIELD_LOG_MEMORY"
"""The variable that says how much memory DuckDB may take, such as 3GB."""
_USUAL = "1500MB"
"""With what Python and Arrow take beside it, an import stays within about 2 GB."""


def bounds(spill: Path) -> dict[str, str | bool | int | float | list[str]]:
    """Settings with which DuckDB takes only so much memory, and puts what does not fit into a folder.

    Rows keep their order only where a statement says so: to keep that of files takes memory for nothing.
    """
    memory = os.environ.get(MEMORY, _USUAL)
    return {"memory_limit": memory, "temp_directory": str(spill), "preserve_insertion_order": "false"}


@contextlib.contextmanager
def connection(spill: Path, *, time_zone: str = "UTC") -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that puts what does not fit in memory into a folder, which is gone afterwards."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtraError("query logs", "logs") from None
    with contextlib.closing(duckdb.connect(config=bounds(spill))) as made:
        made.execute(f"SET TimeZone = {literal(time_zone)}")
        made.execute(MACROS)
        yield made
