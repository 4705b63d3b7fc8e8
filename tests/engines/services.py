"""Where the real servers are that `make services` starts."""

from __future__ import annotations

import functools
import os
import socket
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

import pytest

_NOTED = Path(__file__).parent.parent.parent / ".services" / "environment"


def address(server: str) -> str:
    """Where a server is; the test is skipped where it is not, and fails where nothing may be skipped."""
    name = f"CRANFIELD_TEST_{server.upper()}"
    lines = _NOTED.read_text().splitlines() if _NOTED.exists() else []
    known = dict(line.split("=", 1) for line in lines) | os.environ
    if name in known:
        if not _answers(known[name]):
            _missed(f"{server} does not run, though it was noted to be at {known[name]}")
        return known[name]
    if missing := known.get(f"{name}_MISSING"):
        pytest.skip(f"{missing}: `make services` starts it")
    return _missed(f"{server} does not run")


@functools.cache
def _answers(where: str) -> bool:
    """Whether anyone takes calls there; so it is taken to be where an address does not say host and port."""
    parts = urlsplit(where)
    if not (parts.hostname and parts.port):
        return True
    try:
        socket.create_connection((parts.hostname, parts.port), timeout=5).close()
    except OSError:
        return False
    return True


def _missed(why: str) -> NoReturn:
    if os.environ.get("CRANFIELD_REQUIRE_ALL") == "1":
        pytest.fail(f"{why}, and CRANFIELD_REQUIRE_ALL=1 says that nothing may be skipped: `make services` starts it")
    pytest.skip(f"{why}: `make services` starts it")
