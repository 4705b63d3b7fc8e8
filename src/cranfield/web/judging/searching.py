"""The engines that assessors search with: each is opened once in a process, and kept."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError, EngineError
from cranfield.web.projects.models import Project
from cranfield.web.search_places import allowed, configuration_at

if TYPE_CHECKING:
    from cranfield.engines.engine import Engine

PATIENCE = 10.0
"""How many seconds somebody waits for an engine that others are asking."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class _Opened:
    """An engine, the file that it is from as it was then, and how many may ask it at once."""

    engine: Engine
    made: int
    gate: threading.BoundedSemaphore


_kept: dict[Path, _Opened] = {}
_opening = threading.Lock()


def ask(project: Project, query: str, count: int) -> list[str]:
    """The documents that the engine of a project finds, best first.

    Whatever goes wrong is an `EngineError` for the assessor, who can do nothing about it; what it was is its cause, and
    in the log.
    """
    from cranfield.data.strings import decode
    from cranfield.engines.answers import checked

    if not project.engine:
        raise EngineError("there is no engine to search with in this project; its manager can name one in the settings")
    try:
        with _engine(project.engine) as engine:
            hits = engine.search(query, count)
        return [decode(document) for document in checked(hits, count).documents.tolist()]
    except _BusyError:
        raise EngineError("the search engine is busy; try again in a moment") from None
    except Exception as error:  # an engine may be a function of the user's own
        _log.warning("project %s: the engine %s failed: %s", project.pk, project.engine, error)
        if isinstance(error, CranfieldError | OSError):
            raise EngineError(
                "the search engine cannot be asked now. Try again in a while; if that does not help, tell the manager"
            ) from error
        raise EngineError("the search engine failed; tell the manager what you searched for") from error


def close_all() -> None:
    """Let go of all engines; they are opened again when they are asked."""
    with _opening:
        for opened in _kept.values():
            opened.engine.close()
        _kept.clear()


class _BusyError(Exception):
    """Others are asking, and it takes too long."""


@contextmanager
def _engine(location: str) -> Iterator[Engine]:
    """An engine while one asks it; no more than it allows do that at once."""
    opened = _open(allowed(location))
    if not opened.gate.acquire(timeout=PATIENCE):
        raise _BusyError
    try:
        yield opened.engine
    finally:
        opened.gate.release()


def _open(path: Path) -> _Opened:
    """The engine that is kept, or a new one if there is none, or if it was indexed anew since."""
    from cranfield.engines.index_record import FILE

    made = (path / FILE if path.is_dir() else path).stat().st_mtime_ns
    with _opening:
        kept = _kept.get(path)
        if kept is None or kept.made != made:
            engine = configuration_at(path).make()
            # Who still asks the one before does so undisturbed; it goes when nobody does any more.
            kept = _kept[path] = _Opened(engine, made, threading.BoundedSemaphore(max(1, engine.concurrency)))
        return kept
