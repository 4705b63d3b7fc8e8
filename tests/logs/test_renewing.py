"""Rules that change, and imports that are ended in the middle."""

from __future__ import annotations

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
from cranfield.logs.exporting import export_ubi
from cranfield.logs.folder import LogFolder
from cranfield.logs.importing import Ways, import_files
from cranfield.logs.log import Log
from cranfield.logs.overview import overview
from cranfield.logs.renewing import forget, settle_anew
from cranfield.logs.settling import Rules
from tests.logs.making import BEGIN, event, make_log, on_disk, query, shown, tables, write

WAYS = Ways(salt="pepper")


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


def test_whatever_the_folder_is_called(tmp_path: Path) -> None:
    """With signs that say something in patterns of files, and in SQL."""
    folder = tmp_path / "it's [my] *log?"
    folder.mkdir()
    rows = [query("q1", "soup"), query("q2", "tea", 86_400), event("click", "q2", "d1", 1, 86_410)]
    assert overview(make_log(folder, rows)).total.queries == 2
    settle_anew(folder / "log", lambda rules: replace(rules, anonymity=1))
    assert export_ubi(folder / "log", folder / "out.ndjson") == 3
    assert forget(folder / "log", "2026-03-02").rows["queries"] == 1
    assert overview(Log(folder / "log")).total.clicks == 1


def test_later_imports_keep_the_rules(tmp_path: Path) -> None:
    one, two = (write(tmp_path / f"{name}.ndjson", [query(name, "soup")]) for name in ("one", "two"))
    import_files([one], tmp_path / "log", WAYS, Rules(gap_minutes=5))
    assert import_files([two], tmp_path / "log", WAYS).record.settings["gap_minutes"] == 5


@pytest.mark.parametrize("wrong", [{"gap_minutes": 0}, {"bot_queries": 0}, {"anonymity": -1}])
def test_rules_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="expected a gap above 0"):
        Rules(**wrong)


def test_what_processes_left_behind_is_swept_away(tmp_path: Path) -> None:
    """Tables and records of which log.json does not know would never be forgotten."""
    make_log(tmp_path, [query("q1", "soup")])
    log = tmp_path / "log"
    for left in ("tables-0", ".tables-1.abcdefgh.part", "sources/feed", "sources/.beef.abcdefgh.part"):
        (log / left).mkdir()
        (log / left / "rest").write_text("left behind")
    (log / "rejected" / "feed.jsonl").write_text("left behind")
    settle_anew(log, lambda rules: rules)
    assert "left behind" not in on_disk(log)
    assert [row["text"] for row in tables(log)["queries"]] == ["soup"]


def test_a_folder_and_a_pattern_stand_for_their_files(tmp_path: Path) -> None:
    (tmp_path / "files" / "deep").mkdir(parents=True)
    for name in ("a.ndjson", "b.ndjson", "deep/c.ndjson", ".hidden"):
        write(tmp_path / "files" / name, [query(name, "soup")])
    names = [Path(one.name).name for one in import_files([tmp_path / "files"], tmp_path / "log", WAYS).added]
    assert names == ["a.ndjson", "b.ndjson", "c.ndjson"]
    found = import_files([f"{tmp_path}/files/*.ndjson"], tmp_path / "other", WAYS)
    assert [Path(one.name).name for one in found.added] == ["a.ndjson", "b.ndjson"]
    # A log and its secret may be in the folder.
    (tmp_path / "files" / "log.salt").write_text("pepper")
    for _ in range(2):
        found = import_files([tmp_path / "files", f"{tmp_path}/files/*n"], tmp_path / "files/log", WAYS)
        assert len(found.record.sources) == 3
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
