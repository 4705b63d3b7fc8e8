"""`cranfield evaluate --intervals`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scipy import stats

from tests.cli.running import run_cranfield, run_in_terminal

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 0\nq2 0 b 1\nq3 0 a 1\n"
RUN = "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 a 1 3 t\nq2 Q0 x 2 2 t\nq2 Q0 b 3 1 t\nq3 Q0 x 1 1 t\nq3 Q0 a 2 1 t\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    return tmp_path


def test_a_line_for_each_measure(files: Path) -> None:
    done = run_cranfield("evaluate", "qrels", "a.run", "-m", "RR", "--intervals", cwd=files)
    header, line = (text.split("\t") for text in done.text.splitlines())
    found = dict(zip(header, line, strict=True))
    # q1 1; q2 1/3, or 1/2 if x is relevant; q3: x and a are tied, x first: 1/2, or 1 if x is relevant or a comes first.
    values = [1, 1 / 3, 1 / 2]
    low, high = stats.t.interval(0.95, 2, sum(values) / 3, stats.sem(values))
    assert (found["run"], found["measure"]) == ("a", "RR")
    assert float(found["mean"]) == pytest.approx(sum(values) / 3)
    assert [float(found["topics_low"]), float(found["topics_high"])] == pytest.approx([low, high])
    assert [float(found["unjudged_low"]), float(found["unjudged_high"])] == pytest.approx([11 / 18, 15 / 18])
    assert [float(found["ties_low"]), float(found["ties_high"])] == pytest.approx([11 / 18, 14 / 18])


def test_bars(files: Path) -> None:
    shown = run_in_terminal("evaluate", "qrels", "a.run", "-m", "P@1", "-m", "NumRet", "--intervals", cwd=files)
    lines = shown.splitlines()
    # P@1 is 1/3: of 32 places the 11th; with x relevant in q3, or a before it, 2/3: the 22nd.
    bar = "·" * 10 + "●" + "─" * 10 + "┤" + "·" * 10
    bars = [line.split() for line in lines[:5]]
    assert [(words[0], words[-1]) for words in bars[3:]] == [("unjudged", bar), ("ties", bar)]
    assert "NumRet: nothing about topics (a sum over the topics, not a mean)" in lines


def test_ends_that_were_only_seen_are_called_so(files: Path) -> None:
    """20 documents of 20 grades share a score: 20! orders, of which 500 are drawn. AP needs none of them."""
    (files / "qrels").write_text("".join(f"q1 0 d{n} {n}\n" for n in range(20)) + "q2 0 d1 1\n")
    (files / "a.run").write_text("".join(f"q1 Q0 d{n} 1 1 t\n" for n in range(20)) + "q2 Q0 d1 1 1 t\n")
    asked = ("evaluate", "qrels", "a.run", "-m", "G", "-m", "AP", "--intervals", "--seed", "7")
    note = "G: the ends of ties are those seen in 500 orders drawn at random (seed 7); other orders may go beyond"
    table = run_cranfield(*asked, "--format", "table", environment={"COLUMNS": "200"}, cwd=files)
    assert note in table.text.splitlines()
    assert run_cranfield(*asked, cwd=files).stderr == f"cranfield: {note}\n"
    json_ = run_cranfield(*asked, "--format", "json", cwd=files)
    assert json.loads(json_.text)["runs"][0]["intervals"]["G"]["ties"]["how"] == "seen"


def test_json_has_them(files: Path) -> None:
    done = run_cranfield(
        "evaluate", "qrels", "a.run", "-m", "RR", "--intervals", "--bootstrap", "--format", "json", cwd=files
    )
    whole = json.loads(done.text)
    (of_run,) = whole["runs"]
    assert set(of_run["intervals"]["RR"]) == {"mean", "topics", "unjudged", "ties"}
    assert (whole["settings"]["intervals"], whole["settings"]["confidence"]) == ("bootstrap", 0.95)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--bootstrap"], "--bootstrap goes with --intervals"),
        (["--confidence", ".9"], "--confidence goes with --intervals"),
        (["--intervals", "-q"], "--intervals is about means, and has ties and unjudged documents in it; leave out -q"),
        (["--intervals", "--residuals"], "leave out --residuals"),
        (["--intervals", "--format", "trec"], "which --format trec does not"),
        (["--intervals", "--confidence", "2"], "level must be a number above 0 and below 1, not 2.0"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(files: Path, arguments: list[str], message: str) -> None:
    done = run_cranfield("evaluate", "qrels", "a.run", *arguments, cwd=files)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
