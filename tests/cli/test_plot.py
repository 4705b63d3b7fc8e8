"""`cranfield plot`."""

from __future__ import annotations

import json
import os
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner

from cranfield.cli.main import cli
from cranfield.report.kinds import KINDS
from tests.cli.running import run_cranfield, run_in_terminal

BEGINS = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!DOCTYPE html>", "json": b"{"}


@pytest.fixture(scope="module")
def demo() -> Path:
    with resources.as_file(resources.files("cranfield.cli") / "small_example") as folder:
        return folder


def files(demo: Path) -> list[Path]:
    return [demo / "qrels.txt", demo / "keyword.run", demo / "semantic.run"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind(kind: str, demo: Path, tmp_path: Path) -> None:
    given = [] if kind == "discount" else files(demo)
    done = run_cranfield("plot", kind, *given, "-o", tmp_path / "plot.json")
    assert (done.exit_code, done.stdout, done.stderr) == (0, b"", "")
    spec = json.loads((tmp_path / "plot.json").read_text())
    assert spec["title"]["text"]


@pytest.mark.parametrize("format", BEGINS)
def test_every_format(format: str, demo: Path, tmp_path: Path) -> None:
    done = run_cranfield("plot", "difference", *files(demo), "-m", "nDCG@10", "-o", tmp_path / f"plot.{format}")
    assert (done.exit_code, done.stderr) == (0, "")
    assert (tmp_path / f"plot.{format}").read_bytes().startswith(BEGINS[format])


def test_standard_output_takes_a_format(demo: Path) -> None:
    done = run_cranfield("plot", "box", *files(demo), "-o", "-", "--format", "svg")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith(b"<svg")


def test_a_terminal_is_told_what_was_drawn(demo: Path, tmp_path: Path) -> None:
    shown = run_in_terminal("plot", "per-topic", *map(str, files(demo)), "-o", "plot.svg", cwd=tmp_path)
    assert shown == "plot.svg: AP by topic: keyword and semantic, 6 topics\n"


def test_options_reach_the_drawing(demo: Path, tmp_path: Path) -> None:
    done = run_cranfield(
        "plot", "roc", *files(demo), "-o", tmp_path / "plot.json", "--fpr", "0.2", "--highlight", "keyword", "--title",
        "My curves", "-l", "2", "-N", "1000",
    )  # fmt: skip
    assert (done.exit_code, done.stderr) == (0, "")
    title = json.loads((tmp_path / "plot.json").read_text())["title"]
    said = " ".join(title["subtitle"])
    assert title["text"] == ["My curves"]
    assert "relevant from grade 2 on" in said
    assert "1 mixture by the flip of a coin" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["recal-precision", "Q", "A", "-o", "x.svg"], "no plot 'recal-precision'. Did you mean recall-precision?"),
        (["roc", "Q", "A", "-o", "x.jpg"], "x.jpg: the name of a drawing ends in .svg, .png, .pdf, .html, .json"),
        (["roc", "Q", "A", "-o", "x.sgv"], "Did you mean svg?"),
        (["roc", "Q", "A", "-o", "-"], "-: the name of a drawing ends in"),
        (["roc", "Q", "A", "-o", "no/such/x.svg"], "there is no folder 'no/such'"),
        (["matrix", "Q", "A", "-o", "x.svg"], "matrix needs 2 runs or more, found 1"),
        (
            ["box", "Q", "A", "--topic", "q1", "-o", "x.svg"],
            "--topic says nothing about box; it is for recall-precision, roc",
        ),
        (["roc", "Q", "A", "-R", "prefs", "-o", "x.svg"], "relevance cannot be used with roc"),
        (["roc", "Q", "A", "--theme", "auto", "-o", "x.svg"], "the theme auto is for pages"),
        (["cutoff", "Q", "A", "--at", "1,x", "-o", "x.svg"], "--at 1,x: expected numbers with commas"),
        (["box", "Q", "A", "-m", "nDGC", "-o", "x.svg"], "unknown measure 'nDGC'. Did you mean nDCG"),
        (["discount", "Q", "A", "-o", "x.svg"], "discount is about measures alone"),
    ],
)
def test_mistakes(arguments: list[str], said: str, demo: Path, tmp_path: Path) -> None:
    place = {"Q": "qrels.txt", "A": "keyword.run"}
    for name in place.values():
        (tmp_path / name).write_bytes((demo / name).read_bytes())
    done = run_cranfield("plot", *(place.get(argument, argument) for argument in arguments), cwd=tmp_path)
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.startswith("cranfield: ")
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.glob("x.*"))


def test_a_missing_file_is_said_and_nothing_written(tmp_path: Path) -> None:
    done = run_cranfield("plot", "roc", tmp_path / "none.txt", tmp_path / "a.run", "-o", tmp_path / "x.svg")
    assert done.exit_code in (1, 2)
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "x.svg").exists()


@pytest.mark.parametrize(("absent", "output"), [("altair", "x.json"), ("vl_convert", "x.png")])
def test_without_the_extra(absent: str, output: str, demo: Path, tmp_path: Path) -> None:
    (tmp_path / f"{absent}.py").write_text("raise ImportError")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = run_cranfield("plot", "box", *files(demo), "-o", tmp_path / output, environment={"PYTHONPATH": path})
    assert done.exit_code == 2
    assert "needs an optional library: pip install 'cranfield[report]'" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / output).exists()


def test_help_lists_the_kinds() -> None:
    done = run_cranfield("plot", "--help")
    assert done.exit_code == 0
    for name, kind in KINDS.items():
        assert f"{name}" in done.text
        assert kind.meaning in done.text
    assert done.text.rstrip().endswith("-o roc.svg")


def test_without_a_kind_all_of_them_are_named() -> None:
    done = CliRunner().invoke(cli, ["plot"])
    assert done.exit_code == 2
    assert f"Missing argument 'KIND'. There are: {', '.join(KINDS)}" in done.stderr
