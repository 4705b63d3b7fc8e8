"""Asking an engine topic by topic, several at once where it allows that."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Mapping
from time import perf_counter
from typing import NamedTuple

from cranfield.engines.engine import Engine, Hits
from cranfield.errors import CranfieldError, EngineError

_AHEAD = 4
"""How many answers of each thread may wait to be taken."""


class Asked(NamedTuple):
    """A topic, what came back or why nothing did, and how long that took."""

    topic: str
    hits: Hits
    failure: CranfieldError | None
    seconds: float | None
    """None where that is not known."""


def ask(engine: Engine, queries: Mapping[str, str], k: int, concurrency: int) -> Iterator[Asked]:
    """Ask for each topic, and give answers as they come."""
    if concurrency == 1 or len(queries) < 2:
        return (_ask_one(engine, topic, query, k) for topic, query in queries.items())
    return _ask_side_by_side(engine, queries, k, min(concurrency, len(queries)))


def _ask_one(engine: Engine, topic: str, query: str, k: int) -> Asked:
    begun = perf_counter()
    try:
        hits = engine.search(query, k)
        return Asked(topic, hits, None, perf_counter() - begun)
    except CranfieldError as error:
        return Asked(topic, (), error, perf_counter() - begun)
    except Exception as error:  # whatever an engine of the user's own raises, other topics are not lost for it
        return Asked(topic, (), EngineError(f"{type(error).__name__}: {error}"), perf_counter() - begun)


def _ask_side_by_side(engine: Engine, queries: Mapping[str, str], k: int, concurrency: int) -> Iterator[Asked]:
    waiting, taking = iter(queries.items()), threading.Lock()
    answered: queue.SimpleQueue[Asked] = queue.SimpleQueue()
    # Answers do not pile up where they are not taken as fast as they come.
    room = threading.Semaphore(_AHEAD * concurrency)
    stopped = False

    def work() -> None:
        while room.acquire() and not stopped:
            with taking:
                item = next(waiting, None)
            if item is None:
                return
            answered.put(_ask_one(engine, *item, k))

    # As daemons they do not keep the process from ending while an engine does not answer.
    threads = [threading.Thread(target=work, daemon=True) for _ in range(concurrency)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(len(queries)):
            yield answered.get()
            room.release()
    finally:
        stopped = True
        room.release(concurrency)
