"""Run the command line as a user does: a process of its own, with streams or a terminal of its own."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.cli.fork_server import fork_server

TIMEOUT = 300
"""Seconds after which a command hangs."""


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    exit_code: int
    stdout: bytes
    stderr: str

    @property
    def text(self) -> str:
        return self.stdout.decode("utf-8", "surrogateescape")


def run_cranfield(
    *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None, environment: dict[str, str] | None = None
) -> Done:
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    (to_read, writes), (reads, output), (says, errors) = os.pipe(), os.pipe(), os.pipe()
    with (
        ThreadPoolExecutor(3) as pool,
        open(writes, "wb") as to_write,
        open(reads, "rb") as stdout,
        open(says, "rb") as stderr,
    ):
        ended = pool.submit(_run, arguments, cwd, {**kept, **(environment or {})}, (to_read, output, errors))
        written, said = pool.submit(stdout.read), pool.submit(stderr.read)
        with contextlib.suppress(BrokenPipeError), to_write:
            to_write.write(stdin)
        return Done(ended.result(), written.result(), said.result().decode("utf-8", "replace"))


def run_in_terminal(
    *arguments: str,
    cwd: Path | None = None,
    columns: int = 0,
    terminal: str = "xterm",
    plain: bool = True,
    anew: bool = False,
) -> str:
    """What the command shows in a terminal of so many columns (0: unknown); without codes for bold type if `plain`.

    If `anew`, an interpreter starts and loads it, as in a shell.
    """
    screen, inside = os.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24 if columns else 0, columns, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    nothing = os.open(os.devnull, os.O_RDONLY)
    with ThreadPoolExecutor(1) as pool, open(screen, "rb", buffering=0) as shown:
        ended = pool.submit(_run, arguments, cwd, {**kept, "TERM": terminal}, (nothing, inside, inside), anew)
        output = b""
        with contextlib.suppress(OSError):  # the terminal is gone when the process ends
            while piece := shown.read(1 << 16):
                output += piece
        ended.result()
    text = output.decode().replace("\r\n", "\n")
    return re.sub(r"\x1b\[[0-9;]*m", "", text) if plain else text


def _run(
    arguments: Sequence[str | Path],
    cwd: Path | None,
    environment: dict[str, str],
    streams: tuple[int, int, int],
    anew: bool = False,
) -> int:
    """Run the command with these streams, which are closed when it has ended; the exit code."""
    words = [*map(str, arguments)]
    try:
        if not anew and fork_server().suits(environment):
            return fork_server().run(words, cwd or Path.cwd(), environment, streams, timeout=TIMEOUT)
        stdin, stdout, stderr = streams
        command = [sys.executable, "-m", "cranfield", *words]
        return subprocess.call(
            command, stdin=stdin, stdout=stdout, stderr=stderr, cwd=cwd, env=environment, timeout=TIMEOUT
        )
    finally:
        for stream in {*streams}:
            os.close(stream)
