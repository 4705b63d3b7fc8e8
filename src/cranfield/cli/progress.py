"""A line that says how far reading has come, for what takes more than a second."""

from __future__ import annotations

import contextlib
import math
import sys
import time
from collections.abc import Iterable, Iterator

import click

from cranfield.formats.files import Progress, telling_progress

_PATIENCE = 1.0
_BETWEEN = 0.1
_WIDTH = 24
_ERASE = "\r\x1b[K"
_drawn = False
"""Whether a bar stands on the terminal."""


@contextlib.contextmanager
def showing_progress() -> Iterator[None]:
    """While this lasts, a terminal on standard error shows how far files have been read."""
    with progress_bar() as show, telling_progress(show):
        yield


@contextlib.contextmanager
def progress_bar(patience: float = _PATIENCE) -> Iterator[Progress | None]:
    """What is told a name and a share shows them on a terminal as long as this lasts; none where there is none.

    Nothing is shown before so many seconds have passed.
    """
    if not sys.stderr.isatty():
        yield None
        return
    begun, shown = time.monotonic(), -math.inf

    def show(name: str, share: float) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - begun >= patience and now - shown > _BETWEEN:
            shown = now
            full = round(_WIDTH * min(share, 1.0))
            bar = "#" * full + "-" * (_WIDTH - full)
            _draw(f"[{bar}] {share:4.0%} {name}")

    try:
        yield show
    finally:
        _erase()


def _draw(bar: str) -> None:
    global _drawn
    click.echo(f"{_ERASE}{bar}", err=True, nl=False)
    _drawn = True


def _erase() -> None:
    global _drawn
    if _drawn:
        click.echo(_ERASE, err=True, nl=False)
    _drawn = False


def say_over_progress(line: str) -> None:
    """Write a line to standard error where the bar may stand, which is shown again below it."""
    _erase()
    click.echo(line, err=True)


def say_notes(notes: Iterable[str]) -> None:
    """The same with what is to be said beside a result."""
    for note in notes:
        say_over_progress(f"cranfield: {note}")
