"""The terminal while one judges: keys as they are pressed, a screen of its own, and all as it was at the end.

Signals are noted and answered between keys, so that nothing interrupts the writing of a judgment: a new size draws the
screen anew, Ctrl-Z gives the terminal back until one returns, and what asks the program to end does so in order.
"""

from __future__ import annotations

import contextlib
import copy
import os
import select
import signal
import sys
import termios
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import Any, Self

from cranfield.cli.judging.keys import Key, Keys
from cranfield.errors import UsageError

_ENTER = "\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[?2004h\x1b[?1004h"
"""A screen of its own, no lines that break by themselves, no cursor; what is pasted and who looks are told apart."""
_LEAVE = "\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?7h\x1b[0m\x1b[?1049l"
_REST_OF_SEQUENCE = 0.05
"""Seconds within which the rest of a key comes that is sent as several bytes."""
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def refuse_no_terminal() -> None:
    """An error where there is no terminal to judge in."""
    for stream, name in ((sys.stdin, "standard input"), (sys.stdout, "standard output")):
        if not stream.isatty():
            raise UsageError(
                f"judging needs a terminal, and {name} is none (a pipe, or a file); over ssh, `ssh -t` gives one"
            )
    kind = os.environ.get("TERM", "")
    if kind in ("", "dumb", "unknown"):
        raise UsageError(
            f"judging needs a terminal that can move its cursor, and TERM is {kind!r}; xterm or vt100 would do"
        )


class Terminal:
    """A terminal that is ours until the end, whatever that is."""

    def __init__(self, on_pause: Callable[[], None], on_resume: Callable[[], None]) -> None:
        """The assessor leaves with Ctrl-Z, and comes back."""
        refuse_no_terminal()
        self._in, self._out = sys.stdin.fileno(), sys.stdout.fileno()
        self._on_pause, self._on_resume = on_pause, on_resume
        utf8 = "utf" in (sys.stdout.encoding or "").lower()
        self.encoding = "utf-8" if utf8 else "ascii"
        self.ended_by: int | None = None
        """The signal that asked the program to end; a terminal that is gone counts as SIGHUP."""
        self.reads = 0
        """How often something was read: keys of one read came at once, however long it takes to answer each."""
        self._keys = Keys()
        self._noted: set[int] = set()
        self._handlers: dict[int, Any] = {}
        self._usual: list[Any] = []

    def __enter__(self) -> Self:
        self._usual = termios.tcgetattr(self._in)
        self._wake_read, self._wake_write = os.pipe()
        for end in (self._wake_read, self._wake_write):
            os.set_blocking(end, False)
        try:
            for number in (*_ENDING, signal.SIGWINCH, signal.SIGTSTP, signal.SIGCONT):
                self._handlers[number] = signal.signal(number, self._note)
            self._take()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        self._give_back()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        for end in (self._wake_read, self._wake_write):
            os.close(end)

    def size(self) -> tuple[int, int]:
        """Columns and rows; what a terminal usually has where it does not say."""
        try:
            columns, rows = os.get_terminal_size(self._out)
        except OSError:
            columns = rows = 0
        return columns or 80, rows or 24

    def show(self, rows: Iterable[str]) -> None:
        """Write the rows of a screen, each at its place; they hold nothing that moves the cursor."""
        lines = [f"\x1b[{number};1H{row}\x1b[0m\x1b[K" for number, row in enumerate(rows, 1)]
        self._write("\x1b[0m" + "".join(lines) + "\x1b[J")

    def pressed(self) -> Iterator[Key]:
        """The keys as they come; `resize` when there is something to draw anew, and an end when there is one."""
        while True:
            yield from self._answer_signals()
            if self._is_over():
                return
            patience = _REST_OF_SEQUENCE if self._keys.waits else None
            ready, _, _ = select.select([self._in, self._wake_read], [], [], patience)
            if not ready:
                yield from self._keys.flush()
            if self._wake_read in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(self._wake_read, 1024)
            if self._in in ready:
                yield from self._keys.feed(self._read())

    def _is_over(self) -> bool:
        return self.ended_by is not None

    def _read(self) -> bytes:
        content = b""
        self.reads += 1
        with contextlib.suppress(OSError):
            content = os.read(self._in, 1024)
        if not content:  # it was closed, or the connection is gone
            self.ended_by = signal.SIGHUP
        return content

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._noted.add(number)
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake_write, b"\0")

    def _answer_signals(self) -> Iterator[Key]:
        while self._noted:
            number = self._noted.pop()
            if number in _ENDING:
                self.ended_by = number
                return
            if number == signal.SIGTSTP:
                self._stop()
            elif number == signal.SIGCONT:  # stopped by a signal that nobody can note
                self._take()
            yield Key("resize")

    def _stop(self) -> None:
        """Give the terminal back and stop, until somebody has us go on."""
        self._on_pause()
        self._give_back()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._note)
        self._take()
        self._on_resume()

    def _take(self) -> None:
        now = copy.deepcopy(self._usual)
        now[3] &= ~(termios.ICANON | termios.ECHO)
        now[0] &= ~termios.IXON  # Ctrl-S would freeze the screen
        now[6][termios.VMIN], now[6][termios.VTIME] = 1, 0
        termios.tcsetattr(self._in, termios.TCSADRAIN, now)
        self._write(_ENTER)

    def _give_back(self) -> None:
        self._write(_LEAVE)
        with contextlib.suppress(termios.error, OSError):  # the terminal is gone
            termios.tcsetattr(self._in, termios.TCSADRAIN, self._usual)

    def _write(self, text: str) -> None:
        rest = text.encode(self.encoding, "replace")
        try:
            while rest:
                rest = rest[os.write(self._out, rest) :]
        except OSError:  # the connection is gone: all that was judged is on the disk
            self.ended_by = self.ended_by or signal.SIGHUP
