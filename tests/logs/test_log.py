"""A log that is open for questions: which part of it is looked at, and what the engine keeps."""

from __future__ import annotations

import gc
import json
import shutil
import subprocess
import sys
import weakref
from pathlib import Path

import pytest

from cranfield.errors import DataError, UsageError
from cranfield.logs.duck_engine import DuckEngine
from cranfield.logs.folder import VERSION
from cranfield.logs.importing import Ways, import_files
from cranfield.logs.log import Log, Part
from cranfield.logs.overview import overview
from cranfield.logs.renewing import settle_anew
from tests.logs.making import event, make_log, query, shown

DAY = 86_400

ROWS = [
    query("q1", "soup", application="shop"),
    query("q2", "tea", 9, application="shop"),
    query("q3", "tea", 99, application="help"),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(make_log(tmp_path_factory.mktemp("log"), ROWS).path)


def kept_tables(log: Log) -> int:
    """As the engine counts them."""
    assert isinstance(log.engine, DuckEngine)
    found = log.engine._backend.con.execute(
        "SELECT count(*) FROM duckdb_tables() WHERE starts_with(table_name, 'kept_')"
    )
    return int(found.fetchone()[0])


def test_days_in_the_wrong_order() -> None:
    with pytest.raises(UsageError, match="no day is from 2026-03-02 to 2026-03-01"):
        Part(since="2026-03-02", until="2026-03-01")
    assert Part(since="2026-03-01", until="2026-03-01").since == "2026-03-01"


def test_what_is_kept_answers_like_what_it_is_of(path: Path) -> None:
    log = Log(path)
    queries = log.queries
    by_text = queries.group_by("text").agg(times=queries.count()).order_by("text")
    kept = log.keep(by_text)
    assert log.run(kept.order_by("text")).to_pylist() == [{"text": "soup", "times": 1}, {"text": "tea", "times": 2}]
    often = kept.filter(kept.times > 1)
    assert log.run(queries.join(often, "text").query_id.nunique()).as_py() == 2  # with the tables of the log
    assert log.run(log.keep(kept).count()).as_py() == 2  # one from another
    assert kept_tables(log) == 2


def test_what_is_kept_is_gone_with_the_log(path: Path) -> None:
    log, other = Log(path), Log(path)
    kept = log.keep(log.queries)
    assert (kept_tables(log), kept_tables(other)) == (1, 0)
    assert isinstance(log.engine, DuckEngine)
    engine = weakref.ref(log.engine._backend)
    del log, kept
    gc.collect()
    assert engine() is None


def test_nothing_is_said_when_python_ends_with_something_kept(path: Path) -> None:
    """Of logs that are in use to the end, and of one that is not."""
    program = (
        "import sys\n"
        "from cranfield.logs.log import Log\n"
        "log, other = Log(sys.argv[1]), Log(sys.argv[1])\n"
        "kept = log.keep(log.queries)\n"
        "other.keep(other.queries)\n"
        "del other\n"
        "print(log.run(kept.count()))\n"
    )
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("3\n", "")


def test_an_application_that_is_not_there(path: Path, tmp_path: Path) -> None:
    log = Log(path, Part(application="help"))
    assert log.run(log.queries.count()).as_py() == 1
    with pytest.raises(UsageError, match=r"no application 'shopp'. Did you mean shop\? There are: help, shop"):
        _ = Log(path, Part(application="shopp")).queries
    silent = make_log(tmp_path, [query("q1", "soup")]).path
    with pytest.raises(UsageError, match="does not say which application"):
        _ = Log(silent, Part(application="shop")).queries


def test_numbers_stand_for_names(tmp_path: Path) -> None:
    """Counted by hand: texts are soup, tea and, of a click alone, bread; documents a, b and, of that click, c."""
    rows = [
        query("q1", "tea"),
        *shown("q1", ["b", "a"]),
        event("click", "q1", "a", 2, 3),
        event("click", "q1", "a", 2, 5),
        query("q2", "tea", 2 * DAY, client_id="bob"),
        *shown("q2", ["b", "a"], 2 * DAY, client_id="bob"),
        query("q3", "soup", 2 * DAY + 60),
        event("click", None, "c", None, 9, user_query="bread"),
    ]
    log = make_log(tmp_path, rows)
    assert log.run(log.texts.order_by("text_number")).to_pylist() == [
        {"text_number": number, "text": text} for number, text in enumerate(("bread", "soup", "tea"), 1)
    ]
    assert log.run(log.documents.order_by("document_number"))["document_id"].to_pylist() == ["a", "b", "c"]
    who = log.run(log.queries.order_by("query_number")).to_pylist()
    assert [(row["query_id"], row["query_number"], row["text_number"]) for row in who] == [
        ("q1", 1, 3),
        ("q2", 2, 3),
        ("q3", 3, 2),
    ]
    assert who[0]["user_number"] == who[2]["user_number"] != who[1]["user_number"]
    assert len({row["session_number"] for row in who}) == 3  # ann came again after days
    events = log.run(log.events.order_by("time_ms")).to_pylist()
    assert [(row["query_number"], row["text_number"], row["document_number"]) for row in events] == [
        (1, 3, 1),
        (1, 3, 1),
        (None, 1, 3),
    ]


def test_what_was_shown_is_counted_by_the_import_as_by_days(tmp_path: Path) -> None:
    """By hand: a at rank 2 was shown twice, once on the first day, when it was clicked twice; b at rank 1 twice."""
    rows = [
        query("q1", "tea", application="shop"),
        *shown("q1", ["b", "a"]),
        event("click", "q1", "a", 2, 3),
        event("click", "q1", "a", 2, 5),
        query("q2", "tea", 2 * DAY, application="shop"),
        *shown("q2", ["b", "a"], 2 * DAY),
    ]
    path = make_log(tmp_path, rows).path

    def counted(part: Part) -> list[tuple[int, int, int]]:
        log = Log(path, part)
        counts = log.counts
        sums = counts.group_by("rank").agg(shown=counts.shown.sum(), clicked=counts.clicked.sum())
        found = log.run(sums.order_by("rank")).to_pylist()
        return [(row["rank"], row["shown"], row["clicked"]) for row in found]

    assert counted(Part()) == counted(Part(application="shop")) == [(1, 2, 0), (2, 2, 1)]
    assert counted(Part(since="2026-03-01", until="2026-03-09")) == [(1, 2, 0), (2, 2, 1)]
    assert counted(Part(until="2026-03-01")) == [(1, 1, 0), (2, 1, 1)]
    assert counted(Part(since="2026-03-02")) == [(1, 1, 0), (2, 1, 0)]


def test_tables_of_an_older_version_are_made_anew(tmp_path: Path) -> None:
    source, folder = tmp_path / "source.ndjson", tmp_path / "log"
    make_log(tmp_path, ROWS)
    record = folder / "log.json"
    for renew in (
        lambda: settle_anew(folder, lambda rules: rules),
        lambda: import_files([source], folder, Ways(salt="pepper")),
    ):
        record.write_text(json.dumps(json.loads(record.read_text()) | {"version": 1}))
        with pytest.raises(DataError, match=f"were made by an older version: `cranfield logs settle {folder}`"):
            _ = Log(folder).queries
        renew()
        log = Log(folder)
        assert log.run(log.queries.count()).as_py() == 3
    record.write_text(json.dumps(json.loads(record.read_text()) | {"version": VERSION + 1}))
    with pytest.raises(DataError, match="was written by another version"):
        _ = Log(folder).queries


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    log = make_log(tmp_path, ROWS)
    shutil.rmtree(tmp_path / "log" / log.record.tables / "traffic")
    with pytest.raises(DataError, match="traffic: there is no such table: was the log copied as a whole"):
        overview(Log(tmp_path / "log"))
