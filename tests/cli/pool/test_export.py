"""`cranfield pool export` as a user meets it."""

from __future__ import annotations

from pathlib import Path

import pytest

import cranfield as cf
from cranfield.cli.pool.build import command as build_command
from cranfield.cli.pool.export import command as export_command
from cranfield.data.judging import events_from_qrels
from cranfield.errors import UsageError
from cranfield.formats.judging_events import event_line
from cranfield.formats.pools import read_pool
from cranfield.pooling.depth import Depth
from cranfield.pooling.sampling import RandomSample, StratifiedSample
from tests.cli.pool.made_pools import build, in_process, made
from tests.cli.running import run_cranfield


def test_in_a_workspace_the_judgments_are_the_events_of_the_pool(workspace: Path) -> None:
    in_process(build_command, "-k", "1")
    assert in_process(export_command, "pool.tsv").stdout == "t0 d1\nt1 d1\n"
    events = events_from_qrels(cf.Qrels.from_dict({"t0": {"d1": 3}}), time="2026-03-01T09:30:00Z", assessor="ann")
    (workspace / "judgments").mkdir()
    (workspace / "judgments/pool.ann.events.jsonl").write_bytes(b"".join(map(event_line, events)))
    (workspace / "judgments/pool.bob.events.jsonl").write_bytes(b"")
    for options in ((), ("--to", "qrels")):
        done = in_process(export_command, "pool.tsv", *options)
        assert done.stdout == "t0 0 d1 3\n"
        assert "those of the workspace: judgments/pool.ann.events.jsonl\n" in done.stderr
    assert in_process(export_command, "pool.tsv", "--to", "qrels_jg").stdout == "t0 ann d1 3\n"
    assert in_process(export_command, "pool.tsv", "--to", "list").stdout == "t0 d1\nt1 d1\n"
    assert in_process(export_command, "pool.tsv", "--round", "0").stdout == "t0 d1\nt1 d1\n"


def test_what_is_said_of_an_export_is_about_what_is_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    made(folder, StratifiedSample(((2, 1.0), (20, 0.3))))
    said = in_process(export_command, "pool.tsv", "all.qrels", "--with-unjudged").stderr
    assert "documents of 2 topics had different chances of being judged: infAP" in said
    assert "infAP" not in in_process(export_command, "pool.tsv", "all.qrels").stderr
    (folder / "one.qrels").write_text("t0 0 d1 1\n")
    assert "strata" not in in_process(export_command, "pool.tsv", "one.qrels").stderr
    assert "strata have no" in in_process(export_command, "pool.tsv", "one.qrels", "--to", "strata", "--partial").stderr
    with pytest.raises(
        UsageError, match=r"^one\.qrels: there is such a file already: name another file with -o, or say"
    ):
        in_process(export_command, "pool.tsv", "all.qrels", "-o", "one.qrels")


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
