"""Waiting for what will come."""

from __future__ import annotations

import time
from collections.abc import Callable


def until(true: Callable[[], object], seconds: float = 240) -> None:
    """Until this is true; an error after so many seconds."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "this takes too long"
        time.sleep(0.02)
