"""`cranfield pool build`, `extend` and `export` as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cranfield as cf
from cranfield.cli.pool.strategy_options import strategy_of
from cranfield.data.judging import events_from_qrels
from cranfield.data.pool import Pool
from cranfield.errors import UsageError
from cranfield.formats.judging_events import event_line
from cranfield.formats.pools import read_pool, write_pool
from cranfield.pooling.building import build_pool
from cranfield.pooling.depth import Depth
from cranfield.pooling.sampling import RandomSample
from cranfield.pooling.strategy import Strategy
from tests.cli.running import run_cranfield
from tests.pooling.made_runs import noisy_runs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    runs, worth = noisy_runs(runs=3, topics=2, documents=60, depth=20, seed=1)
    for run in runs:
        cf.write_run(run, tmp_path / f"{run.name}.run")
    grades = {
        f"t{topic}": {f"d{at}": int(value > 0.5) for at, value in enumerate(row)} for topic, row in enumerate(worth)
    }
    cf.write_qrels(cf.Qrels.from_dict(grades), tmp_path / "all.qrels")
    return tmp_path


def build(folder: Path, *options: str, runs: tuple[str, ...] = ("run-0.run", "run-1.run")) -> str:
    done = run_cranfield("pool", "build", *runs, *options, cwd=folder)
    assert done.exit_code == 0, done.stderr
    return done.text


def made(folder: Path, strategy: Strategy) -> Pool:
    """A pool of the first two runs in pool.tsv, without a process."""
    pool = build_pool([str(folder / f"run-{number}.run") for number in range(2)], strategy).pool
    write_pool(pool, folder / "pool.tsv")
    return pool


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


def test_a_sample_goes_to_the_estimators(folder: Path) -> None:
    build(folder, "--strata", "5:1.0,20:0.3", "-o", "pool.tsv", runs=("run-0.run", "run-1.run", "run-2.run"))
    for layout in ("strata", "prels", "qrels"):
        done = run_cranfield(
            "pool", "export", "pool.tsv", "all.qrels", "--to", layout, "-o", f"sample.{layout}", cwd=folder
        )
        assert done.exit_code == 0
    strata, prels = cf.read_qrels(folder / "sample.strata"), cf.read_qrels(folder / "sample.prels")
    pool = read_pool(folder / "pool.tsv")
    assert (len(strata), len(prels)) == (len(pool.documents), len(pool))
    found = {
        name: cf.evaluate(qrels, cf.read_run(folder / "run-0.run"), ["statAP"]).mean["statAP"]
        for name, qrels in (("strata", strata), ("prels", prels))
    }
    assert found["strata"] == pytest.approx(found["prels"])
    done = run_cranfield("evaluate", "sample.strata", "run-0.run", "-m", "xinfAP", "-m", "infNDCG", cwd=folder)
    assert done.exit_code == 0


def test_what_is_not_judged_yet(folder: Path) -> None:
    pool = made(folder, RandomSample(rate=0.5))
    first = {topic: {documents[0]: 1} for topic, documents in pool.to_judge().items()}
    cf.write_qrels(cf.Qrels.from_dict(first), folder / "some.qrels")
    done = run_cranfield("pool", "export", "pool.tsv", "some.qrels", "--to", "strata", "-o", "s", cwd=folder)
    assert done.exit_code == 1
    assert f"{len(pool) - 2} of the {len(pool)} documents to judge have no judgment yet" in done.stderr
    assert not (folder / "s").exists()
    done = run_cranfield("pool", "export", "pool.tsv", "some.qrels", "--to", "strata", "--partial", cwd=folder)
    assert done.exit_code == 0
    assert len(done.text.splitlines()) == len(pool.documents)


def test_a_list_for_assessors_and_of_one_round(folder: Path) -> None:
    made(folder, Depth(3))
    (folder / "by-hand.txt").write_text("t0 found-1\nt0 found-2\n")
    done = run_cranfield("pool", "extend", "pool.tsv", "--add", "by-hand.txt", "-o", "two.tsv", cwd=folder)
    assert done.exit_code == 0
    done = run_cranfield("pool", "export", "two.tsv", "--round", "1", cwd=folder)
    assert sorted(done.text.splitlines()) == ["t0 found-1", "t0 found-2"]
    done = run_cranfield("pool", "export", "two.tsv", cwd=folder)
    pool = read_pool(folder / "two.tsv")
    assert done.text.splitlines() == [f"{topic} {each}" for topic in pool for each in pool[topic]]


def test_events_of_judging_are_judgments(folder: Path) -> None:
    pool = made(folder, Depth(1))
    grades = cf.Qrels.from_dict({topic: dict.fromkeys(documents, 2) for topic, documents in pool.to_judge().items()})
    events = events_from_qrels(grades, time="2026-03-01T09:30:00Z", assessor="ann")
    (folder / "events.jsonl").write_bytes(b"".join(map(event_line, events)))
    done = run_cranfield("pool", "export", "pool.tsv", "events.jsonl", "--to", "prels", cwd=folder)
    assert done.exit_code == 0, done.stderr
    assert {line.split()[2] for line in done.text.splitlines()} == {"2"}
    assert len(done.text.splitlines()) == len(pool)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["all.qrels", "--to", "list"], "--to list writes no judgments"),
        (["all.qrels", "--round", "1"], "--round is for --to list"),
        (["--to", "strata"], "Missing argument 'JUDGMENTS'"),
    ],
)
def test_exports_that_do_not_fit(folder: Path, arguments: list[str], message: str) -> None:
    made(folder, Depth(1))
    done = run_cranfield("pool", "export", "pool.tsv", *arguments, cwd=folder)
    assert done.exit_code == 2
    assert message in done.stderr


def test_a_pool_cut_short_is_refused_and_nothing_is_written(folder: Path) -> None:
    made(folder, Depth(5))
    content = (folder / "pool.tsv").read_bytes()
    (folder / "cut.tsv").write_bytes(content[:-20])
    done = run_cranfield("pool", "extend", "cut.tsv", "run-2.run", "-o", "more.tsv", cwd=folder)
    assert done.exit_code == 1
    assert "cut.tsv: the pool was cut short" in done.stderr
    assert not (folder / "more.tsv").exists()
