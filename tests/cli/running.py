"""Run the command line as a user does: a process of its own."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
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


def run_cranfield(*arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None) -> Done:
    done = subprocess.run(
        [sys.executable, "-m", "cranfield", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        timeout=300,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def run_in_terminal(*arguments: str, cwd: Path | None = None) -> str:
    """What the command shows in a terminal, without the codes for bold type."""
    screen, inside = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "cranfield", *arguments],
        stdin=subprocess.DEVNULL, stdout=inside, stderr=inside, cwd=cwd,
    )  # fmt: skip
    os.close(inside)
    output = b""
    with contextlib.suppress(OSError):  # the terminal is gone when the process ends
        while piece := os.read(screen, 1 << 16):
            output += piece
    os.close(screen)
    process.wait(timeout=60)
    return re.sub(r"\x1b\[[0-9;]*m", "", output.decode()).replace("\r\n", "\n")
