"""`cranfield pool simulate` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.pooling.simulation import simulate_orders
from tests.cli.running import run_cranfield, run_in_terminal
from tests.pooling.made_runs import noisy_runs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    runs, worth = noisy_runs(runs=3, topics=2, documents=40, depth=20, seed=1)
    for run in runs:
        cf.write_run(run, tmp_path / f"{run.name}.run")
    grades = {f"t{t}": {f"d{at}": int(value > 1) for at, value in enumerate(row)} for t, row in enumerate(worth)}
    cf.write_qrels(cf.Qrels.from_dict(grades), tmp_path / "all.qrels")
    documents = [json.dumps({"id": f"d{n}", "text": f"word{n % 7} {n}"}) for n in range(40)]
    (tmp_path / "documents.jsonl").write_text("\n".join(documents) + "\n")
    (tmp_path / "topics.tsv").write_text("t0\tword1\nt1\tword3\n")
    return tmp_path


FILES = ("all.qrels", "run-0.run", "run-1.run", "run-2.run")
OPTIONS = ("--order", "depth", "--order", "random", "--budget", "3,10", "--seeds", "2")


def test_numbers_are_those_of_the_library(folder: Path) -> None:
    done = run_cranfield("pool", "simulate", *FILES, *OPTIONS, "--format", "json", cwd=folder)
    assert done.exit_code == 0, done.stderr
    said = json.loads(done.text)
    found = simulate_orders(
        folder / FILES[0], [folder / run for run in FILES[1:]], ["depth", "random"], budgets=[3, 10], seeds=2
    )
    assert [(row["order"], row["budget"], row["judgments"]) for row in said["orders"]] == [
        ("depth", 3, 6), ("depth", 10, 20), ("random", 3, 6), ("random", 10, 20),
    ]  # fmt: skip
    assert (said["relevant"], said["reachable"], said["seeds"]) == (found.all_relevant, found.reachable, [0, 1])
    random = said["orders"][3]
    assert random["relevant"] == {
        "mean": found.relevant[1, :, 1].mean(),
        "low": found.relevant[1, :, 1].min(),
        "high": found.relevant[1, :, 1].max(),
    }
    assert random["tau"]["mean"] == pytest.approx(found.tau[1, :, 1].mean())


def test_tabs_and_a_table(folder: Path) -> None:
    done = run_cranfield("pool", "simulate", *FILES, *OPTIONS, cwd=folder)
    header, *rows = [line.split("\t") for line in done.text.splitlines()]
    assert header[:6] == ["order", "budget", "judgments", "relevant", "relevant_low", "relevant_high"]
    assert all(len(row) == len(header) for row in rows)
    assert [row[0] for row in rows] == ["depth", "depth", "random", "random"]
    table = run_in_terminal("pool", "simulate", *FILES, *OPTIONS, cwd=folder, columns=100)
    assert "2 topics, 3 runs; " in table
    assert "3 per topic, 6 in all" in table


def test_one_run_has_no_tau(folder: Path) -> None:
    done = run_cranfield("pool", "simulate", *FILES[:2], "--order", "depth", "--budget", "3", cwd=folder)
    assert done.exit_code == 0
    assert "tau needs two systems or more" in done.stderr
    header, row = [line.split("\t") for line in done.text.splitlines()]
    assert row[header.index("tau")] == ""


def test_active_and_a_drawing(folder: Path) -> None:
    texts = ("--collection", "documents.jsonl", "--topics", "topics.tsv")
    options = ("--order", "active", "--order", "rrf", "--budget", "5", "--seeds", "1", "--plot", "orders.svg")
    done = run_cranfield("pool", "simulate", *FILES, *texts, *options, cwd=folder)
    assert done.exit_code == 0, done.stderr
    assert "share of relevant documents found" in (folder / "orders.svg").read_text()


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--order", "dept"), 2, "there is no order 'dept'. Did you mean depth?"),
        (("--order", "pool"), 2, "--order pool is the order of a pool, and there is none here"),
        (("--order", "active"), 2, "Missing option '--collection'"),
        (("--budget", "5,many"), 2, "--budget many: expected judgments per topic, such as 50 or 10,20,50"),
        (("--budget", "0"), 2, "--budget 0: expected judgments per topic"),
        (("--plot", "orders.jpeg"), 2, "orders.jpeg"),
        (("-m", "NumRet"), 2, "NumRet"),
        (("missing.run",), 2, "missing.run"),
    ],
)
def test_what_does_not_fit(folder: Path, options: tuple[str, ...], code: int, message: str) -> None:
    done = run_cranfield("pool", "simulate", *FILES, *options, cwd=folder)
    assert (done.exit_code, done.text) == (code, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
