"""A command in a terminal of its own, whose screen one can look at and whose keys one can press."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

import pyte

CRANFIELD = (sys.executable, "-m", "cranfield")
PATIENCE = 30.0
"""Seconds after which something that was waited for is not coming."""
JUDGING = frozenset("0123usz")
UNHURRIED = 0.2
"""Seconds after which a key is not taken for one that nobody pressed on purpose."""


class PseudoTerminal:
    """A command, mostly `cranfield` with these arguments, in a terminal of 80 columns and 24 rows."""

    def __init__(
        self,
        *arguments: str | Path,
        cwd: Path | None = None,
        columns: int = 80,
        rows: int = 24,
        program: Sequence[str] = CRANFIELD,
    ) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.sent = b""
        """Everything that the command has written."""
        command = [*program, *map(str, arguments)]
        kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
        inside, outside = os.pipe()
        self.pid, self._tty = pty.fork()
        if self.pid == 0:  # the command: it begins when the terminal has its size
            os.read(inside, 1)
            os.chdir(cwd or Path.cwd())
            os.execve(command[0], command, {**kept, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"})
        self.resize(columns, rows)
        os.write(outside, b"\0")
        for end in (inside, outside):
            os.close(end)
        self.usual = termios.tcgetattr(self._tty)
        self.exit_code: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self.exit_code is None:
            self.send(signal.SIGKILL)
            self.end()
        if self._tty >= 0:
            os.close(self._tty)

    def resize(self, columns: int, rows: int) -> None:
        """Another size of the window, of which the command hears by a signal."""
        fcntl.ioctl(self._tty, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def type(self, keys: str | bytes) -> None:
        """Press keys."""
        os.write(self._tty, keys.encode() if isinstance(keys, str) else keys)

    def send(self, number: signal.Signals) -> None:
        """A signal to the command."""
        os.kill(self.pid, number)

    @property
    def rows(self) -> list[str]:
        return [row.rstrip() for row in self.screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    @property
    def modes(self) -> list[object]:
        """How the terminal treats what is typed."""
        return termios.tcgetattr(self._tty)[:4]

    def wait(self, until: str | Callable[[], bool]) -> str:
        """Look at the screen until it shows a text, or something else is so; gives what it shows then."""
        fits = until if callable(until) else lambda: until in self.text
        end = time.monotonic() + PATIENCE
        while not fits():
            assert time.monotonic() < end, f"{until} did not come; the screen is\n{self.text}"
            assert self._read(0.2) or self._alive() or fits(), f"it ended; the screen is\n{self.text}"
        return self.text

    def press(self, keys: str, until: str | Callable[[], bool]) -> str:
        """Press keys and wait for what comes of it; where one key may judge, as somebody would who has looked."""
        if keys in JUDGING:
            time.sleep(UNHURRIED)
        self.type(keys)
        return self.wait(until)

    def hang_up(self) -> None:
        """Close the window."""
        os.close(self._tty)
        self._tty = -1

    def end(self) -> int:
        """Wait until the command has ended; gives its exit code, negative for a signal."""
        end = time.monotonic() + PATIENCE
        while self._alive():
            assert time.monotonic() < end, f"it does not end; the screen is\n{self.text}"
            self._read(0.05)
        while self._read(0.0):
            pass
        assert self.exit_code is not None
        return self.exit_code

    def _alive(self) -> bool:
        if self.exit_code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.exit_code = os.waitstatus_to_exitcode(status)
        return self.exit_code is None

    def _read(self, patience: float) -> bool:
        if self._tty < 0:
            time.sleep(patience)
            return False
        ready, _, _ = select.select([self._tty], [], [], patience)
        content = b""
        if ready:
            with contextlib.suppress(OSError):  # nobody has the other end open any more
                content = os.read(self._tty, 1 << 16)
        self.sent += content
        self._stream.feed(content)
        return bool(content)
