"""`cranfield evaluate --ties`. Oracle: the arithmetic of `test_expected_values_by_hand` in tests/evaluation/test_ties.py.

One relevant document among three with the same score: AP is 1, 1/2 or 1/3, expected 11/18 = .6111.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield, run_in_terminal

QRELS = "q1 0 b 1\nq2 0 d 1\n"
RUN = "q1 Q0 a 1 1 mine\nq1 Q0 b 2 1 mine\nq1 Q0 c 3 1 mine\nq2 Q0 d 1 2 mine\nq2 Q0 e 2 1 mine\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    return tmp_path


def test_a_range_in_a_table(folder: Path) -> None:
    done = run_cranfield(
        *("evaluate", "qrels.txt", "a.run", "--ties", "range", "-m", "AP", "-m", "P@1", "--format", "table"), cwd=folder
    )
    assert done.text.splitlines()[4:10] == [
        "Over all orders of the documents with tied scores (1 of 2 topics have some):",
        "measure   value  expected     min     max  affected  at cutoff  expected by",
        "AP       0.7500    0.8056  0.6667  1.0000         1          0  closed form",
        "P@1      0.5000    0.6667  0.5000  1.0000         1          1  closed form",
        "affected: topics whose value depends on the order; at cutoff: topics with a tie across the cutoff,",
        "or across -M",
    ]
    by_topic = run_cranfield(
        *("evaluate", "qrels.txt", "a.run", "--ties", "range", "-m", "AP", "--format", "table", "-q", "-n"), cwd=folder
    )
    assert by_topic.text.splitlines()[5:9] == [
        "topic  measure   value  expected     min     max",
        "q1     AP       0.5000    0.6111  0.3333  1.0000",
        "1 other topic: no value depends on the order",
        "",
    ]


def test_topics_of_which_no_value_depends_on_the_order(folder: Path) -> None:
    (folder / "c.run").write_text("q1 Q0 b 1 2 mine\nq1 Q0 a 2 1 mine\nq1 Q0 c 3 1 mine\nq2 Q0 d 1 2 mine\n")
    asked = ("evaluate", "qrels.txt", "c.run", "--ties", "range", "-m", "AP", "--format", "table", "-q")
    lines = run_cranfield(*asked, "-n", cwd=folder).text.splitlines()
    assert lines[4:7] == [
        "Over all orders of the documents with tied scores (1 of 2 topics have some):",
        "2 topics: no value depends on the order",
        "",
    ]
    # Of one run q1 depends on it, of the other nothing does; P@3 is 1/3 in whatever order.
    both = run_cranfield(*asked, "a.run", "-m", "P@3", cwd=folder).text.splitlines()
    start = both.index("topic  measure  run   value  expected     min     max")
    assert both[start + 1 : start + 3] == [
        "q1     AP       a    0.5000    0.6111  0.3333  1.0000",
        "1 other topic: no value depends on the order",
    ]


def test_what_is_said_fits_in_a_terminal(folder: Path) -> None:
    names = [f"a-run-with-a-rather-long-name-{number}.run" for number in range(8)]
    for name in names:
        (folder / name).write_text(RUN)
    shown = run_in_terminal("evaluate", "qrels.txt", *names, "--ties", "range", "--residuals", cwd=folder, columns=80)
    assert "\nOver all orders of the documents with tied scores (topics that have some:\n" in shown
    assert max(map(len, shown.splitlines())) <= 80
    expected = run_in_terminal("evaluate", "qrels.txt", *names, "--ties", "expected", cwd=folder, columns=80)
    assert max(map(len, expected.splitlines())) <= 80


def test_several_runs_in_a_table(folder: Path) -> None:
    (folder / "b.run").write_text(RUN.replace("q1 Q0 b 2 1 mine", "q1 Q0 b 2 3 mine"))
    done = run_cranfield(
        *("evaluate", "qrels.txt", "a.run", "b.run", "--best", "--ties", "range", "-m", "RR", "--format", "table"),
        cwd=folder,
    )
    assert done.text.splitlines()[3:7] == [
        "Over all orders of the documents with tied scores (topics that have some: a 1 of 2, b 1 of 2):",
        "measure  run   value  expected     min     max  affected  at cutoff  expected by",
        "RR       a    0.7500    0.8056  0.6667  1.0000         1          0  closed form",
        "RR       b    1.0000    1.0000  1.0000  1.0000         0          0   unaffected",
    ]


def test_a_range_in_lines(folder: Path) -> None:
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "--ties", "range", "-m", "RR", "-q", cwd=folder)
    header, *lines = (line.split("\t") for line in done.text.splitlines())
    assert header == [
        *("run", "measure", "query", "value", "expected", "expected_error", "min", "max", "range", "method"),
    ]
    numbers = [[float(cell) for cell in line[3:8]] for line in lines]
    assert numbers[0] == pytest.approx([1 / 2, 11 / 18, 0, 1 / 3, 1])
    assert numbers[1] == [1, 1, 0, 1, 1]
    assert numbers[2] == pytest.approx([3 / 4, (11 / 18 + 1) / 2, 0, 2 / 3, 1])
    assert [line[8:] for line in lines] == [["exact", "closed form"], ["exact", "unaffected"], ["exact", "closed form"]]
    assert done.stderr == ""


def test_expected_values(folder: Path) -> None:
    asked = ("evaluate", "qrels.txt", "a.run", "--ties", "expected", "-m", "RR")
    done = run_cranfield(*asked, cwd=folder)
    assert float(done.text.splitlines()[1].split("\t")[3]) == pytest.approx((11 / 18 + 1) / 2)
    assert done.stderr == (
        "cranfield: values are expected over all orders of documents with tied scores\ncranfield: closed form: RR\n"
    )
    assert run_cranfield(*asked, "--format", "trec", cwd=folder).text == "RR                    \tall\t0.8056\n"
    table = run_cranfield(*asked, "--format", "table", "--percent", cwd=folder)
    assert table.text.splitlines()[:5] == [
        "measure       a",
        "RR       80.56%",
        "",
        "values are expected over all orders of documents with tied scores",
        "closed form: RR",
    ]


def test_json(folder: Path) -> None:
    asked = ("evaluate", "qrels.txt", "a.run", "--ties", "range", "-m", "RR", "--format", "json")
    (run,) = json.loads(run_cranfield(*asked, cwd=folder).stdout)["runs"]
    assert list(run["ties"]) == ["mean"]
    assert run["ties"]["mean"]["RR"]["expected"] == pytest.approx((11 / 18 + 1) / 2)
    whole = json.loads(run_cranfield(*asked, "-q", cwd=folder).stdout)
    assert whole["runs"][0]["ties"]["per_query"]["q1"]["RR"]["max"] == 1
    assert whole["settings"]["ties"] == "range"
    assert whole["settings"]["seed"] == 0


def test_what_was_drawn_is_said(folder: Path) -> None:
    """20 documents of 20 grades share a score: 20! orders."""
    (folder / "many.qrels").write_text("".join(f"q1 0 d{n} {n}\n" for n in range(20)))
    (folder / "many.run").write_text("".join(f"q1 Q0 d{n} 1 1 mine\n" for n in range(20)))
    asked = ("evaluate", "many.qrels", "many.run", "-m", "G", "-m", "AP", "--seed", "7", "--ties")
    drawn, rough = "500 orders drawn at random (seed 7)", ("--format", "table", "--digits", "1")
    table = run_cranfield(*asked, "range", "--format", "table", cwd=folder).text
    assert f"G: expected values, ± their standard error, from {drawn}\n" in table
    assert f"G: min and max are those seen in {drawn}; other orders may go beyond\n" in table
    assert re.search(r"^G +0\.\d{4} +0\.\d{4} ±0\.\d{4} ", table, re.MULTILINE)
    # Too small for one decimal place, it is shown with one digit.
    assert re.search(
        r"^G +0\.\d +0\.\d ±0\.00\d ", run_cranfield(*asked, "range", *rough, cwd=folder).text, re.MULTILINE
    )
    assert re.search(
        r"^G .*% ±0\.\d% ", run_cranfield(*asked, "range", *rough, "--percent", cwd=folder).text, re.MULTILINE
    )
    lines = run_cranfield(*asked, "range", cwd=folder)
    assert lines.text.splitlines()[1].split("\t")[8:] == ["seen", "sampled"]
    assert f"cranfield: G: expected values, ± their standard error, from {drawn}\n" in lines.stderr
    expected = run_cranfield(*asked, "expected", cwd=folder).stderr
    assert "cranfield: sampled: G ±" in expected
    assert f"cranfield: sampled: {drawn}, ± the standard error of the mean\n" in expected


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--format", "trec"), "--ties range shows several values side by side, which --format trec does not"),
        (("-Z", "qrels.txt"), "--ties range shows several values side by side, which -Z does not"),
        (("--seed", "-3"), "the seed (--seed, seed=)"),
        (("--profile", "gdeval"), "--ties range needs a profile that ranks all documents by score"),
    ],
)
def test_what_cannot_be_asked(folder: Path, more: tuple[str, ...], message: str) -> None:
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "nDCG@10", "--ties", "range", *more, cwd=folder)
    assert done.exit_code == 2
    assert message in done.stderr
