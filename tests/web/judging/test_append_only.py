"""What was written stays: the model refuses to change it, and so does the database."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction
from psycopg import sql

from cranfield.errors import UsageError
from cranfield.web.accounts.models import AuditEntry, User
from cranfield.web.append_only import append_only_tables
from cranfield.web.judging.handing_out import hand_out
from cranfield.web.judging.models import Event
from cranfield.web.judging.recording import record
from cranfield.web.projects.models import Project
from tests.web.installation import postgres_database
from tests.web.judging.making import answer


@pytest.fixture
def event(project: Project, ann: User) -> Event:
    record(project, ann, [answer(hand_out(project, ann, 1)[0])])
    return Event.objects.get()


def test_an_event_cannot_be_saved_again(event: Event) -> None:
    event.grade = 2
    with pytest.raises(UsageError, match="cannot be changed: rows of this table are only ever added"):
        event.save()


def test_nor_deleted(event: Event) -> None:
    with pytest.raises(UsageError, match="cannot be deleted"):
        event.delete()


def test_nor_can_an_entry_of_the_audit(project: Project, ann: User) -> None:
    entry = AuditEntry.objects.create(user=ann, project=project, what="something")
    with pytest.raises(UsageError, match="audit entry"):
        entry.save()


def test_the_database_refuses_it_too(event: Event) -> None:
    with pytest.raises(DatabaseError, match="only ever added"), transaction.atomic():
        Event.objects.update(grade=2)
    with pytest.raises(DatabaseError, match="only ever added"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE judging_event SET reason = 'other'")


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database as the migrations make it; tests that commit need one from which rows can be deleted."""
    return migrate(tmp_path_factory.mktemp("installation")) / "judging.sqlite3"


def migrate(folder: Path, url: str = "") -> Path:
    settings = {"CRANFIELD_JUDGING": str(folder), "DATABASE_URL": url}
    environment = {**os.environ, **settings, "DJANGO_SETTINGS_MODULE": "cranfield.web.settings"}
    subprocess.run([sys.executable, "-m", "django", "migrate", "-v", "0"], env=environment, check=True, timeout=120)
    return folder


def add_a_row(database: sqlite3.Connection, table: str) -> None:
    columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    database.execute("PRAGMA foreign_keys = OFF")
    values = ", ".join("'{}'" if name in {"content", "details", "documents", "events"} else "1" for name in columns)
    database.execute(f"INSERT INTO {table} VALUES ({values})")


@pytest.fixture
def database(installation: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(installation)) as opened:
        yield opened


APPEND_ONLY = {
    "accounts_auditentry": "what",
    "judging_decision": "reason",
    "judging_event": "grade",
    "judging_searchquery": "text",
    "projects_scaleversion": "content",
    "tasks_submission": "run",
}
"""Tables, and a column of each that nobody may change."""


def test_these_are_the_tables() -> None:
    assert sorted(append_only_tables()) == sorted(APPEND_ONLY)


@pytest.mark.parametrize(("table", "column"), APPEND_ONLY.items())
def test_not_even_by_hand(database: sqlite3.Connection, table: str, column: str) -> None:
    add_a_row(database, table)
    for change in (f"UPDATE {table} SET {column} = 2", f"DELETE FROM {table}"):
        with pytest.raises(sqlite3.IntegrityError, match=f"rows of {table} are only ever added"):
            database.execute(change)


def test_a_run_can_be_withdrawn(database: sqlite3.Connection) -> None:
    add_a_row(database, "tasks_submission")
    assert database.execute("UPDATE tasks_submission SET withdrawn_at = 2").rowcount == 1


@pytest.fixture(scope="module")
def on_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with postgres_database() as url:
        migrate(tmp_path_factory.mktemp("postgres"), url)
        yield url


@pytest.mark.parametrize("table", APPEND_ONLY)
def test_postgres_does_not_empty_them_either(on_postgres: str, table: str) -> None:
    with (
        psycopg.connect(on_postgres) as connection,
        pytest.raises(psycopg.errors.RaiseException, match=f"rows of {table} are only ever added"),
    ):
        connection.execute(sql.SQL("TRUNCATE {} CASCADE").format(sql.Identifier(table)))
