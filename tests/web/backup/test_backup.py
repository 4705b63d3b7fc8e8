"""Backups of an application in use, and what comes back."""

from __future__ import annotations

import contextlib
import gzip
import json
import sqlite3
import stat
from pathlib import Path

import psycopg

from cranfield.web.schema import OWN
from tests.web.filling import JUDGMENTS
from tests.web.installation import Installation

TABLES = (
    *("accounts_user", "accounts_auditentry", "projects_project", "projects_membership", "projects_scaleversion"),
    *("projects_topic", "projects_document", "projects_item", "judging_slot", "judging_event", "judging_decision"),
    "tasks_submission",
)


def all_rows(installation: Installation) -> dict[str, list[list[str]]]:
    """All rows, in words that are the same whichever database has them."""
    return {table: [list(map(plain, row)) for row in installation.rows(table)] for table in TABLES}


def plain(value: object) -> str:
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    if isinstance(value, str) and value.startswith(("[", "{")):
        value = json.loads(value)
    if isinstance(value, dict | list):
        return json.dumps(value, sort_keys=True)
    if isinstance(value, bool | float):
        return f"{value:g}"
    return str(value).replace("-", "").replace("+00:00", "")


def title(database: sqlite3.Connection) -> str:
    ((title,),) = database.execute("SELECT title FROM projects_topic")
    return str(title)


def test_a_backup_brings_everything_back(filled_once: Installation, empty: Installation, backup: Path) -> None:
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert [path.name for path in backup.parent.iterdir()] == ["backup.sqlite3"], "nothing is left beside it"
    assert empty.web("restore", backup).exit_code == 0
    assert len(empty.rows("judging_event")) == JUDGMENTS
    assert {table: empty.rows(table) for table in TABLES} == {table: filled_once.rows(table) for table in TABLES}
    assert filled_once.rows("django_session")
    assert not empty.rows("django_session"), "everybody logs in again"
    assert b"kkkkkkkk" not in backup.read_bytes(), "nor does the file give sessions away"


def test_a_backup_is_made_and_restored_while_others_use_the_database(filled: Installation, tmp_path: Path) -> None:
    """What is not finished when the backup is made is not in it; what is restored is seen by who is connected."""
    file = tmp_path / "backup.sqlite3"
    with contextlib.closing(sqlite3.connect(filled.folder / "judging.sqlite3")) as server:
        server.execute("BEGIN IMMEDIATE")
        server.execute("UPDATE projects_topic SET title = 'stew'")
        assert filled.web("backup", file).exit_code == 0
        server.commit()
        with contextlib.closing(sqlite3.connect(file)) as copy:
            assert title(copy) == "soup"
            assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert title(server) == "stew"
        done = filled.web("restore", file, "--force")
        assert done.exit_code == 0
        assert title(server) == "soup"
    (kept,) = filled.folder.glob("judging.before-restore.*.sqlite3")
    assert f"what was there before: {kept}" in done.stderr
    with contextlib.closing(sqlite3.connect(kept)) as before:
        assert title(before) == "stew"


def test_nothing_is_replaced_unasked(filled: Installation, tmp_path: Path) -> None:
    file = tmp_path / "backup.sqlite3"
    file.write_text("the backup of last week")
    backup, restore = filled.several(("backup", file), ("restore", file))
    assert file.read_text() == "the backup of last week"
    assert backup.exit_code == 2
    assert "this is there already; give another name, or --force to replace it" in backup.stderr
    assert restore.exit_code == 1
    backup, restore, nowhere = filled.several(
        ("backup", file, "--force"), ("restore", file), ("backup", tmp_path / "not there" / "file")
    )
    assert (backup.exit_code, restore.exit_code, nowhere.exit_code) == (0, 2, 2)
    assert "the database is not empty: what is in it would be lost" in restore.stderr
    assert "cannot be written: there is no such folder" in nowhere.stderr


def test_a_backup_that_cannot_be_used_changes_nothing(filled: Installation, backup: Path, tmp_path: Path) -> None:
    content = backup.read_bytes()
    names = ("cut", "garbled", "other", "text", "missing", "later")
    cut, garbled, other, text, missing, later = files = [tmp_path / name for name in names]
    cut.write_bytes(content[: len(content) // 2])
    garbled.write_bytes(content[:8192] + b"\xff" * 40000 + content[48192:])
    with contextlib.closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE soup (name)")
        database.commit()
    text.write_text("q1 0 d1 1\n")
    later.write_bytes(content)
    with contextlib.closing(sqlite3.connect(later)) as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('judging', '9999_later', '2030-01-01')"
        )
        database.commit()
    before = all_rows(filled)
    done = filled.several(*(("restore", file, "--force") for file in files), ("restore", tmp_path, "--force"))
    assert [one.exit_code for one in done] == [1, 1, 1, 1, 2, 1, 2]
    for one, said in zip(
        done,
        [
            f"{cut}: this database",
            f"{garbled}: this database",
            f"{other}: this is a SQLite database, but no backup of the judging application",
            f"{text}: expected a backup that `cranfield web backup` made",
            f"{missing}: cannot be read: No such file",
            "that of a later version of cranfield, which knows judging.9999_later",
            f"{tmp_path}: cannot be read: Is a directory",
        ],
        strict=True,
    ):
        assert said in one.stderr
    assert all_rows(filled) == before


def test_there_has_to_be_something_to_back_up(empty: Installation, tmp_path: Path) -> None:
    done = empty.web("backup", tmp_path / "file")
    assert done.exit_code == 2
    assert "there is nothing to back up" in done.stderr


def test_sqlite_moves_to_postgres_and_back(
    filled_once: Installation, backup: Path, on_postgres: Installation, empty: Installation, tmp_path: Path
) -> None:
    file = tmp_path / "b.jsonl.gz"
    done = on_postgres.several(
        ("restore", backup), ("restore", backup), ("backup", file), ("restore", file, "--force"), ("check",)
    )
    assert [one.exit_code for one in done] == [0, 2, 0, 0, 1], [one.stderr for one in done]
    assert "the database is not empty" in done[1].stderr
    assert "tables\tyes" in done[4].text
    assert all_rows(on_postgres) == all_rows(filled_once)
    assert not on_postgres.rows("django_session")
    with psycopg.connect(on_postgres.url) as connection:
        row = connection.execute("SELECT nextval(pg_get_serial_sequence('judging_event', 'number'))").fetchone()
        assert row == (JUDGMENTS + 1,), "the next number is one that nobody has"
    with gzip.open(file, "rt") as lines:
        head, *rows = map(json.loads, lines)
    assert head["schema"] == "cranfield.judging-backup/1"
    assert {app for app, _ in head["migrations"]} == set(OWN)
    assert [row["model"] for row in rows].count("judging.event") == JUDGMENTS
    assert empty.web("restore", file).exit_code == 0
    assert all_rows(empty) == all_rows(filled_once)

    content, old = file.read_bytes(), {**head, "migrations": head["migrations"][:-1]}
    odd = json.dumps(head) + '\n{"model": "judging.soup", "pk": 1, "fields": {}}\n'
    damaged = {
        "cut": (content[:-200], "this backup is not whole"),
        "other": (gzip.compress(b"[1, 2]\n"), "this is no backup of the judging application"),
        "old": (gzip.compress(json.dumps(old).encode()), "whose tables are not those of"),
        "odd": (gzip.compress(odd.encode()), "this backup is not whole"),
    }
    for name, (text, _) in damaged.items():
        (tmp_path / name).write_bytes(text)
    done = on_postgres.several(*(("restore", tmp_path / name, "--force") for name in damaged))
    assert [one.exit_code for one in done] == [1] * len(damaged)
    for one, (_, said) in zip(done, damaged.values(), strict=True):
        assert said in one.stderr
    assert all_rows(on_postgres) == all_rows(filled_once)
