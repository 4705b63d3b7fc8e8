"""`cranfield mix` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cranfield as cf
from tests.cli.running import run_cranfield
from tests.curves.test_coin_flip import TOPICS, material


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    qrels, runs = material()
    cf.write_qrels(cf.Qrels.from_dict(qrels), tmp_path / "qrels.txt")
    for name, run in runs.items():
        cf.write_run(cf.Run.from_dict(run), tmp_path / f"{name}.run")
    return tmp_path


def test_a_mixture_is_a_run(folder: Path) -> None:
    done = run_cranfield(
        "mix", "first.run", "second.run", "--probability", "0.3", "--seed", "4", "-o", "mixed.run", cwd=folder
    )
    assert (done.exit_code, done.stdout) == (0, b"")
    mixed = cf.read_run(folder / "mixed.run")
    same = cf.curves.mix(folder / "first.run", folder / "second.run", 0.3, seed=4)
    assert mixed.to_dict() == same.run.to_dict()
    assert mixed.tag == "mix_first_second_0.3"
    share = len(same.heads_for)
    assert done.stderr == (
        f"first for {share} of 25 topics, second for the other {25 - share} (probability .300, seed 4).\n"
    )


def test_a_mixture_for_a_rate(folder: Path) -> None:
    done = run_cranfield(
        "mix", "first.run", "second.run", "--qrels", "qrels.txt", "--fpr", "0.03", "-o", "mixed.run", "--json", "--tag", "C",
        cwd=folder,
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    said = json.loads(done.text)
    assert said["plan"]["fpr"] == pytest.approx(0.03)
    mixed = cf.read_run(folder / "mixed.run")
    assert mixed.tag == "C"
    # All 16 documents of a topic are judged, so that the collection may be taken to have that many
    result = cf.evaluate(folder / "qrels.txt", mixed, ["SetFPR(documents=16)", "SetR"])
    assert list(result.mean.values()) == pytest.approx([said["fpr"], said["tpr"]])
    assert set(said["heads_for"]) | set(said["tails_for"]) == set(TOPICS)


def test_a_mixture_in_a_pipe(folder: Path) -> None:
    done = run_cranfield("mix", "first.run", "second.run", "-k", "1", "-o", "-", cwd=folder)
    assert len(done.text.splitlines()) == 25


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["first.run", "-o", "x"], "a coin has two sides: expected two runs, found 1"),
        (["first.run", "second.run"], "Missing option '-o'"),
        (["first.run", "second.run", "-o", "x", "--fpr", "0.1"], "--fpr and --tpr need --qrels"),
        (["first.run", "second.run", "-o", "x", "--qrels", "qrels.txt"], "--qrels is for a rate to reach"),
        (["first.run", "second.run", "-o", "x", "--qrels", "qrels.txt", "--fpr", "0.1", "-k", "3"], "leave them out"),
        (["first.run", "second.run", "-o", "x", "-k", "1", "-k", "2", "-k", "3"], "-k is given once for both runs"),
        (["first.run", "second.run", "-o", "-", "--json"], "both write to standard output"),
        (["first.run", "second.run", "-o", "x", "--probability", "2"], "from 0 to 1"),
        (["first.run", "second.run", "-o", "no/x"], "there is no folder"),
    ],
)
def test_wrong_usage(folder: Path, arguments: list[str], message: str) -> None:
    done = run_cranfield("mix", *arguments, cwd=folder)
    assert done.exit_code == 2
    assert message in done.stderr
