"""`cranfield fuse` and `cranfield aggregate` as a user meets them."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import cranfield as cf
from cranfield.cli.main import cli
from tests.cli.running import run_cranfield

FIRST = {"q1": {"d1": 0.5, "d2": 0.25}, "q2": {"d3": 1.0}}
SECOND = {"q1": {"d2": 7.0, "d4": 3.0}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cf.write_run(cf.Run.from_dict(FIRST), tmp_path / "first.run")
    cf.write_run(cf.Run.from_dict(SECOND), tmp_path / "second.run")
    cf.write_run(cf.Run.from_dict({"q1": {"d1#1": 2.0, "d1#2": 1.0}}), tmp_path / "passages.run")
    (tmp_path / "other").mkdir()
    cf.write_run(cf.Run.from_dict(SECOND), tmp_path / "other" / "first.run")
    return tmp_path


def test_a_fused_run_and_what_it_was_made_of(folder: Path) -> None:
    done = run_cranfield(
        "fuse", "first.run", "second.run", "-o", "fused.run", "--method", "RRF(k=1)", "--weights", "2,1", "--tag", "both",
        cwd=folder,
    )  # fmt: skip
    assert (done.exit_code, done.stdout) == (0, b"")
    assert done.stderr == "cranfield: second has nothing for 1 of 2 topics and adds nothing there\nrun: fused.run\n"
    fused = cf.read_run(folder / "fused.run")
    assert fused.tag == "both"
    assert fused["q1"] == pytest.approx({"d2": 2 / 3 + 1 / 2, "d1": 2 / 2, "d4": 1 / 3})
    record = json.loads((folder / "fused.run.provenance.json").read_text())
    assert (record["schema"], record["version"], record["made_by"]) == ("cranfield.run", 1, "fusion")
    assert record["run"]["sha256"] == hashlib.sha256((folder / "fused.run").read_bytes()).hexdigest()
    assert [source["sha256"] for source in record["inputs"]] == [
        hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("first.run", "second.run")
    ]
    assert record["settings"]["weights"] == [2, 1]
    assert record["settings"]["parameters"] == {"k": 1}


def test_topics_stand_in_the_order_of_the_first_run_that_has_them(folder: Path) -> None:
    lines = {"one": ("10", "9", "1"), "two": ("2", "1", "10")}
    for name, topics in lines.items():
        (folder / name).write_text("".join(f"{topic} Q0 d#{topic} 1 1.0 {name}\n" for topic in topics))
    done = run_cranfield("fuse", "one", "two", "-o", "-", cwd=folder)
    assert [line.split()[0] for line in done.text.splitlines()] == ["10", "9", "1", "2"]
    done = run_cranfield("aggregate", "one", "-o", "-", cwd=folder)
    assert [line.split()[0] for line in done.text.splitlines()] == ["10", "9", "1"]


def test_in_a_pipe_there_is_nothing_beside_the_run(folder: Path) -> None:
    done = run_cranfield("fuse", "first.run", "second.run", "-o", "-", "-k", "1", cwd=folder)
    assert [line.split()[:3] for line in done.text.splitlines()] == [["q1", "Q0", "d2"], ["q2", "Q0", "d3"]]
    assert not list(folder.rglob("*.json"))


def test_runs_of_the_same_name(folder: Path) -> None:
    done = run_cranfield("fuse", "first.run", "other/first.run", "-o", "fused.run", cwd=folder)
    assert done.exit_code == 0
    assert cf.read_run(folder / "fused.run").tag == "RRF-first.run-other/first.run"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["first.run", "-o", "x"], 2, "fusion takes two or more runs, found 1"),
        (["first.run", "second.run"], 2, "Missing option '-o'"),
        (["first.run", "missing.run", "-o", "x"], 2, "missing.run"),
        (["first.run", "second.run", "-o", "x", "--method", "RFR"], 2, "Did you mean RRF?"),
        (["first.run", "second.run", "-o", "x", "--weights", "1;2"], 2, "expected numbers with commas between them"),
        (["first.run", "passages.run", "-o", "no/x"], 2, "there is no folder"),
    ],
)
def test_wrong_usage(folder: Path, arguments: list[str], code: int, message: str) -> None:
    done = run_cranfield("fuse", *arguments, cwd=folder)
    assert (done.exit_code, "Traceback" in done.stderr) == (code, False)
    assert message in done.stderr


def test_in_a_workspace_names_of_systems_stand_for_their_runs(folder: Path) -> None:
    systems = "".join(f'[systems.{name}]\nrun = "{name}.run"\n' for name in ("first", "second"))
    (folder / "cranfield.toml").write_text(f'version = 1\nname = "two"\ncollection = "documents"\n{systems}')
    (folder / "both.run").write_text("old")
    with contextlib.chdir(folder):
        done = CliRunner().invoke(cli, ["fuse", "first", "second", "-o", "both.run"])
        unknown = CliRunner().invoke(cli, ["fuse", "first", "secnd", "-o", "both.run"])
    assert done.exit_code == 0, done.output
    assert done.stderr.endswith("run: both.run (in the place of the one that was there)\n")
    assert cf.read_run(folder / "both.run").queries == ("q1", "q2")
    assert "secnd: there is no such file, and no system of that name. Did you mean second?" in str(unknown.exception)


def test_a_score_that_is_no_number(folder: Path) -> None:
    (folder / "nan.run").write_text("q1 Q0 d1 1 nan x\n")
    done = run_cranfield("fuse", "first.run", "nan.run", "-o", "x", cwd=folder)
    assert done.exit_code == 1
    assert "nan.run:1" in done.stderr


def test_passages_to_documents(folder: Path) -> None:
    done = run_cranfield("aggregate", "passages.run", "-o", "documents.run", "--method", "sump", cwd=folder)
    assert (done.exit_code, done.stderr) == (0, "run: documents.run\n")
    assert cf.read_run(folder / "documents.run").to_dict() == {"q1": {"d1": 3.0}}
    record = json.loads((folder / "documents.run.provenance.json").read_text())
    assert record["settings"] == {"method": "SumP", "separator": "#", "k": 1000}
    (folder / "table.tsv").write_text("d1#1\ta\nd1#2\tb\n")
    done = run_cranfield("aggregate", "passages.run", "-o", "-", "--mapping", "table.tsv", cwd=folder)
    assert [line.split()[2] for line in done.text.splitlines()] == ["a", "b"]


def test_passages_without_the_separator(folder: Path) -> None:
    done = run_cranfield("aggregate", "first.run", "-o", "documents.run", cwd=folder)
    assert done.exit_code == 1
    assert "no passage has '#' in its identifier" in done.stderr
    assert not (folder / "documents.run").exists()
