"""`cranfield logs simulate` and `cranfield logs models`, as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield.logs.folder import LogFolder
from tests.cli.running import run_cranfield


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Judgments and two runs."""
    order = {"one": "abcdef", "two": "fbdaec"}
    (tmp_path / "qrels.txt").write_text(
        "".join(f"t{t} 0 {d} {'abcdef'.index(d) % 3}\n" for t in "12" for d in "abcdef")
    )
    for name, documents in order.items():
        lines = (f"t{t} Q0 {d} {at} {9 - at} {name}\n" for t in "12" for at, d in enumerate(documents, 1))
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return tmp_path


def simulate(files: Path, *more: str, log: str = "log") -> str:
    done = run_cranfield("logs", "simulate", "qrels.txt", "one.run", "two.run", "-o", log, *more, cwd=files)
    assert done.exit_code == 0, done.stderr
    return done.text


def test_a_log_is_made_and_models_are_fitted_to_it(files: Path) -> None:
    made = json.loads(simulate(files, "--sessions", "800", "--model", "pbm", "--days", "2", "--format", "json"))
    record = LogFolder(files / "log").read()
    assert made["rows"] == record.rows
    assert record.rows["impressions"] == 6 * record.rows["queries"]
    assert record.sources[0].name == "simulated: pbm users, 800 sessions, seed 1"
    done = run_cranfield("logs", "models", "log", "-o", "worth.tsv", "--format", "json", cwd=files)
    assert done.exit_code == 0, done.stderr
    said = json.loads(done.text)
    assert list(said["models"]) == ["pbm", "cascade", "dcm", "dbn", "ubm"]
    assert said["best"] in said["models"]
    pbm = said["models"]["pbm"]
    assert pbm["examination"][:6] == pytest.approx([1 / rank for rank in range(1, 7)], abs=0.15)
    assert pbm["examination"][6:] == [None] * 4  # pages show six documents
    assert {row["document"] for row in pbm["documents"]} == set("abcdef")
    assert len((files / "worth.tsv").read_text().splitlines()) == 1 + 5 * 12


def test_tables_by_rank_have_a_column_for_each_model(files: Path) -> None:
    simulate(files, "--sessions", "200", "--days", "1")
    models = ("--model", "dcm", "--model", "dbn")
    done = run_cranfield("logs", "models", "log", *models, "-k", "3", "--table", "continuation", cwd=files)
    lines = [line.split("\t") for line in done.text.splitlines()]
    assert lines[0] == ["rank", "dcm", "dbn"]
    assert [line[0] for line in lines[1:]] == ["1", "2", "3"]
    assert lines[3][1] == ""  # nobody goes on from the last rank
    assert len({line[2] for line in lines[1:]}) == 1  # which does not depend on the rank


def test_how_far_people_look_is_drawn(files: Path) -> None:
    simulate(files, "--sessions", "200", "--days", "1")
    done = run_cranfield("logs", "models", "log", "--plot", "looks.svg", cwd=files)
    assert done.exit_code == 0, done.stderr
    assert "How far down people look" in (files / "looks.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("qrels.txt", "one.run", "-o", "log", "--attractiveness", "0:1"),
            "expected grades and chances, such as 0=.1,1=.5",
        ),
        (("qrels.txt", "one.run", "-o", "log", "--model", "pbm", "--goes-on", "0.5"), "it has decay"),
        (("qrels.txt", "one.run", "-o", "log", "--shuffled", "2"), "shuffled=2.0: expected a share from 0 to 1"),
        (("qrels.txt", "-o", "log"), "Missing argument 'RUN...'"),
        (("one.run", "qrels.txt", "-o", "log"), "qrels"),
        (("qrels.txt", "one.run", "-o", "."), "there already"),
    ],
)
def test_wrong_usage_is_said(arguments: tuple[str, ...], message: str, files: Path) -> None:
    done = run_cranfield("logs", "simulate", *arguments, cwd=files)
    assert done.exit_code in (1, 2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (files / "log").exists()


def test_what_is_no_log_is_said(files: Path) -> None:
    done = run_cranfield("logs", "models", "qrels.txt", cwd=files)
    assert done.exit_code == 2
    assert "this is no log" in done.stderr
