"""`cranfield similarity` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield, run_in_terminal

FIRST = "q1 Q0 d1 1 3 a\nq1 Q0 d2 2 2 a\nq1 Q0 d3 3 1 a\nq2 Q0 d1 1 1 a\n"
SECOND = "q1 Q0 d1 1 9 b\nq1 Q0 d3 2 8 b\nq1 Q0 d2 3 7 b\nq2 Q0 d2 1 1 b\n"
# By hand: in q1 two of three pairs agree, so tau is 1/3, and all 3 documents are common; q2 has none in common.


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.run").write_text(FIRST)
    (tmp_path / "b.run").write_text(SECOND)
    return tmp_path


def test_tsv_where_output_is_not_a_terminal(folder: Path) -> None:
    done = run_cranfield("similarity", "a.run", "b.run", "-m", "tau_a", "-m", "common", "-q", cwd=folder)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.text.splitlines() == [
        "measure\tquery\tvalue",
        "tau_a\tq1\t0.3333333333333333",
        "common\tq1\t3.0",
        "tau_a\tq2\tnan",
        "common\tq2\t0.0",
        "tau_a\tall\t0.3333333333333333",
        "common\tall\t1.5",
    ]


def test_a_table_in_a_terminal(folder: Path) -> None:
    shown = run_in_terminal("similarity", "a.run", "b.run", "-m", "tau_b", "-m", "common", "-q", cwd=folder)
    assert shown == (
        "topic   tau_b  common\n"
        "q1     0.3333       3\n"
        "q2          -       0\n"
        "\n"
        "measure    mean  topics\n"
        "tau_b    0.3333       1\n"
        "common   1.5000       2\n"
        "\n"
        "a and b: topics: 2 in both; documents: 4 and 4, at most 3 and 3 a topic; 3 in common; no tied scores; "
        "correlations: common documents\n"
    )


def test_json(folder: Path) -> None:
    done = run_cranfield(
        "similarity",
        "a.run",
        "b.run",
        "-m",
        "rbo",
        "-p",
        "0.5",
        "--ties",
        "w",
        "-M",
        "1",
        "--format",
        "json",
        cwd=folder,
    )
    assert json.loads(done.text) == {
        "schema": "cranfield.similarity/1",
        "runs": ["a", "b"],
        "settings": {"p": 0.5, "ties": "w", "depth": 1, "documents": "common"},
        "measures": ["rbo"],
        "topics": 2,
        "topics_only_in_first": [],
        "topics_only_in_second": [],
        "documents": [2, 2],
        "documents_in_common": 1,
        "most_documents_for_a_topic": [1, 1],
        "tied_documents": [0, 0],
        "mean": {"rbo": 0.5},  # the first documents are the same in q1, and are not in q2
        "topics_defined": {"rbo": 2},
    }
    by_query = run_cranfield("similarity", "a.run", "b.run", "-m", "tau", "-q", "-n", "--format", "json", cwd=folder)
    whole = json.loads(by_query.text)
    assert whole["per_query"] == {"q1": {"tau_b": pytest.approx(1 / 3)}, "q2": {"tau_b": None}}
    assert "mean" not in whole


def test_documents_of_either_list(folder: Path) -> None:
    done = run_cranfield("similarity", "a.run", "b.run", "-m", "tau_a", "-q", "--documents", "union", cwd=folder)
    # q2: d1 is only in the first list and d2 only in the second, so the pair is in opposite orders
    assert "tau_a\tq2\t-1.0" in done.text.splitlines()


def test_topics_of_one_run_only_are_said_in_a_pipe_too(folder: Path) -> None:
    (folder / "part.run").write_text(SECOND.replace("q2", "q7"))
    done = run_cranfield("similarity", "a.run", "part.run", "-m", "overlap", cwd=folder)
    assert done.text == "measure\tquery\tvalue\noverlap\tall\t1.0\n"
    assert done.stderr == (
        "cranfield: topics: 1 in both, 1 only in a (q2: left out), 1 only in part (q7: left out); "
        "documents: 3 and 3, at most 3 and 3 a topic; 3 in common; no tied scores\n"
    )


def test_ties_and_depth_are_said(folder: Path) -> None:
    (folder / "tied.run").write_text(SECOND.replace(" 8 b", " 9 b") + "q1 Q0 d4 4 7 b\nq1 Q0 d5 5 1 b\n")
    # By hand: d1 and d3 have score 9, d2 and d4 score 7; five documents for q1, where a has three.
    sentence = (
        "topics: 2 in both; documents: 4 and 6, at most 3 and 5 a topic; 3 in common; tied scores: 0 and 4; "
        "rbo: p = 0.9, ties b"
    )
    depth = "the runs differ in depth, 3 and 5 documents a topic; -M 3 compares them at the same depth"
    shown = run_in_terminal("similarity", "a.run", "tied.run", "-m", "rbo", cwd=folder)
    assert shown.splitlines()[-2:] == [f"a and tied: {sentence}", depth]
    piped = run_cranfield("similarity", "a.run", "tied.run", "-m", "rbo", cwd=folder)
    assert piped.stderr.splitlines() == [f"cranfield: {sentence}", f"cranfield: {depth}"]
    cut = run_cranfield("similarity", "a.run", "tied.run", "-m", "rbo", "-M", "3", cwd=folder)
    # The first three of q1 are d3 and d1 with score 9, and d4, the last identifier among those with score 7.
    assert "at most 3 and 3 a topic; 2 in common; tied scores: 0 and 2" in cut.stderr
    assert "depth" not in cut.stderr


def test_standard_input_and_any_bytes(folder: Path) -> None:
    text = FIRST.encode().replace(b"q2", b"caf\xe9")
    (folder / "bytes.run").write_bytes(text)
    done = run_cranfield("similarity", "-", "bytes.run", "-m", "overlap", "-q", stdin=text, cwd=folder)
    assert b"overlap\tcaf\xe9\t1.0" in done.stdout.splitlines()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["none.run", "b.run"], 2, "cranfield: none.run: there is no such file"),
        (["a.run", "nan.run"], 1, "cranfield: nan.run:1: score 'nan' is not a finite number"),
        (["a.run", "other.run"], 1, "cranfield: a and other have no topic in common (q1, q2; x1, x2). Are these the right"),
        (["a.run", "b.run", "-m", "tua_b"], 2, "cranfield: unknown measure of similarity 'tua_b'. Did you mean tau_b"),
        (["a.run", "b.run", "-p", "1"], 2, "cranfield: p must be a number above 0 and below 1, not 1.0"),
        (["a.run", "b.run", "-M", "0"], 2, "cranfield: the number of documents to look at (-M, depth=) must be a whole number from 1 to 10^12, not 0"),
        (["a.run", "b.run", "-n"], 2, "cranfield: -n leaves nothing to show"),
        (["a.run"], 2, "Missing argument 'RUN'"),
        (["a.run", "b.run", "b.run"], 2, "Got unexpected extra argument (b.run)"),
    ],
)  # fmt: skip
def test_wrong_input_gives_a_line_and_an_exit_code(folder: Path, arguments: list[str], code: int, message: str) -> None:
    (folder / "nan.run").write_text(SECOND.replace("9", "nan"))
    (folder / "other.run").write_text(SECOND.replace("q", "x").replace("Q", "q"))
    done = run_cranfield("similarity", *arguments, cwd=folder)
    assert message in done.stderr
    assert (done.exit_code, done.stdout) == (code, b"")
    assert "Traceback" not in done.stderr


def test_completion_of_measures() -> None:
    environment = {
        "COMP_WORDS": "cranfield similarity -m tau_a",
        "COMP_CWORD": "3",
        "_CRANFIELD_COMPLETE": "bash_complete",
    }
    done = run_cranfield(environment=environment)
    assert done.text.split() == ["plain,tau_a", "plain,tau_ap_a", "plain,tau_ap_b"]
