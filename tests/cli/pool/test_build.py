"""`cranfield pool build` and `extend` as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cranfield as cf
from cranfield.cli.pool.build import command as build_command
from cranfield.cli.pool.extend import command as extend_command
from cranfield.cli.pool.strategy_options import strategy_of
from cranfield.errors import UsageError
from cranfield.formats.pools import read_pool
from cranfield.pooling.depth import Depth
from tests.cli.pool.made_pools import build, in_process, made
from tests.cli.running import run_cranfield


def test_a_pool_and_what_is_said_of_it(folder: Path) -> None:
    header, values = build(folder, "-k", "5", "-o", "pool.tsv").splitlines()
    said = dict(zip(header.split("\t"), values.split("\t"), strict=True))
    pool = read_pool(folder / "pool.tsv")
    by_topic = {
        topic: {d for run in ("run-0.run", "run-1.run") for d in list(cf.read_run(folder / run)[topic])[:5]}
        for topic in ("t0", "t1")
    }
    assert {topic: set(documents) for topic, documents in pool.to_judge().items()} == by_topic
    assert said["to_judge"] == said["new"] == str(sum(map(len, by_topic.values())))
    assert said["most_of_a_topic"] == str(max(map(len, by_topic.values())))


def test_a_pool_is_not_overwritten_unless_that_is_said(folder: Path) -> None:
    made(folder, Depth(5))
    before = (folder / "pool.tsv").read_bytes()
    done = run_cranfield("pool", "build", "run-2.run", "-o", "pool.tsv", cwd=folder)
    assert done.exit_code == 2
    assert "pool.tsv: there is such a file already" in done.stderr
    assert (folder / "pool.tsv").read_bytes() == before
    done = run_cranfield("pool", "extend", "pool.tsv", "run-2.run", "-o", "pool.tsv", cwd=folder)
    assert done.exit_code == 2
    assert (folder / "pool.tsv").read_bytes() == before
    build(folder, "-k", "2", "-o", "pool.tsv", "--force")
    assert (folder / "pool.tsv").read_bytes() != before


def test_a_failed_build_leaves_nothing_behind(folder: Path) -> None:
    (folder / "bad.run").write_text("t0 Q0 d1 1 high tag\n")
    done = run_cranfield("pool", "build", "run-0.run", "bad.run", "-o", "pool.tsv", "--force", cwd=folder)
    assert done.exit_code == 1
    assert "bad.run:1: score 'high' is not a finite number" in done.stderr
    assert not list(folder.glob("*pool*"))


def test_to_standard_output(folder: Path) -> None:
    text = build(folder, "-k", "2", "-o", "-")
    assert text.startswith("# cranfield pool 1 {")
    (folder / "piped.tsv").write_text(text)
    assert len(read_pool(folder / "piped.tsv")) > 4


def test_numbers_in_json(folder: Path) -> None:
    said = json.loads(build(folder, "--strata", "2:1.0,10:0.5", "-o", "pool.tsv", "--format", "json"))
    pool = read_pool(folder / "pool.tsv")
    assert said["pool"] == "pool.tsv"
    assert (said["to_judge"], said["drawn_from"]) == (len(pool), len(pool.documents))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": "rrf"}, "--strategy rrf needs --budget"),
        ({"strategy": "random"}, "--strategy random needs either --rate or --budget"),
        ({"strategy": "strata"}, "--strategy strata needs --strata"),
        ({"strategy": "depth", "budget": 5}, "--budget says nothing to the strategy depth, which takes -k"),
        ({"strategy": None, "strata": "10:1.0", "depth": 5}, "-k says nothing to the strategy strata, which takes"),
        ({"strategy": None, "strata": "10:0"}, "documents without any chance of being judged cannot be estimated"),
        ({"strategy": "random", "rate": 0.0}, "rate 0: documents without any chance"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        strategy_of(**options)


def test_a_chance_of_zero_is_wrong_usage(folder: Path) -> None:
    done = run_cranfield("pool", "build", "run-0.run", "--strata", "10:1.0,20:0", "-o", "pool.tsv", cwd=folder)
    assert done.exit_code == 2
    assert "band 20:0: documents without any chance" in done.stderr
    assert not (folder / "pool.tsv").exists()


def test_without_runs_or_a_place_outside_a_workspace(folder: Path) -> None:
    done = run_cranfield("pool", "build", "-o", "pool.tsv", cwd=folder)
    assert (done.exit_code, done.stderr.strip()) == (
        2,
        "cranfield: there is nothing to make a pool of: name runs, or documents to add",
    )
    done = run_cranfield("pool", "build", "run-0.run", cwd=folder)
    assert done.exit_code == 2
    assert "Missing option '-o'" in done.stderr


def test_topics_and_documents_a_pool_is_for(folder: Path) -> None:
    (folder / "docs.jsonl").write_text('{"_id": "d1", "text": "soup"}\n')
    (folder / "other.jsonl").write_text('{"_id": "d1", "text": "bread"}\n')
    (folder / "topics.tsv").write_text("t1\thot soup\n")
    build(folder, "-k", "3", "--collection", "docs.jsonl", "--topics", "topics.tsv", "-o", "pool.tsv")
    pool = read_pool(folder / "pool.tsv")
    assert pool.topics == ("t1",)
    assert pool.collection_sha256 == cf.open_collection(folder / "docs.jsonl").sha256
    extend = ("pool", "extend", "pool.tsv", "run-2.run", "-k", "3", "-o", "more.tsv")
    done = run_cranfield(*extend, "--collection", "other.jsonl", "--topics", "topics.tsv", cwd=folder)
    assert done.exit_code == 1
    assert "pool.tsv: this pool is for other documents: their SHA-256 was" in done.stderr
    assert not (folder / "more.tsv").exists()
    done = run_cranfield(*extend, "--collection", "docs.jsonl", "--topics", "topics.tsv", cwd=folder)
    assert done.exit_code == 0
    assert read_pool(folder / "more.tsv")["t1"][: len(pool)] == pool["t1"]


def test_in_a_workspace_all_runs_and_its_topics_and_documents(folder: Path) -> None:
    (folder / "docs.jsonl").write_text('{"_id": "d1", "text": "soup"}\n')
    (folder / "topics.tsv").write_text("t0\tcold soup\nt1\thot soup\n")
    (folder / "cranfield.toml").write_text(
        'version = 1\ncollection = "docs.jsonl"\ntopics = "topics.tsv"\nqrels = "all.qrels"\n[systems.bm25]\nengine = "bm25"\n'
    )
    done = run_cranfield("search", "bm25", cwd=folder)
    assert done.exit_code == 0, done.stderr
    done = run_cranfield("pool", "build", "-k", "5", cwd=folder)
    assert done.exit_code == 0, done.stderr
    pool = read_pool(folder / "pool.tsv")
    assert pool.to_judge() == {"t0": ["d1"], "t1": ["d1"]}
    assert pool.collection_sha256 is not None
    assert pool.topics_sha256 is not None
    done = run_cranfield("pool", "export", "pool.tsv", "--to", "qrels", cwd=folder)
    assert (done.exit_code, len(done.text.splitlines())) == (0, 2)
    assert "cranfield: the judgments are those of the workspace: all.qrels" in done.stderr


def test_in_a_workspace_documents_are_added_to_those_of_its_systems(workspace: Path) -> None:
    (workspace / "by-hand.txt").write_text("t0 d2\nt1 nosuch\n")
    done = in_process(build_command, "-k", "1", "--add", "by-hand.txt")
    pool = read_pool(workspace / "pool.tsv")
    assert {topic: sorted(pool[topic]) for topic in pool} == {"t0": ["d1", "d2"], "t1": ["d1", "nosuch"]}
    assert (pool.recipe[0]["strategy"], len(pool.recipe[0]["runs"])) == ("depth", 1)
    assert "by-hand.txt: 1 document that the collection does not have: nosuch" in done.stderr
    in_process(extend_command, "pool.tsv", "--add", "by-hand.txt", "-o", "by-hand.tsv")
    assert read_pool(workspace / "by-hand.tsv").recipe[1]["strategy"] == "added"
    in_process(extend_command, "pool.tsv", "-k", "2", "-o", "deeper.tsv")
    deeper = read_pool(workspace / "deeper.tsv")
    assert deeper.recipe[1]["parameters"] == {"depth": 2}
    second = "d3"  # of the two with one "soup" the shorter
    assert {topic: set(deeper[topic]) for topic in deeper} == {
        "t0": {"d1", "d2", second},
        "t1": {"d1", "nosuch", second},
    }


@pytest.mark.parametrize("command", [("build",), ("extend", "pool.tsv")])
def test_a_strategy_without_runs_is_wrong_usage(folder: Path, command: tuple[str, ...]) -> None:
    made(folder, Depth(1))
    (folder / "by-hand.txt").write_text("t0 found\n")
    done = run_cranfield("pool", *command, "-k", "5", "--add", "by-hand.txt", "-o", "new.tsv", cwd=folder)
    assert done.exit_code == 2
    assert "-k says which documents of runs are judged, and there is no run" in done.stderr
    assert not (folder / "new.tsv").exists()


def test_a_pool_cut_short_is_refused_and_nothing_is_written(folder: Path) -> None:
    made(folder, Depth(5))
    content = (folder / "pool.tsv").read_bytes()
    (folder / "cut.tsv").write_bytes(content[:-20])
    done = run_cranfield("pool", "extend", "cut.tsv", "run-2.run", "-o", "more.tsv", cwd=folder)
    assert done.exit_code == 1
    assert "cut.tsv: the pool was cut short" in done.stderr
    assert not (folder / "more.tsv").exists()
