"""`cranfield evaluate --residuals` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield, run_in_terminal

QRELS = "q1 0 d1 2\nq1 0 d2 0\nq2 0 d3 1\n"
RUN = "q1 Q0 x 1 0.9 mine\nq1 Q0 d1 2 0.8 mine\nq2 Q0 d3 1 0.7 mine\nq2 Q0 y 2 0.6 mine\n"
# By hand: RR is 1/2 for q1, or 1 if x is relevant, and 1 for q2. R@1 is 0/1 for q1, or 1/2 if x is relevant;
# for q2 1/1, or 1/2 if y, below the cutoff, is relevant.


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    (tmp_path / "b.run").write_text(RUN.replace(" x ", " d2 "))
    return tmp_path


def test_a_table(folder: Path) -> None:
    shown = run_in_terminal(
        "evaluate", "qrels.txt", "a.run", "--residuals", *_measures("RR", "R@1", "Bpref"), cwd=folder
    )
    assert shown == (
        "measure       a\n"
        "RR       0.7500\n"
        "R@1      0.5000\n"
        "Bpref    1.0000\n"
        "\n"
        "If the documents that are not judged (2 of 4) were judged, with grades up to 2:\n"
        "measure   value  lowest  highest  bounds\n"
        "RR       0.7500  0.7500   1.0000   exact\n"
        "R@1      0.5000  0.2500   0.7500   exact\n"
        "Bpref    1.0000       -        -    none\n"
        "Bpref: no bounds (it passes over unjudged documents)\n"
        "\n"
        "2 of 2 topics; 4 documents, up to 2 a topic; top 10: 50.0% judged; no ties\n"
    )


def test_a_table_of_topics_and_runs(folder: Path) -> None:
    shown = run_in_terminal(
        "evaluate", "qrels.txt", "a.run", "b.run", "--residuals", "-q", "-m", "R@1", "--percent", cwd=folder
    )
    assert (
        "If the documents that are not judged were judged, with grades up to 2 (a 2 of 4, b 1 of 4):\n"
        "topic  measure  run    value  lowest  highest  unjudged\n"
        "q1     R@1      a      0.00%   0.00%   50.00%         1\n"
        "q1     R@1      b      0.00%   0.00%    0.00%         0\n"
        "q2     R@1      a    100.00%  50.00%  100.00%         1\n"
        "q2     R@1      b    100.00%  50.00%  100.00%         1\n"
        "\n"
        "measure  run   value  lowest  highest  bounds\n"
        "R@1      a    50.00%  25.00%   75.00%   exact\n"
        "R@1      b    50.00%  25.00%   50.00%   exact\n"
    ) in shown


def test_what_is_to_be_said_of_user_models_and_outer_bounds(folder: Path) -> None:
    done = run_cranfield(
        "evaluate", "qrels.txt", "a.run", "--residuals", "--format", "table", *_measures("RBP", "O"), cwd=folder
    )
    assert "RBP(p=0.8): exact bounds (documents below the end of the list count as unjudged too)\n" in done.text
    assert "O: outer bounds, which hold but need not be reached (of a topic with unjudged documents" in done.text


def test_tsv(folder: Path) -> None:
    done = run_cranfield(
        "evaluate", "qrels.txt", "a.run", "--residuals", "-q", *_measures("R@1", "RelString"), cwd=folder
    )
    assert done.text == (
        "run\tmeasure\tquery\tvalue\tlow\thigh\tbounds\n"
        "a\tR@1\tq1\t0.0\t0.0\t0.5\texact\n"
        "a\tRelString@10\tq1\t-2\t\t\tnone\n"
        "a\tR@1\tq2\t1.0\t0.5\t1.0\texact\n"
        "a\tRelString@10\tq2\t1-\t\t\tnone\n"
        "a\tR@1\tall\t0.5\t0.25\t0.75\texact\n"
    )


def test_the_best_possible_has_no_bounds(folder: Path) -> None:
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "--residuals", "--best", "-m", "R@1", cwd=folder)
    assert done.text.splitlines()[1:] == ["a\tR@1\tall\t0.5\t0.25\t0.75\texact", "best possible\tR@1\tall\t1.0\t\t\t"]


@pytest.mark.parametrize("options", [(), ("-q",), ("-q", "-n")])
def test_json(folder: Path, options: tuple[str, ...]) -> None:
    done = run_cranfield(
        "evaluate", "qrels.txt", "a.run", "--residuals", "-m", "R@1", "--format", "json", *options, cwd=folder
    )
    whole = json.loads(done.text)
    assert whole["settings"]["residuals"] is True
    assert whole["settings"]["highest_grade"] == 2
    residuals: dict[str, object] = {"unjudged_documents": 2}
    if "-n" not in options:
        residuals["mean"] = {"R@1": {"low": 0.25, "high": 0.75, "how": "exact"}}
    if "-q" in options:
        residuals["per_query"] = {"q1": {"R@1": {"low": 0, "high": 0.5}}, "q2": {"R@1": {"low": 0.5, "high": 1}}}
    assert whole["runs"][0]["residuals"] == residuals


def test_the_highest_grade(folder: Path) -> None:
    done = run_cranfield(
        "evaluate", "qrels.txt", "a.run", "--residuals", "--highest-grade", "4", "-m", "CG", cwd=folder
    )
    assert done.text.splitlines()[1] == "a\tCG\tall\t1.5\t1.5\t5.5\texact"  # (2 + 1)/2; at most (2 + 4 + 1 + 4)/2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--residuals", "--format", "trec"),
            "--residuals shows values with their bounds, which --format trec does not",
        ),
        (("--residuals", "-Z", "qrels.txt"), "--residuals shows values with their bounds, which -Z does not"),
        (("--residuals", "-J"), "-J leaves out the unjudged documents that --residuals is about"),
        (("--highest-grade", "2"), "--highest-grade (highest_grade=) is about unjudged documents; add --residuals"),
        (
            ("--residuals", "--highest-grade", "1"),
            "--highest-grade (highest_grade=) is 1, but the judgments have grade 2",
        ),
    ],
)
def test_what_does_not_go_together(folder: Path, options: tuple[str, ...], message: str) -> None:
    done = run_cranfield("evaluate", "qrels.txt", "a.run", *options, cwd=folder)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def _measures(*names: str) -> list[str]:
    return [part for name in names for part in ("-m", name)]
