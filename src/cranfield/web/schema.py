"""The tables of the database: whether they are those of this version, and how they become so."""

from __future__ import annotations

from pathlib import Path

from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor

from cranfield.errors import DataError

OWN = ("accounts", "projects", "judging", "tasks")
"""The applications whose tables hold what people did."""

Migration = tuple[str, str]


def applied(database: str = DEFAULT_DB_ALIAS) -> set[Migration]:
    """The migrations of our tables that a database has been through."""
    return {name for name in MigrationExecutor(connections[database]).loader.applied_migrations if name[0] in OWN}


def pending(database: str = DEFAULT_DB_ALIAS) -> list[Migration]:
    """What a database has still to go through; an error if it is that of a later version."""
    executor = MigrationExecutor(connections[database])
    known = set(executor.loader.disk_migrations)
    if later := sorted(applied(database) - known):
        names = ", ".join(".".join(name) for name in later)
        raise DataError(f"the database is that of a later version of cranfield, which knows {names}: install that one")
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [(migration.app_label, migration.name) for migration, _ in plan]


def migrate(database: str = DEFAULT_DB_ALIAS) -> tuple[list[Migration], Path | None]:
    """Bring the tables to this version: what was done, and where SQLite's database is kept as it was before.

    A migration that fails leaves the database as the one before it did.
    """
    from cranfield.web.backup.sqlite_files import copy_beside

    todo = pending(database)
    if not todo:
        return [], None
    connection = connections[database]
    kept = None
    if connection.vendor == "sqlite" and applied(database):
        kept = copy_beside(Path(connection.settings_dict["NAME"]), "before-migration")
    call_command("migrate", database=database, interactive=False, verbosity=0)
    return todo, kept
