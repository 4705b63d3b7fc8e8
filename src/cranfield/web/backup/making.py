"""A backup of the database as it is at one moment, while people go on judging."""

from __future__ import annotations

import errno
from pathlib import Path

from django.db import connection

from cranfield.errors import UsageError
from cranfield.web.backup.portable import write_rows
from cranfield.web.backup.sqlite_files import copy_into, forget_sessions, new_file
from cranfield.web.schema import applied


def make_backup(target: Path, *, replace: bool = False) -> None:
    """Write a backup; the file takes its name when all is in it, and only its owner can read it."""
    if target.exists() and not replace:
        raise UsageError(f"{target}: this is there already; give another name, or --force to replace it")
    if not applied():
        raise UsageError("there is nothing to back up: the database has no tables yet; `cranfield judge` makes them")
    try:
        with new_file(target) as made:
            if connection.vendor == "sqlite":
                copy_into(Path(connection.settings_dict["NAME"]), made)
                forget_sessions(made)
            else:
                write_rows(made)
    except OSError as error:
        why = "there is no such folder" if error.errno == errno.ENOENT else error.strerror or error
        raise UsageError(f"{target}: cannot be written: {why}") from None
