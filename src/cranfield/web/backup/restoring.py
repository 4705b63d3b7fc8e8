"""What was in a backup comes back: all of it, or nothing changes."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction

from cranfield.errors import DataError, UsageError
from cranfield.web.accounts.models import User
from cranfield.web.append_only import append_only_tables
from cranfield.web.backup import portable, sqlite_files
from cranfield.web.schema import applied, migrate

_ASIDE = "aside"
"""The name that Django knows a second database by."""


def restore(source: Path, *, replace: bool = False) -> Path | None:
    """Put a backup in the place of what the database has; an older one is brought to this version on the way.

    What was there is kept beside it where the database is SQLite; the path of it is returned.
    """
    first = _first_bytes(source)
    if not first.startswith((sqlite_files.MAGIC, portable.MAGIC)):
        raise DataError(f"{source}: expected a backup that `cranfield web backup` made, found something else")
    if not replace and applied() and User.objects.exists():
        raise UsageError(
            "the database is not empty: what is in it would be lost. Make a backup of it, then give --force"
        )
    with tempfile.TemporaryDirectory() as folder:
        aside = Path(folder) / "restored.sqlite3"
        if first.startswith(sqlite_files.MAGIC):
            sqlite_files.refuse_other_database(source)
            sqlite_files.copy_into(source, aside)
        if connection.vendor == "sqlite":
            return _into_sqlite(source, aside)
        _into_postgres(source, aside)
        return None


def _into_sqlite(source: Path, aside: Path) -> Path | None:
    with _second_database(aside):
        from_rows = not aside.exists()
        migrate(_ASIDE)
        if from_rows:
            portable.read_rows(source, _ASIDE)
    sqlite_files.forget_sessions(aside)
    live = Path(connection.settings_dict["NAME"])
    kept = sqlite_files.copy_beside(live, "before-restore") if applied() else None
    connection.close()
    sqlite_files.copy_into(aside, live)
    return kept


def _into_postgres(source: Path, aside: Path) -> None:
    if aside.exists():
        source = aside.with_name("restored.jsonl.gz")
        with _second_database(aside):
            migrate(_ASIDE)
            portable.write_rows(source, _ASIDE)
    migrate()
    with transaction.atomic():
        tables = [model._meta.db_table for model in portable.kept_models()]
        with connection.cursor() as cursor:
            quoted = ", ".join(map(connection.ops.quote_name, [*tables, "django_session"]))
            for table in append_only_tables():
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER {table}_no_truncate")
            cursor.execute(f"TRUNCATE {quoted} CASCADE")
            for table in append_only_tables():
                cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER {table}_no_truncate")
        portable.read_rows(source)


@contextlib.contextmanager
def _second_database(path: Path) -> Iterator[None]:
    """While this lasts, Django has this SQLite database too."""
    connections.settings[_ASIDE] = {
        **connections.settings[DEFAULT_DB_ALIAS],
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "OPTIONS": {},
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": False,
    }
    try:
        yield
    finally:
        connections[_ASIDE].close()
        del connections[_ASIDE]
        del connections.settings[_ASIDE]


def _first_bytes(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(len(sqlite_files.MAGIC))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {os.strerror(error.errno or 0)}") from None
