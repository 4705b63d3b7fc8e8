"""`cranfield logs queries`, `cache` and `personal`, and `cranfield topics sample`, as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield
from tests.logs.small_world import log_of, pages_at_random


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log of 120 queries, called log."""
    folder = tmp_path_factory.mktemp("with_log")
    log_of(folder, pages_at_random(9))
    return folder


def said(folder: Path, *arguments: str) -> str:
    done = run_cranfield(*arguments, cwd=folder)
    assert done.exit_code == 0, done.stderr
    return done.text


def test_queries_in_all_layouts(folder: Path) -> None:
    whole = json.loads(said(folder, "logs", "queries", "log", "--enough", "5", "--format", "json"))
    lines = said(folder, "logs", "queries", "log", "--table", "reformulations", "--named", "3").splitlines()
    assert lines[0].split("\t") == ["text", "next_text", "times", "sessions", "kind"]
    assert [line.split("\t")[0] for line in lines[1:]] == [row["text"] for row in whole["reformulations"][:3]]
    assert {"hot soup", "soup hot"} <= {row["text"] for need in whole["phrasings"] for row in need["phrasings"]}
    assert all(row["interval"][0] <= row["entropy"] <= row["interval"][1] for row in whole["needs"])
    assert whole["needs"]
    shown = said(folder, "logs", "queries", "log", "--enough", "5", "--format", "table")
    for title in ("Phrasings of one need", "clicks go many ways", "From query to query", "Kinds of change"):
        assert title in shown


def test_drawings(folder: Path) -> None:
    said(folder, "logs", "queries", "log", "--plot", "graph.svg")
    assert "How queries are said anew" in (folder / "graph.svg").read_text()
    assert "rye bread" in (folder / "graph.svg").read_text()
    said(folder, "logs", "queries", "log", "--plot", "graph.dot")
    assert (folder / "graph.dot").read_text().startswith("digraph reformulations {\n")
    said(folder, "logs", "cache", "log", "--plot", "cache.svg")
    assert "What a cache would have answered" in (folder / "cache.svg").read_text()
    said(folder, "logs", "personal", "log", "--plot", "again.svg")
    assert "When users put the same query again" in (folder / "again.svg").read_text()


def test_a_drawing_of_nothing(folder: Path) -> None:
    done = run_cranfield("logs", "queries", "log", "--sessions", "1000", "--plot", "nothing.svg", cwd=folder)
    assert (done.exit_code, (folder / "nothing.svg").exists()) == (1, False)
    assert "nothing.svg: there is nothing to draw: no change of queries was made by 1,000 sessions" in done.stderr
    done = run_cranfield("logs", "queries", "log", "--plot", "nothing.gif", cwd=folder)
    assert ".html, .json, .dot; this one ends in .gif" in done.stderr


@pytest.mark.parametrize(
    "command", ["overview", "behaviour", "clicks", "queries", "cache", "personal", "models", "propensities"]
)
def test_a_part_without_queries(folder: Path, command: str) -> None:
    done = run_cranfield("logs", command, "log", "--since", "2100-01-01", cwd=folder)
    assert (done.exit_code, done.text) == (1, "")
    assert "log: there are no queries in this part of the log" in done.stderr


def test_caches(folder: Path) -> None:
    wanted = ("--policy", "lru", "--policy", "unlimited", "--size", "3", "--engine-ms", "50", "--cache-ms", "0")
    whole = json.loads(said(folder, "logs", "cache", "log", *wanted, "--format", "json"))
    limited, unlimited = whole["caches"]
    assert (limited["policy"], limited["size"], unlimited["size"]) == ("lru", 3, None)
    assert unlimited["hits"] == 120 - 7  # seven different queries
    assert unlimited["latency_ms"] == pytest.approx(50 * 7 / 120)
    assert limited["hit_rate"] == next(row["hit_rate"] for row in whole["lru"] if row["size"] == 3)


def test_own_history(folder: Path) -> None:
    lines = said(folder, "logs", "personal", "log", "--table", "gain").splitlines()
    assert lines[0].split("\t")[:5] == ["queries", "users", "before", "after", "difference"]
    shown = said(folder, "logs", "personal", "log", "--format", "table")
    assert "only 6 users put a query again and clicked, 10 are needed" in " ".join(shown.split())


def test_topics(folder: Path) -> None:
    whole = json.loads(
        said(folder, "topics", "sample", "log", "-n", "3", "--by", "stratified", "-o", "t.tsv", "--format", "json")
    )
    lines = (folder / "t.tsv").read_text().splitlines()
    assert lines[0].split("\t") == ["qid", "text", "asked", "people", "stratum", "inclusion", "weight"]
    assert [line.split("\t")[1] for line in lines[1:]] == [topic["text"] for topic in whole["topics"]]
    assert {topic["stratum"] for topic in whole["topics"]} == {"head", "torso", "tail"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("logs", "queries", "nowhere"), "this is no log"),
        (("logs", "queries", "log", "--plot", "graph.gif"), "gif"),
        (("logs", "cache", "log", "--policy", "fifo"), "fifo"),
        (("logs", "cache", "log", "--size", "0"), "0"),
        (("logs", "cache", "log", "--since", "2031-01-01"), "there are no queries in this part of the log"),
        (("topics", "sample", "log", "-n", "900", "-o", "t.jsonl"), "900 topics cannot be drawn from 7"),
        (("topics", "sample", "log", "-n", "2", "-o", "t.csv"), "ends in .tsv, .jsonl or .toml"),
        (("topics", "sample", "log"), "-o"),
    ],
)
def test_mistakes_are_said(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    done = run_cranfield(*arguments, cwd=folder)
    assert done.exit_code in (1, 2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "t.csv").exists()
