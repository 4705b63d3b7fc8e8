"""`cranfield pool stats`, `bias`, `size` and `cost` as a user meets them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.data.judging import events_from_qrels
from cranfield.formats.judging_events import event_line
from cranfield.formats.pools import write_pool
from cranfield.pooling.building import build_pool
from cranfield.pooling.depth import Depth
from cranfield.pooling.missing.bias import pool_bias
from cranfield.pooling.missing.cost import judging_cost
from cranfield.pooling.missing.size import pool_size
from cranfield.pooling.missing.statistics import pool_statistics
from tests.cli.running import Done, run_cranfield
from tests.pooling.made_runs import noisy_runs

RUNS = ("run-0.run", "run-1.run", "other.run")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("missing")
    runs, worth = noisy_runs(runs=3, topics=4, documents=80, depth=30, seed=1)
    for run, name in zip(runs, RUNS, strict=True):
        cf.write_run(run, place / name)
    pool = build_pool([str(place / name) for name in RUNS], Depth(10), seed=3).pool
    write_pool(pool, place / "pool.tsv")
    grades = {
        topic: {document: int(worth[int(topic[1:]), int(document[1:])] > 0.8) for document in documents}
        for topic, documents in pool.to_judge().items()
    }
    qrels = cf.Qrels.from_dict(grades)
    cf.write_qrels(qrels, place / "all.qrels")
    half = cf.Qrels.from_dict({topic: dict(list(of.items())[:15]) for topic, of in grades.items()})
    lines = [event_line(event) for event in events_from_qrels(half, time="2026-03-01T09:30:00Z", assessor="ann")]
    (place / "half.jsonl").write_bytes(b"".join(lines))
    return place


def pool(folder: Path, *arguments: str) -> Done:
    return run_cranfield("pool", *arguments, cwd=folder)


def table(done: Done) -> list[dict[str, str]]:
    assert done.exit_code == 0, done.stderr
    return list(csv.DictReader(done.text.splitlines(), delimiter="\t"))


def test_stats(folder: Path) -> None:
    rows = table(pool(folder, "stats", "all.qrels", *RUNS, "-k", "10", "--ranks", "5,20"))
    found = pool_statistics(str(folder / "all.qrels"), [str(folder / run) for run in RUNS], depth=10, cutoffs=[5, 20])
    assert [row["run"] for row in rows] == ["run-0", "run-1", "other"]
    assert [int(row["unique_relevant"]) for row in rows] == [run.unique_relevant for run in found.runs]
    assert [float(row["judged@20"]) for row in rows] == [run.judged[1] for run in found.runs]
    done = pool(folder, "stats", "pool.tsv", "all.qrels", *RUNS, "--format", "json")
    assert json.loads(done.text)["totals"]["pool"] == found.totals["pool"]


def test_bias(folder: Path) -> None:
    rows = table(pool(folder, "bias", "all.qrels", *RUNS, "-k", "10", "-m", "AP", "--groups", "pair=run-"))
    found = pool_bias(
        str(folder / "all.qrels"), [str(folder / run) for run in RUNS], "AP", depth=10, groups=["pair=run-"]
    )
    expected = found.rows(found.measures[0])
    assert [(row["run"], row["group"], float(row["without"])) for row in rows] == [
        (row.run, row.group, row.without) for row in expected
    ]
    whole = json.loads(pool(folder, "bias", "all.qrels", *RUNS, "-k", "10", "--format", "json").text)
    assert [measure["measure"] for measure in whole["measures"]] == ["AP", "nDCG@10", "P@10", "Bpref"]


def test_size_of_runs_and_of_a_pool_that_is_being_judged(folder: Path) -> None:
    done = pool(folder, "size", "all.qrels", *RUNS, "-k", "10", "--resamples", "50")
    rows = {row["method"]: row for row in table(done)}
    found = pool_size(str(folder / "all.qrels"), [str(folder / run) for run in RUNS], depth=10, resamples=50)
    for each in found.estimates:
        said = rows[each.method]["estimate"]
        assert (float(said) if said else None) == pytest.approx(each.total.value if each.total else None)
    assert "sample does not apply: the judgments are not a sample" in done.stderr
    judged = table(pool(folder, "size", "half.jsonl", "--pool", "pool.tsv", "--table", "topics", "--resamples", "50"))
    assert {row["method"] for row in judged} == {"sample", "curve"}
    assert {row["topic"] for row in judged} == {"t0", "t1", "t2", "t3"}


def test_cost(folder: Path) -> None:
    done = pool(folder, "cost", *RUNS, "-k", "5,10", "--documents", "80", "--per-hour", "60", "--wage", "30")
    rows = table(done)
    found = judging_cost([str(folder / run) for run in RUNS], depths=[5, 10])
    assert [row["what"] for row in rows] == ["depth 5", "depth 10", "everything"]
    assert [int(row["documents"]) for row in rows] == [*(cost.documents for cost in found.depths), 320]
    assert [float(row["money"]) for row in rows] == [int(row["documents"]) / 2 for row in rows]
    widths = table(pool(folder, "cost", *RUNS, "-k", "5", "--qrels", "all.qrels", "--width", "0.1", "-m", "AP"))
    assert [(row["measure"], row["of"]) for row in widths] == [("AP", "difference")]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["stats", "all.qrels"], 2, "Missing argument 'RUN...'"),
        (["stats", "all.qrels", "run-0.run", "--ranks", "1;5"], 2, "expected ranks with commas between them"),
        (["stats", "run-0.run", "all.qrels"], 1, "run-0.run"),
        (["bias", "all.qrels", "run-0.run"], 2, "leaving it out leaves nothing that was pooled"),
        (["bias", "all.qrels", *RUNS, "--groups", "x=z"], 2, "no run has a name that begins 'z'"),
        (["size", "all.qrels", "--pool", "all.qrels"], 1, "all.qrels:1: this is no pool"),
        (["cost"], 2, "Missing argument 'RUN...'"),
        (["cost", *RUNS, "-m", "AP"], 2, "-m is for --width"),
    ],
)
def test_mistakes(arguments: list[str], code: int, message: str, folder: Path) -> None:
    done = pool(folder, *arguments)
    assert done.exit_code == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not done.text
