"""From the tables of the first version to those of this one: every judgment is kept."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from tests.web.filling import JUDGMENTS
from tests.web.installation import Installation, serving

TABLES = ("judging_event", "judging_decision", "judging_slot", "projects_item", "accounts_auditentry")


def columns(installation: Installation, table: str) -> dict[str, list[object]]:
    """What is in each column of a table, in the order of its rows."""
    with contextlib.closing(sqlite3.connect(installation.folder / "judging.sqlite3")) as database:
        found = database.execute(f"SELECT * FROM {table} ORDER BY 1")
        names = [one[0] for one in found.description]
        return dict(zip(names, map(list, zip(*found, strict=True)), strict=True))


def test_every_judgment_is_kept(empty: Installation, filled: Installation, tmp_path: Path) -> None:
    empty.filled("first")
    before = {table: columns(empty, table) for table in TABLES}
    assert len(before["judging_event"]["number"]) == JUDGMENTS
    check, backup, migrate, again = empty.several(
        ("check",), ("backup", tmp_path / "first.sqlite3"), ("migrate",), ("migrate",)
    )
    assert [one.exit_code for one in (check, backup, migrate, again)] == [1, 0, 0, 0]
    assert "migrations to go: cranfield web migrate" in check.text
    assert "nothing to do" in again.stderr
    after = {table: columns(empty, table) for table in TABLES}
    for table, was in before.items():
        assert {name: after[table][name] for name in was} == was
    (kept,) = empty.folder.glob("judging.before-migration.*.sqlite3")
    assert f"the database as it was: {kept}" in migrate.stderr
    with contextlib.closing(sqlite3.connect(kept)) as database:
        assert database.execute("SELECT count(*) FROM judging_event").fetchone() == (JUDGMENTS,)
    with contextlib.closing(sqlite3.connect(empty.folder / "judging.sqlite3")) as database:
        for change in ("UPDATE judging_event SET grade = 2", "DELETE FROM judging_event"):
            with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
                database.execute(change)

    restored, check = filled.several(("restore", tmp_path / "first.sqlite3", "--force"), ("check",))
    assert restored.exit_code == 0, restored.stderr
    assert "those of this version" in check.text
    assert columns(filled, "judging_event") == after["judging_event"]


def test_postgres_is_migrated_by_command_and_not_before(on_postgres: Installation) -> None:
    on_postgres.filled("first")
    events = on_postgres.rows("judging_event")
    with serving(on_postgres) as server:
        server.until(r"the database is not that of this version \(\d+ migrations to go\): run `cranfield web migrate`")
        assert server.process.wait(timeout=60) == 1
    assert on_postgres.web("migrate").exit_code == 0
    assert [row[: len(events[0])] for row in on_postgres.rows("judging_event")] == events
