"""What an import works out once, so that no analysis of a whole log has to go through all its rows for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.logs.asked import asked_of
from cranfield.logs.clicks import counts_of, pairs_of, ranks_of
from cranfield.logs.cohorts import returns_of
from cranfield.logs.duck_engine import DuckEngine
from cranfield.logs.log import Log
from cranfield.logs.reformulations import changes_of
from cranfield.logs.tables import SUMMARIES, whole_file
from cranfield.logs.traffic import sessions_of, traffic_of

if TYPE_CHECKING:
    import ibis

_MADE: dict[str, Callable[[Log], ibis.Table]] = {
    "counts": counts_of,
    "traffic": traffic_of,
    "sessions": sessions_of,
    "asked": asked_of,
    "changes": changes_of,
    "returns": returns_of,
    "ranks": ranks_of,
    "pairs": pairs_of,
}


def write_summaries(tables: Path) -> None:
    """Write what follows from the tables of a log beside them; some follow from others."""
    log = Log.unfinished(tables, engine := DuckEngine())
    for name, columns in SUMMARIES.items():
        engine.write(_MADE[name](log), columns, whole_file(tables, name))
