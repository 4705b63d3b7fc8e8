"""One command at a time writes in a workspace; the next one waits, and says for whom."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from cranfield.errors import DataError, UsageError
from cranfield.evaluation.provenance.record import utc_time
from cranfield.experiments.local_folder import local_folder
from cranfield.experiments.workspace import Workspace

_BETWEEN = 0.1
"""Seconds from one attempt to the next."""


@dataclass(frozen=True)
class Holder:
    """Who works in a workspace."""

    pid: int
    host: str
    command: str
    since: str

    def __str__(self) -> str:
        return f"`{self.command}` (process {self.pid} on {self.host}, since {self.since})"


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
        while not _taken(file):
            holder = _read(file)
            who = str(holder) if holder else "another command"
            if not wait:
                raise DataError(f"{workspace.root}: {who} is at work in this workspace: wait until it is done")
            if waiting is not None and not told:
                waiting(f"waiting for {who}")
                told = True
            time.sleep(_BETWEEN)
        _write(file, Holder(os.getpid(), socket.gethostname(), command, utc_time(time.time())))
        try:
            yield
        finally:
            _write(file, None)


def holder(workspace: Workspace) -> Holder | None:
    """Who works in a workspace now; None if nobody does."""
    path = _path(workspace)
    if not path.exists():
        return None
    with contextlib.suppress(OSError), path.open("rb+") as file:
        return None if _taken(file) else _read(file)
    return None


def _path(workspace: Workspace) -> Path:
    return workspace.state / "lock"


def _opened(workspace: Workspace) -> IO[bytes]:
    try:
        return open(_path(workspace), "ab+", buffering=0)
    except OSError as error:
        raise UsageError(f"{_path(workspace)}: cannot be written: {error.strerror or error}") from None


def _taken(file: IO[bytes]) -> bool:
    """Take the lock, if it is free; whoever closes the file lets go of it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(1 << 30)  # far behind what is written there: on this system a locked part cannot be read
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _read(file: IO[bytes]) -> Holder | None:
    file.seek(0)
    try:
        return Holder(**json.loads(file.read()))
    except (ValueError, TypeError):  # it has just been taken, and nothing is written yet
        return None


def _write(file: IO[bytes], holder: Holder | None) -> None:
    with contextlib.suppress(OSError):  # a full disk: the lock holds, only its holder is not named
        file.truncate(0)
        if holder is not None:
            file.write(json.dumps(asdict(holder)).encode())
