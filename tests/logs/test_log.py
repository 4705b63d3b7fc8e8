"""A log that is open for questions: which part of it is looked at, and what the engine keeps."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from pathlib import Path

import pytest

from cranfield.errors import UsageError
from cranfield.logs.log import Log, Part
from tests.logs.making import make_log, query

ROWS = [
    query("q1", "soup", application="shop"),
    query("q2", "tea", 9, application="shop"),
    query("q3", "tea", 99, application="help"),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_log(tmp_path_factory.mktemp("log"), ROWS).folder.path


def kept_tables(log: Log) -> int:
    """As the engine counts them."""
    found = log._backend.con.execute("SELECT count(*) FROM duckdb_tables() WHERE starts_with(table_name, 'kept_')")
    return int(found.fetchone()[0])


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
    engine = weakref.ref(log._backend)
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
    silent = make_log(tmp_path, [query("q1", "soup")]).folder.path
    with pytest.raises(UsageError, match="does not say which application"):
        _ = Log(silent, Part(application="shop")).queries
