"""Installations of the application in folders of their own, and processes that serve them."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from tests.cli.running import Done, run_cranfield
from tests.engines.services import address

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Installation:
    """A folder, and the address of a database if it is not the SQLite of that folder."""

    folder: Path
    url: str = ""

    @property
    def environment(self) -> dict[str, str]:
        return {
            "CRANFIELD_JUDGING": str(self.folder),
            "DATABASE_URL": self.url,
            "CRANFIELD_HOSTS": "",
            "CRANFIELD_TLS": "",
        }

    def web(self, *arguments: str | Path, **environment: str) -> Done:
        """`cranfield web` with these arguments."""
        return run_cranfield("web", *arguments, environment={**self.environment, **environment})

    def several(self, *commands: tuple[str | Path, ...], **environment: str) -> list[Done]:
        """`cranfield web` several times, in one process."""
        done = subprocess.run(
            [sys.executable, "-m", "tests.web.several"],
            input=json.dumps([["web", *map(str, arguments)] for arguments in commands]),
            env={**os.environ, **self.environment, **environment},
            cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return [Done(code, out.encode(), error) for code, out, error in json.loads(done.stdout)]

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        """Everything in a table, by its first column."""
        statement = f"SELECT * FROM {table} ORDER BY 1"
        if self.url:
            import psycopg

            with psycopg.connect(self.url) as there:
                return list(there.execute(statement.encode()))
        with contextlib.closing(sqlite3.connect(self.folder / "judging.sqlite3")) as here:
            return list(here.execute(statement))

    def filled(self, *arguments: str) -> Installation:
        """The same, with accounts, a project and judgments in it."""
        done = subprocess.run(
            [sys.executable, "-m", "tests.web.filling", *arguments],
            env={**os.environ, **self.environment},
            cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return self


@contextlib.contextmanager
def postgres_database() -> Iterator[str]:
    """The address of a database that is gone afterwards."""
    import uuid

    import psycopg
    from psycopg import sql

    server, name = address("postgres"), f"test_{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@dataclass
class Server:
    """A process that serves, and all that it has printed so far."""

    process: subprocess.Popen[bytes]
    printed: str = ""

    def until(self, pattern: str, seconds: float = 60) -> re.Match[str]:
        """Wait until something is printed."""
        assert self.process.stdout is not None
        end = time.monotonic() + seconds
        while (found := re.search(pattern, self.printed)) is None:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            piece = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
            assert piece, f"no {pattern!r} in: {self.printed}"
            self.printed += piece.decode()
        return found

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal, and wait: the exit code."""
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=60)
        self.printed += rest.decode()
        return self.process.returncode


@contextlib.contextmanager
def serving(at: Installation, *arguments: str, **environment: str) -> Iterator[Server]:
    """`cranfield judge` on a port that is free; killed at the end, if it still runs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cranfield", "judge", "--port", "0", *arguments],
        env={**os.environ, **at.environment, "PYTHONUNBUFFERED": "1", **environment},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    server = Server(process)
    try:
        yield server
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
        if process.stdout is not None:
            process.stdout.close()
