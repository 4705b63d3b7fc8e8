"""The LaTeX that is written is LaTeX: pdflatex makes pages of it, without a complaint and within the margins."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cranfield.report.tables.comparison_latex import escape
from tests.cli.running import run_cranfield
from tests.report.html.material import DEMO

PDFLATEX = shutil.which("pdflatex")
pytestmark = pytest.mark.skipif(PDFLATEX is None, reason="there is no pdflatex on this machine")

NAMES = ("a_b&c%d", 'x^y~{z}$#"<|>', "[first]", "*star", "caf\u00e9--x''y`z")
"""What TeX reads as commands, at the beginning of a row too, and what it makes one letter of."""


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    files = [tmp_path / f"{name}.run" for name in NAMES]
    for number, file in enumerate(files):
        file.write_bytes((DEMO / ("keyword.run" if number % 2 else "semantic.run")).read_bytes())
    return files


def compiled(folder: Path, *tables: str) -> str:
    """What pdflatex says about the tables, in a document of the usual class."""
    lines = [r"\documentclass{article}", r"\usepackage{booktabs}", r"\begin{document}", *tables, r"\end{document}"]
    (folder / "document.tex").write_text("\n".join(lines), encoding="utf-8")
    assert PDFLATEX is not None
    done = subprocess.run(
        [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "document.tex"],
        cwd=folder, capture_output=True, check=False,
    )  # fmt: skip
    said = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, said
    assert (folder / "document.pdf").read_bytes().startswith(b"%PDF")
    return said


def test_a_comparison_fits_on_a_page(tmp_path: Path) -> None:
    done = run_cranfield("compare", "qrels.txt", "keyword.run", "semantic.run", "--format", "latex", cwd=DEMO)
    said = compiled(tmp_path, done.text)
    assert "Overfull" not in said


def test_a_comparison_of_three_runs_fits_on_a_page(tmp_path: Path) -> None:
    for name in ("first-system", "other-system"):
        (tmp_path / f"{name}.run").write_bytes((DEMO / "semantic.run").read_bytes())
    runs = [DEMO / "keyword.run", tmp_path / "first-system.run", tmp_path / "other-system.run"]
    done = run_cranfield("compare", DEMO / "qrels.txt", *runs, "--format", "latex")
    assert done.exit_code == 0
    assert "Overfull" not in compiled(tmp_path, done.text)


@pytest.mark.parametrize("options", [(), ("--all-pairs", "--tukey", "--alternative", "better")])
def test_a_comparison_with_names_of_all_kinds(tmp_path: Path, runs: list[Path], options: tuple[str, ...]) -> None:
    done = run_cranfield("compare", DEMO / "qrels.txt", *runs, *options, "--format", "latex")
    assert done.exit_code == 0
    assert "LaTeX Warning: Command" not in compiled(tmp_path, done.text)


def test_a_table_of_results(tmp_path: Path, runs: list[Path]) -> None:
    done = run_cranfield("report", DEMO / "qrels.txt", *runs, "--tables", tmp_path / "t", "-o", tmp_path / "r.html")
    assert done.exit_code == 0
    (table,) = (tmp_path / "t").glob("*.tex")
    compiled(tmp_path, table.read_text(encoding="utf-8"))


def test_names_are_read_as_they_are_written(tmp_path: Path) -> None:
    """Oracle: pdftotext, which reads the letters of the page."""
    program = shutil.which("pdftotext")
    if program is None:
        pytest.skip("there is no pdftotext on this machine")
    compiled(tmp_path, "\n\n".join(escape(name) for name in NAMES))
    text = subprocess.run([program, "document.pdf", "-"], cwd=tmp_path, capture_output=True, check=True).stdout
    read = text.decode().replace("\u2019", "'")
    assert "a b&c%d" in read.replace("_", " ")
    assert "[first]" in read
    assert "*star" in read.replace("\u2217", "*")
    assert "--x" in read
