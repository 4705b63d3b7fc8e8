"""A line that says how far reading has come, for what takes more than a second."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator

import click

from cranfield.formats.files import telling_progress

_PATIENCE = 1.0
_BETWEEN = 0.1
_WIDTH = 24


@contextlib.contextmanager
def showing_progress() -> Iterator[None]:
    """While this lasts, a terminal on standard error shows how far files have been read."""
    if not sys.stderr.isatty():
        yield
        return
    begun = shown = time.monotonic()

    def show(name: str, share: float) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - begun > _PATIENCE and now - shown > _BETWEEN:
            shown = now
            full = round(_WIDTH * min(share, 1.0))
            bar = "#" * full + "-" * (_WIDTH - full)
            click.echo(f"\r\x1b[K[{bar}] {share:4.0%} {name}", err=True, nl=False)

    try:
        with telling_progress(show):
            yield
    finally:
        if shown != begun:
            click.echo("\r\x1b[K", err=True, nl=False)
