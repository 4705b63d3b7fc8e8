"""Rules that change, what is removed for good, and imports that are ended in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import UsageError
from cranfield.formats.files import telling_progress
from cranfield.logs.folder import LogFolder
from cranfield.logs.importing import Ways, import_files
from cranfield.logs.log import Log
from cranfield.logs.renewing import forget, settle_anew
from cranfield.logs.settling import Rules
from tests.logs.making import BEGIN, event, make_log, query, shown, write
from tests.logs.test_formats import tables

WAYS = Ways(salt="pepper")
DAY = 86_400


def on_disk(log: Path) -> str:
    """All that the files of a log say: the rows of Parquet files, and others as they are."""
    import pyarrow.parquet

    said = []
    for file in log.rglob("*"):
        if file.suffix == ".parquet":
            said.append(json.dumps(pyarrow.parquet.ParquetFile(file).read().to_pylist()))
        elif file.is_file():
            said.append(file.read_text())
    return "\n".join(said)


def test_rules_change_without_the_files(tmp_path: Path) -> None:
    rows = [query(f"q{minute}", "soup", 60 * minute) for minute in (0, 25, 50)]
    log = make_log(tmp_path, [*rows, event("tap", "q0", "d1", 1, 3)])
    (tmp_path / "source.ndjson").unlink()
    assert log.run(log.queries.session_id.nunique()).as_py() == 1
    settle_anew(tmp_path / "log", lambda rules: replace(rules, gap_minutes=20.0, click_actions=("tap",)))
    log = Log(tmp_path / "log")
    assert log.run(log.queries.session_id.nunique()).as_py() == 3
    assert log.run(log.queries.clicks.sum()).as_py() == 1
    assert log.record.settings["gap_minutes"] == 20.0


def test_later_imports_keep_the_rules(tmp_path: Path) -> None:
    one, two = (write(tmp_path / f"{name}.ndjson", [query(name, "soup")]) for name in ("one", "two"))
    import_files([one], tmp_path / "log", WAYS, Rules(gap_minutes=5))
    assert import_files([two], tmp_path / "log", WAYS).record.settings["gap_minutes"] == 5


@pytest.mark.parametrize("wrong", [{"gap_minutes": 0}, {"bot_queries": 0}, {"anonymity": -1}])
def test_rules_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="expected a gap above 0"):
        Rules(**wrong)


def test_rare_queries_are_gone_from_disk(tmp_path: Path) -> None:
    common = [query(f"q{place}", "soup", client_id=f"user{place}") for place in range(3)]
    rare = [
        query("q8", "my own name"),
        query(None, "my own house", client_id="bob"),  # type: ignore[arg-type]
        *shown("q8", ["secret-document"]),
        event("click", "q8", "secret-document", 1, 3, user_query="my own name"),
        event("click", None, "d1", 1, 4, user_query="my own garden"),
        '{"user_query": "my own typing',
    ]
    log = make_log(tmp_path, [*common, *rare], anonymity=3)
    assert log.run(log.queries.text).to_pylist() == ["soup"] * 3
    assert log.record.removed == {"rare queries, which too few users put": 2}
    assert log.record.sources[0].rejected == {"not JSON": 1}
    said = on_disk(tmp_path / "log")
    assert "my own" not in said
    assert "secret-document" not in said
    # What is gone does not come back, and what comes later is held to the same rule.
    later = write(tmp_path / "later.ndjson", [query("q9", "my own name", client_id=f"user{place}") for place in (1, 2)])
    import_files([later], tmp_path / "log", WAYS)
    log = Log(tmp_path / "log")
    assert log.run(log.queries.text).to_pylist() == ["soup"] * 3
    assert log.record.removed == {"rare queries, which too few users put": 3}
    assert "my own" not in on_disk(tmp_path / "log")


def test_what_is_older_is_forgotten_on_disk_too(tmp_path: Path) -> None:
    rows = [
        query("q1", "old soup"),
        event("click", "q1", "old-document", 1, 5),
        query("q2", "new soup", DAY),
        *shown("q2", ["d1"], DAY),
        {"query_id": "q3", "user_query": "timeless old"},
        {"query_id": "q2", "user_query": "new soup"},
        '{"user_query": "old and broken',
    ]
    make_log(tmp_path, rows)
    record = forget(tmp_path / "log", "2026-03-02")
    assert record.rows == {"queries": 1, "impressions": 1, "events": 0}
    assert record.removed == {"records before 2026-03-02": 3}
    said = on_disk(tmp_path / "log")
    assert not any(text in said for text in ("old soup", "old-document", "timeless", "old and broken"))
    assert '"reason": "not JSON"' in said
    again = write(tmp_path / "again.ndjson", [query("q1", "old soup"), query("q5", "newer", 2 * DAY)])
    found = import_files([again], tmp_path / "log", WAYS)
    assert found.added[0].rejected == {"older than 2026-03-02: the log has forgotten that time": 1}
    assert found.record.rows["queries"] == 2
    assert "old soup" not in on_disk(tmp_path / "log")
    with pytest.raises(UsageError, match="'March' is no day"):
        forget(tmp_path / "log", "March")


def test_all_can_be_forgotten(tmp_path: Path) -> None:
    make_log(tmp_path, [query("q1", "soup")])
    assert forget(tmp_path / "log", "2030-01-01").rows == {"queries": 0, "impressions": 0, "events": 0}
    log = Log(tmp_path / "log")
    assert log.run(log.queries.count()).as_py() == 0


def test_columns_are_dropped(tmp_path: Path) -> None:
    rows = [
        query("q1", "my own name", session_id="s1"),
        query("q2", "My own NAME", 5),
        event("buy", "q1", "d1", 1, 7),
        "{",
    ]
    rows[2]["event_attributes"]["object"]["price"] = 12345.5
    source = write(tmp_path / "source.ndjson", rows)
    import_files([source], tmp_path / "log", replace(WAYS, drop=("text", "user", "value")))
    found = tables(tmp_path / "log")
    assert {row["user_id"] for row in found["queries"]} == {None}
    assert len({row["text"] for row in found["queries"]}) == 1
    assert [row["value"] for row in found["events"]] == [None]
    said = on_disk(tmp_path / "log")
    assert "own name" not in said
    assert '"raw"' not in said
    with pytest.raises(UsageError, match=r"'usr' cannot be dropped. Did you mean user\?"):
        import_files([source], tmp_path / "log", replace(WAYS, drop=("usr",)))


def test_rejected_rows_name_nobody(tmp_path: Path) -> None:
    rows: list[Any] = [
        query("q1", "soup"),
        {"client_id": "zoe", "session_id": "s-77", "user_id": 4711, "query": '{"ext": {"client_id": "zoe"}}'},
        '{"client_id": "zoe\\u0301", "user_query": "soup',
        '{"user_query": "soup", "client_id": "zo',
    ]
    source = write(tmp_path / "source.ndjson", rows)
    import_files([source], tmp_path / "log", WAYS)
    said = next((tmp_path / "log" / "rejected").iterdir()).read_text()
    assert not any(name in said for name in ("zoe", "s-77", "4711", "0301", '"zo'))
    assert said.count("soup") == 2
    import_files([source], tmp_path / "other", replace(WAYS, raw=False))
    assert "soup" not in next((tmp_path / "other" / "rejected").iterdir()).read_text()


def test_a_folder_and_a_pattern_stand_for_their_files(tmp_path: Path) -> None:
    (tmp_path / "files" / "deep").mkdir(parents=True)
    for name in ("a.ndjson", "b.ndjson", "deep/c.ndjson", ".hidden"):
        write(tmp_path / "files" / name, [query(name, "soup")])
    names = [Path(one.name).name for one in import_files([tmp_path / "files"], tmp_path / "log", WAYS).added]
    assert names == ["a.ndjson", "b.ndjson", "c.ndjson"]
    found = import_files([f"{tmp_path}/files/*.ndjson"], tmp_path / "other", WAYS)
    assert [Path(one.name).name for one in found.added] == ["a.ndjson", "b.ndjson"]
    with pytest.raises(UsageError, match="there is no file that this pattern fits"):
        import_files([f"{tmp_path}/files/*.txt"], tmp_path / "other", WAYS)


def test_progress_moves(tmp_path: Path) -> None:
    source = write(tmp_path / "source.ndjson", [query(f"q{place}", "soup") for place in range(100)])
    heard: list[tuple[str, float]] = []
    with telling_progress(lambda name, share: heard.append((name, share))):
        import_files([source], tmp_path / "log", replace(WAYS, batch=2000))
    shares = [share for name, share in heard if name == str(source)]
    assert shares == sorted(shares)
    assert len(set(shares)) > 3
    steps = [share for name, share in heard if name == "putting sources together"]
    assert steps == sorted(steps)
    assert len(steps) > 5


def test_a_log_is_changed_by_one_at_a_time(tmp_path: Path) -> None:
    source = write(tmp_path / "source.ndjson", [query("q1", "soup")])
    with (
        LogFolder(tmp_path / "log").changing(),
        pytest.raises(UsageError, match="another process is changing this log"),
    ):
        import_files([source], tmp_path / "log", WAYS)
    assert import_files([source], tmp_path / "log", WAYS).record.rows["queries"] == 1


_SLOW = """
import sys, time
import cranfield.logs.staging.reading as reading, cranfield.logs.renewing as renewing
from cranfield.logs.importing import Ways, import_files
def stop(): open(sys.argv[3], "w").close(); time.sleep(60)
if sys.argv[4] == "staging":
    plain = reading._staged
    calls = []
    def slow(*said):
        calls.append(said)
        if len(calls) == 3: stop()
        return plain(*said)
    reading._staged = slow
elif sys.argv[4] == "settling":
    plain_settle = renewing.settle
    def slow_settle(*said): plain_settle(*said); stop()
    renewing.settle = slow_settle
else:
    renewing.os.replace = lambda *names: stop()
import_files([sys.argv[1]], sys.argv[2], Ways(salt="pepper", batch=3000))
"""


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["staging", "settling", "naming"])
@pytest.mark.parametrize("before", [False, True])
def test_an_import_that_was_killed_goes_on(tmp_path: Path, moment: str, before: bool) -> None:
    """A real process is killed while it reads, while it makes tables, and before they take their name."""
    rows = [query(f"q{place}", f"soup {place % 7}", place, client_id=f"u{place % 9}") for place in range(200)]
    source = write(
        tmp_path / "source.ndjson", [*rows, *(event("click", f"q{place}", "d1", 1, 500) for place in range(50))]
    )
    first = write(tmp_path / "first.ndjson", [query("p1", "tea")])
    for log in ("log", "whole") if before else ():
        import_files([first], tmp_path / log, WAYS)
    mark = tmp_path / "mark"
    arguments = [sys.executable, "-c", _SLOW, str(source), str(tmp_path / "log"), str(mark), moment]
    with subprocess.Popen(arguments) as process:
        while not mark.exists():
            assert process.poll() is None
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
    if before:
        assert [row["text"] for row in tables(tmp_path / "log")["queries"]] == ["tea"]
    import_files([source], tmp_path / "log", WAYS)
    import_files([source], tmp_path / "whole", WAYS)
    assert tables(tmp_path / "log") == tables(tmp_path / "whole")
    assert LogFolder(tmp_path / "log").read().rows == LogFolder(tmp_path / "whole").read().rows
    left = [path.name for path in (tmp_path / "log").rglob("*") if path.name.endswith(".part")]
    assert left == []


def test_clocks_that_go_backwards_are_counted_and_never_negative(tmp_path: Path) -> None:
    rows = [query("q1", "soup", 10), *shown("q1", ["d1"], 9), event("click", "q1", "d1", 1, 4)]
    log = make_log(tmp_path, rows)
    assert log.record.notes["events before their query"] == 1
    assert log.run(log.queries.first_click_ms).to_pylist() == [0]
    assert log.run(log.events.time_ms).to_pylist() == [BEGIN + 4000]


def test_ranks_before_the_first_are_counted_and_not_kept(tmp_path: Path) -> None:
    source = write(tmp_path / "source.ndjson", [query("q1", "soup"), event("click", "q1", "d1", 0, 4)])
    import_files([source], tmp_path / "log", replace(WAYS, rank_base={"": 1}))
    log = Log(tmp_path / "log")
    assert log.record.notes["ranks before the first"] == 1
    assert log.run(log.events["rank"]).to_pylist() == [None]
