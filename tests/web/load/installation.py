"""An installation of its own with a real server, which can be killed and started again at the same address."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent.parent


@dataclass
class Installation:
    """A folder, a database and a port."""

    folder: Path
    database_url: str = ""
    threads: int = 8
    port: int = field(default_factory=lambda: _free_port())
    process: subprocess.Popen[bytes] | None = None

    def environment(self) -> dict[str, str]:
        own = {"CRANFIELD_JUDGING": str(self.folder), "DJANGO_SETTINGS_MODULE": "cranfield.web.settings"}
        return {
            **os.environ,
            **own,
            "DATABASE_URL": self.database_url,
            "PYTHONPATH": str(ROOT),
            "CRANFIELD_LOG": "ERROR",
        }

    def run(self, module: str, *arguments: str) -> str:
        command = [sys.executable, "-m", module, *arguments]
        done = subprocess.run(
            command, env=self.environment(), check=True, stdout=subprocess.PIPE, text=True, timeout=300
        )
        return done.stdout

    def migrate(self) -> None:
        self.run("django", "migrate", "-v", "0")

    def ask(self, *arguments: object) -> dict[str, Any]:
        """What a command of `pool` prints."""
        printed: dict[str, Any] = json.loads(self.run("tests.web.load.pool", *map(str, arguments)))
        return printed

    def start(self) -> None:
        """The server, in a process of its own; returns when it takes calls."""
        listen, threads = f"--listen=127.0.0.1:{self.port}", f"--threads={self.threads}"
        command = [sys.executable, "-m", "waitress", listen, threads, "cranfield.web.wsgi:application"]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(command, env=self.environment(), stdout=log, stderr=log, cwd=self.folder)
        for _ in range(1200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError(f"the server did not start: {(self.folder / 'server.log').read_text()}")

    def processor_seconds(self) -> float:
        """What the server has spent until now, as Linux counts it."""
        assert self.process is not None
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """In the middle of whatever it does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@contextlib.contextmanager
def postgres_database(server: str) -> Iterator[str]:
    """The address of a database of its own on a server, gone afterwards."""
    import uuid

    import psycopg
    from psycopg import sql

    name = f"judging_{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield server.rpartition("/")[0] + f"/{name}"
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _free_port() -> int:
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        port: int = chosen.getsockname()[1]
        return port
