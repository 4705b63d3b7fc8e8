"""Keeping others from writing to the same file at the same time, and saying who does."""

from __future__ import annotations

import contextlib
import json
import sys
from dataclasses import asdict, dataclass
from typing import IO


@dataclass(frozen=True)
class Holder:
    """Who holds a lock."""

    pid: int
    host: str
    command: str
    since: str

    def __str__(self) -> str:
        return f"`{self.command}` (process {self.pid} on {self.host}, since {self.since})"


def take_lock(file: IO[bytes]) -> bool:
    """Take the lock of an open file, if it is free.

    Whoever closes the file lets go of it; the system does where its holder ends, however it ends.
    """
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


def read_holder(file: IO[bytes]) -> Holder | None:
    """Who wrote a name there; None if nobody has yet."""
    file.seek(0)
    try:
        return Holder(**json.loads(file.read()))
    except (ValueError, TypeError):  # it has just been taken, and nothing is written yet
        return None


def write_holder(file: IO[bytes], holder: Holder | None) -> None:
    """Write who holds the lock, or that nobody does."""
    with contextlib.suppress(OSError):  # a full disk: the lock holds, only its holder is not named
        file.truncate(0)
        if holder is not None:
            file.write(json.dumps(asdict(holder)).encode())
