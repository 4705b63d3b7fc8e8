"""Copies of SQLite databases that are in use, made by SQLite itself."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from cranfield.errors import DataError

MAGIC = b"SQLite format 3\0"
_PATIENCE = 30.0
"""How many seconds to wait for somebody who writes."""


def copy_into(source: Path, target: Path) -> None:
    """Make a database the same as another, as it is at one moment; both may be in use.

    The target changes in one transaction: whatever happens on the way, it is as it was before or as it shall be.
    """
    with opened(source, "ro") as read, opened(target, "rwc") as written:
        read.backup(written)


def copy_beside(path: Path, why: str) -> Path:
    """A copy in the same folder, named after the time and the reason."""
    time = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    copy = path.with_name(f"{path.stem}.{why}.{time}{path.suffix}")
    with new_file(copy) as made:
        copy_into(path, made)
    return copy


@contextlib.contextmanager
def new_file(target: Path) -> Iterator[Path]:
    """The path of an empty file that takes its name when all is well; only its owner can read it."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".part", dir=target.absolute().parent)
    os.close(handle)
    made = Path(name)
    try:
        yield made
        with open(made, "rb") as written:
            os.fsync(written.fileno())
        os.replace(made, target)
    finally:
        for ending in ("", "-wal", "-shm"):
            Path(name + ending).unlink(missing_ok=True)


@contextlib.contextmanager
def opened(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """A connection of its own, without Django; what goes wrong in it is said with the file's name."""
    try:
        with contextlib.closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=_PATIENCE)
        ) as connection:
            yield connection
    except sqlite3.Error as error:
        raise DataError(f"{path}: this database cannot be used: {error}") from None


def forget_sessions(path: Path) -> None:
    """Take the sessions out of a copy, and leave it as one file."""
    with opened(path, "rw") as connection:
        connection.execute("PRAGMA secure_delete=ON")
        connection.execute("DELETE FROM django_session")
        connection.commit()
        connection.execute("PRAGMA journal_mode=DELETE")


def refuse_other_database(path: Path) -> None:
    """An error unless this is a whole database of ours."""
    with opened(path, "ro") as connection:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise DataError(f"{path}: this database is damaged: {found}")
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"django_migrations", "accounts_user", "judging_event"} <= tables:
        raise DataError(f"{path}: this is a SQLite database, but no backup of the judging application")
