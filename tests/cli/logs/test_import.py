"""`cranfield logs import`, `show`, `settle`, `forget` and `export`, as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import Done, run_cranfield
from tests.logs.making import event, query, shown, write


def logs(folder: Path, *arguments: str) -> Done:
    return run_cranfield("logs", *arguments, cwd=folder)


def ubi(folder: Path) -> None:
    rows = [query("q1", "Soup"), *shown("q1", ["d1", "d2"]), event("click", "q1", "d2", 2, 3), '{"broken']
    write(folder / "ubi.ndjson", rows)


def test_what_is_imported_is_shown_changed_written_and_forgotten(tmp_path: Path) -> None:
    ubi(tmp_path)
    done = logs(tmp_path, "import", "ubi.ndjson", "-o", "log", "--format", "json")
    assert done.exit_code == 0, done.stderr
    assert "users are hashed with the secret in log.salt" in done.stderr
    found = json.loads(done.text)
    assert found["rows"] == {"queries": 1, "impressions": 2, "events": 1}
    assert found["sources"][0]["rejected"] == {"not JSON": 1}
    assert oct((tmp_path / "log.salt").stat().st_mode)[-3:] == "600"

    again = logs(tmp_path, "import", "ubi.ndjson", "-o", "log")
    assert "ubi.ndjson: was imported before, and is not read again" in again.stderr

    shown_log = logs(tmp_path, "show", "log", "--format", "table").text
    assert "log: 1 queries, 2 documents shown, 1 events" in shown_log
    assert "not JSON" in shown_log
    assert "gap_minutes" in shown_log

    settled = logs(tmp_path, "settle", "log", "--gap", "20", "--click-action", "tap", "--format", "json")
    rules = json.loads(settled.text)["settings"]
    assert (rules["gap_minutes"], rules["click_actions"], rules["bot_queries"]) == (20.0, ["tap"], 30)

    written = logs(tmp_path, "export", "log", "-o", "out.ndjson")
    assert "out.ndjson: 4 lines" in written.stderr
    assert len((tmp_path / "out.ndjson").read_text().splitlines()) == 4

    gone = logs(tmp_path, "forget", "log", "--before", "2026-04-01", "--format", "json")
    assert json.loads(gone.text)["rows"] == {"queries": 0, "impressions": 0, "events": 0}


def test_a_log_keeps_its_secret(tmp_path: Path) -> None:
    """With another, users would be others, and one person would count as two."""
    ubi(tmp_path)
    assert logs(tmp_path, "import", "ubi.ndjson", "-o", "log").exit_code == 0
    (tmp_path / "log.salt").unlink()
    write(tmp_path / "more.ndjson", [query("q2", "tea")])
    done = logs(tmp_path, "import", "more.ndjson", "-o", "log")
    assert (done.exit_code, (tmp_path / "log.salt").exists()) == (2, False)
    assert "with another secret the users of this log would be others" in done.stderr
    (tmp_path / "empty").write_text("\n")
    for place, what in (("empty", "is empty: without a secret"), (".", "the secret cannot be read")):
        done = logs(tmp_path, "import", "more.ndjson", "-o", "log", "--salt-file", place)
        assert (done.exit_code, "Traceback" in done.stderr) == (2, False)
        assert what in done.stderr


def test_tables_by_columns(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("q,ts,who\nsoup,2026-03-01 10:00,ann\n")
    columns = ("--from", "table", "--columns", "query=q,time=ts,user=who")
    done = logs(tmp_path, "import", "table.csv", "-o", "log", *columns, "--time-zone", "Asia/Tokyo")
    assert done.exit_code == 0, done.stderr
    assert done.text.splitlines()[1].split("\t")[:4] == ["table.csv", "1", "1", "0"]


def test_mistakes_are_told_in_words(tmp_path: Path) -> None:
    ubi(tmp_path)
    for arguments, code, what in (
        (("ubi.ndjson", "--columns", "query=q"), 2, "--columns belongs to --from table"),
        (("ubi.ndjson", "--time-zone", "Mars"), 2, "--time-zone Mars: there is no such zone"),
        (("ubi.ndjson", "--rank-base", "2"), 2, "--rank-base 2: expected 0 or 1"),
        (("ubi.ndjson", "--gap", "0"), 2, "expected a gap above 0"),
        (("ubi.ndjson", "--from", "aol"), 1, "none of its 5 rows can be used"),
        (("nowhere.ndjson",), 2, "there is no such file"),
        (("a", "b", "--from", "opensearch"), 2, "expected one URL, found 2"),
        (("http://127.0.0.1:9", "--from", "opensearch"), 1, "opensearch at http://127.0.0.1:9"),
        (("-",), 2, "write it to a file first"),
    ):
        done = logs(tmp_path, "import", *arguments, "-o", "log")
        assert (done.exit_code, "Traceback" in done.stderr) == (code, False), done.stderr
        assert what in done.stderr
    assert "this is no log" in logs(tmp_path, "forget", "nowhere", "--before", "2026-01-01").stderr
    assert not (tmp_path / "nowhere").exists()
    assert "'March' is no day" in logs(tmp_path, "forget", "log", "--before", "March").stderr
