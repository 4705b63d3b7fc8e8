"""Run the command line as a user does: a process of its own."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import struct
import subprocess
import sys
import termios
from dataclasses import dataclass
from pathlib import Path


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
    done = subprocess.run(
        [sys.executable, "-m", "cranfield", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env={**kept, **(environment or {})},
        timeout=300,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def run_in_terminal(
    *arguments: str, cwd: Path | None = None, columns: int = 0, terminal: str = "xterm", plain: bool = True
) -> str:
    """What the command shows in a terminal of so many columns (0: unknown); without codes for bold type if `plain`."""
    screen, inside = os.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24 if columns else 0, columns, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "cranfield", *arguments],
        stdin=subprocess.DEVNULL, stdout=inside, stderr=inside, cwd=cwd, env={**kept, "TERM": terminal},
    )  # fmt: skip
    os.close(inside)
    output = b""
    with contextlib.suppress(OSError):  # the terminal is gone when the process ends
        while piece := os.read(screen, 1 << 16):
            output += piece
    os.close(screen)
    process.wait(timeout=60)
    text = output.decode().replace("\r\n", "\n")
    return re.sub(r"\x1b\[[0-9;]*m", "", text) if plain else text
