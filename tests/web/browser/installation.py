"""The application as it is installed, in a thread of the test: waitress over SQLite in a file.

The test looks into the same database. Requests of a browser come several at a time, so the database in memory that
other tests share will not do.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.wsgi import get_wsgi_application
from django.db import connections


@contextlib.contextmanager
def database(file: Path) -> Iterator[None]:
    """Everything looks into this file, in this thread and in those that begin meanwhile."""
    before, settings = connections["default"], connections.settings["default"]
    name = settings["NAME"]
    settings["NAME"] = str(file)
    connections["default"] = connections.create_connection("default")
    try:
        yield
    finally:
        connections["default"].close()
        connections["default"] = before
        settings["NAME"] = name


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """The address of the application."""
    from waitress import wasyncore
    from waitress.server import create_server

    sockets: dict[int, Any] = {}
    server = create_server(get_wsgi_application(), map=sockets, host="127.0.0.1", port=0, threads=8)
    over = threading.Event()

    def serve() -> None:
        while not over.is_set():
            wasyncore.loop(timeout=0.1, map=sockets, count=1)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}"
    finally:
        server.task_dispatcher.shutdown()
        over.set()
        thread.join()
        wasyncore.close_all(sockets)
