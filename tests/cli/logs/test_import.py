"""`cranfield logs import`, `show`, `settle`, `forget` and `export`, as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cranfield.logs.folder import SIMULATED, LogFolder, LogRecord, Source
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
    assert "log: 1 query, 2 documents shown, 1 event" in shown_log
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


def test_an_import_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "clicks.csv").write_text("q,ts\nsoup,2026-03-01 10:00\n")
    (tmp_path / "empty.ndjson").write_text("")
    before = sorted(tmp_path.iterdir())
    for file, what in (("clicks.csv", "the other formats: aol, yandex, lists, pyclick, table"),
                       ("empty.ndjson", "is empty, there is no row in it"),
                       ("nowhere.ndjson", "there is no such file")):  # fmt: skip
        done = logs(tmp_path, "import", file, "-o", "log")
        assert done.exit_code != 0
        assert what in done.stderr
        assert "secret" not in done.stderr
        assert sorted(tmp_path.iterdir()) == before


def test_where_nothing_can_be_written_the_place_is_named(tmp_path: Path) -> None:
    ubi(tmp_path)
    (tmp_path / "file").write_text("")
    done = logs(tmp_path, "import", "ubi.ndjson", "-o", "file/log")
    assert (done.exit_code, "Traceback" in done.stderr) == (2, False)
    assert "file/log.salt: the secret that users are hashed with cannot be written" in done.stderr


def test_nothing_is_added_to_a_log_that_is_made_up(tmp_path: Path) -> None:
    ubi(tmp_path)
    source = Source("simulated", "0" * 64, 0, SIMULATED, 1, {"query": 1}, {}, {"": 1})
    (tmp_path / "log").mkdir()
    LogFolder(tmp_path / "log").write(LogRecord((source,), "tables-1", {}, {}, {"simulation": {}}))
    done = logs(tmp_path, "import", "ubi.ndjson", "-o", "log")
    assert (done.exit_code, (tmp_path / "log.salt").exists()) == (2, False)
    assert "this log is made up, nothing can be added to it" in done.stderr


def test_times_that_a_format_does_not_have_are_said_to_be_made_up(tmp_path: Path) -> None:
    """Rows stand a minute apart, which says nothing of days, of pauses and of the busiest minute."""
    rows = ['s1\tsoup\t["d1", "d2"]\t[1, 0]', 's1\thot soup\t["d1", "d2"]\t[1, 1]', 's1\tsoup\t["d1"]\t[0]']
    write(tmp_path / "rows", rows)
    assert "its times are made up" in logs(tmp_path, "import", "rows", "--from", "lists", "-o", "log").stderr

    def told(command: str) -> dict[str, Any]:
        found = logs(tmp_path, command, "log", "--format", "json")
        assert "the log does not say when anything happened (lists)" in found.text, found.stderr
        answer: dict[str, Any] = json.loads(found.text)
        return answer

    overview = told("overview")
    assert (overview["days"], overview["session_minutes"], overview["total"]["clicks"]) == ([], None, 3)
    behaviour = told("behaviour")
    shares = {one["name"]: one["value"] for one in behaviour["shares"]}
    assert (shares["satisfied clicks"], shares["queries said anew"]) == (None, None)
    assert shares["queries with a click"] == 2 / 3
    assert {one["quantiles"] is None for one in behaviour["seconds"]} == {True}
    assert behaviour["cohorts"] == []
    assert told("personal")["pauses"] == []
    cache = told("cache")
    assert (cache["peak_minute"], {one["peak_minute"] for one in cache["caches"]}) == (None, {None})
    assert "ttl" not in {one["policy"] for one in cache["caches"]}
    for command in ("overview", "personal"):
        done = logs(tmp_path, command, "log", "--plot", "plot.svg")
        assert (done.exit_code, "its times are made up" in done.stderr) == (1, True)


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
    assert "'2026-13-01' is no day" in logs(tmp_path, "overview", "log", "--since", "2026-13-01").stderr
    assert "'March' is no day" in logs(tmp_path, "forget", "log", "--before", "March").stderr
