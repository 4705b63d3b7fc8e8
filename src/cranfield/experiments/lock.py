"""One command at a time writes in a workspace; the next one waits, and says for whom."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from cranfield.errors import DataError, UsageError
from cranfield.evaluation.provenance.record import utc_time
from cranfield.experiments.local_folder import local_folder
from cranfield.experiments.workspace import Workspace
from cranfield.formats.file_lock import Holder, read_holder, take_lock, write_holder

_BETWEEN = 0.1
"""Seconds from one attempt to the next."""


@contextlib.contextmanager
def locked(
    workspace: Workspace, command: str, *, wait: bool = True, waiting: Callable[[str], None] | None = None
) -> Iterator[None]:
    """While this lasts, no other command writes in the workspace.

    Where another one does already, `waiting` is told who, once, and this one waits; without `wait` it is an error. The
    system lets go of the lock when its holder ends, however it ends.
    """
    local_folder(workspace.state)
    with _opened(workspace) as file:
        told = False
        while not take_lock(file):
            holder = read_holder(file)
            who = str(holder) if holder else "another command"
            if not wait:
                raise DataError(f"{workspace.root}: {who} is at work in this workspace: wait until it is done")
            if waiting is not None and not told:
                waiting(f"waiting for {who}")
                told = True
            time.sleep(_BETWEEN)
        write_holder(file, Holder(os.getpid(), socket.gethostname(), command, utc_time(time.time())))
        try:
            yield
        finally:
            write_holder(file, None)


def holder(workspace: Workspace) -> Holder | None:
    """Who works in a workspace now; None if nobody does."""
    path = _path(workspace)
    if not path.exists():
        return None
    with contextlib.suppress(OSError), path.open("rb+") as file:
        return None if take_lock(file) else read_holder(file)
    return None


def _path(workspace: Workspace) -> Path:
    return workspace.state / "lock"


def _opened(workspace: Workspace) -> IO[bytes]:
    try:
        return open(_path(workspace), "ab+", buffering=0)
    except OSError as error:
        raise UsageError(f"{_path(workspace)}: cannot be written: {error.strerror or error}") from None
