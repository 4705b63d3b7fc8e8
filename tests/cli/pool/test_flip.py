"""`cranfield pool flip` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield.formats.pools import read_pool
from tests.cli.running import run_cranfield, run_in_terminal

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c 1\n"
NEW = "q1 Q0 a 1 3 n\nq1 Q0 b 2 2 n\nq1 Q0 x 3 1 n\nq2 Q0 c 1 2 n\nq2 Q0 y 2 1 n\n"
OLD = "q1 Q0 a 1 3 o\nq1 Q0 b 2 2 o\nq1 Q0 x 3 1 o\nq2 Q0 y 1 2 o\nq2 Q0 c 2 1 o\n"
# RR by hand: q1 1 - 1 whatever is judged; q2 1 - 1/2, or 1 - 1 if y is relevant: .25, from 0 to .25.


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("qrels.txt", QRELS), ("new.run", NEW), ("old.run", OLD)):
        (tmp_path / name).write_text(text)
    return tmp_path


FILES = ("qrels.txt", "new.run", "old.run")


def test_a_table_in_a_terminal(folder: Path) -> None:
    shown = run_in_terminal("pool", "flip", *FILES, "-m", "RR", "-q", "--simulations", "0", cwd=folder, columns=100)
    assert shown.startswith(
        "It is open which of new and old is better by RR: as judged the difference is +0.2500, but with the 2\n"
        "unjudged documents it could be from 0 to +0.2500 (exact).\n"
    )
    assert "q2     1.0000  0.5000      0.5000  0.0000  0.5000  exact         1   open\n" in shown
    assert "q2     y              2       1  -0.250000" in shown


def test_nothing_is_listed_where_no_judgment_is_needed(folder: Path) -> None:
    # On both topics AP is 1 - 0, or 1 - 1/4 if x is relevant too: (1 + 1) / 2 - (1/2) / 2.
    topics = ("q1", "q2")
    (folder / "qrels.txt").write_text("".join(f"{topic} 0 a 1\n{topic} 0 b 0\n" for topic in topics))
    for name, first in (("new", "a"), ("old", "b")):
        run = "".join(f"{topic} Q0 {first} 1 2 r\n{topic} Q0 x 2 1 r\n" for topic in topics)
        (folder / f"{name}.run").write_text(run)
    command = ("pool", "flip", *FILES, "-m", "AP")
    shown = run_in_terminal(*command, cwd=folder, columns=100)
    assert "No further judgment is needed" in shown
    assert "in new" not in shown
    assert "in new" in run_in_terminal(*command, "-n", "1", cwd=folder, columns=100)


def test_tsv_elsewhere(folder: Path) -> None:
    done = run_cranfield("pool", "flip", *FILES, "-m", "RR", cwd=folder)
    assert done.exit_code == 0
    header, row = (line.split("\t") for line in done.text.splitlines())
    assert header == ["topic", "document", "first_rank", "second_rank", "effect", "chance", "expected"]
    assert row[:5] == ["q2", "y", "2", "1", "-0.25"]
    assert "cranfield: It is open which of new and old is better by RR" in done.stderr
    assert "cranfield: If documents are as relevant as estimated from 3 judged ones" in done.stderr


def test_tsv_by_topic(folder: Path) -> None:
    done = run_cranfield("pool", "flip", *FILES, "-m", "RR", "-q", "--simulations", "0", cwd=folder)
    assert done.text.splitlines() == [
        "topic\tfirst\tsecond\tdifference\tlow\thigh\thow\tunjudged\tverdict",
        "q1\t1.0\t1.0\t0.0\t0.0\t0.0\texact\t1\tequal",
        "q2\t1.0\t0.5\t0.5\t0.0\t0.5\texact\t1\topen",
    ]


def test_json(folder: Path) -> None:
    done = run_cranfield("pool", "flip", *FILES, "-m", "RR", "--format", "json", "-q", cwd=folder)
    whole = json.loads(done.stdout)
    assert (done.exit_code, done.stderr) == (0, "")
    assert (whole["schema"], whole["verdict"], whole["mean"]["low"], whole["mean"]["high"]) == (
        "cranfield.flip/1", "open", 0.0, 0.25,
    )  # fmt: skip
    assert [one["document"] for one in whole["documents"]] == ["y"]
    again = run_cranfield("pool", "flip", *FILES, "-m", "RR", "--format", "json", "-q", cwd=folder)
    assert again.stdout == done.stdout


def test_a_pool_to_judge(folder: Path) -> None:
    done = run_cranfield("pool", "flip", *FILES, "-m", "AP", "-n", "1", "-o", "judge.tsv", cwd=folder)
    assert done.exit_code == 0
    assert read_pool(folder / "judge.tsv").to_judge() == {"q2": ["y"]}
    before = (folder / "judge.tsv").read_bytes()
    again = run_cranfield("pool", "flip", *FILES, "-m", "AP", "-o", "judge.tsv", cwd=folder)
    assert (again.exit_code, (folder / "judge.tsv").read_bytes()) == (2, before)
    assert "say --force to lose it" in again.stderr


def test_a_gate(folder: Path) -> None:
    gate = ("--require-certain", "--simulations", "0")
    assert run_cranfield("pool", "flip", *FILES, "-m", "RR", *gate, cwd=folder).exit_code == 3
    (folder / "qrels.txt").write_text(QRELS + "q2 0 y 0\n")
    done = run_cranfield("pool", "flip", *FILES, "-m", "RR", *gate, cwd=folder)
    assert done.exit_code == 0
    assert "new is better than old by RR whatever the 1 unjudged document is" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "exit_code", "message"),
    [
        (("qrels.txt", "new.run"), 2, "Missing argument 'B'"),
        (("qrels.txt", "new.run", "none.run"), 2, "none.run: there is no such file"),
        (("new.run", "qrels.txt", "old.run"), 1, "Are the files in the right order"),
        ((*FILES, "-m", "Bpref"), 2, "Bpref says nothing certain about unjudged documents"),
        ((*FILES, "-m", "nDGC"), 2, "Did you mean nDCG"),
        ((*FILES, "--highest-grade", "0.5"), 2, "the judgments have grade 1"),
    ],
)
def test_mistakes(folder: Path, arguments: tuple[str, ...], exit_code: int, message: str) -> None:
    done = run_cranfield("pool", "flip", *arguments, cwd=folder)
    assert done.exit_code == exit_code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
