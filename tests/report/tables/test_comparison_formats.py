"""Comparisons as CSV and HTML; Markdown and LaTeX are tested where the command prints them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield
from tests.report.html.material import DEMO
from tests.report.tables.test_results import Checked

FILES = ("qrels.txt", "keyword.run", "semantic.run", "-m", "AP", "-m", "Judged@10")


def test_csv_has_what_tsv_has() -> None:
    tsv, comma = (run_cranfield("compare", *FILES, "--format", layout, cwd=DEMO).text for layout in ("tsv", "csv"))
    assert list(csv.reader(comma.splitlines())) == [line.split("\t") for line in tsv.splitlines()]
    by_topic = run_cranfield("compare", *FILES, "-q", "--format", "csv", cwd=DEMO).text.splitlines()
    assert by_topic[0] == "measure,run,baseline,query,baseline_value,value,difference"
    assert len(by_topic) == 1 + 2 * 6


def test_names_with_commas_and_quotes(tmp_path: Path) -> None:
    for file in ("qrels.txt", "keyword.run"):
        (tmp_path / file).write_bytes((DEMO / file).read_bytes())
    (tmp_path / 'a,"b".run').write_bytes((DEMO / "semantic.run").read_bytes())
    done = run_cranfield(
        "compare", "qrels.txt", "keyword.run", 'a,"b".run', "-m", "AP", "--format", "csv", cwd=tmp_path
    )
    rows = list(csv.DictReader(done.text.splitlines()))
    assert [row["run"] for row in rows] == ['a,"b"']


def test_html() -> None:
    done = run_cranfield("compare", *FILES, "--format", "html", cwd=DEMO)
    assert Checked(done.text).seen.count("tbody") == 2
    # Oracle: docs/comparing.md.
    assert '<tr><th scope="row">semantic</th><td><strong>0.8995</strong></td><td>+0.4363*</td>' in done.text
    assert "<caption>Means over 6 topics" in done.text
    assert "1 comparison" in done.stderr


@pytest.mark.parametrize("layout", ["markdown", "latex"])
def test_the_best_mean_is_bold(layout: str) -> None:
    done = run_cranfield("compare", *FILES, "--format", layout, cwd=DEMO)
    bold = {"markdown": "**0.8995**", "latex": r"\textbf{0.8995}"}[layout]
    assert done.text.count(bold) == 1
    # More judged documents are neither better nor worse.
    assert "**0.8833**" not in done.text
    assert r"\textbf{0.8833}" not in done.text
