"""Readers of TREC files: rows as a generator has them, and files that evaluation reads by itself."""

from __future__ import annotations

import gzip
import io
import itertools
import os
import threading
from pathlib import Path

import ir_measures as original
import pytest

from cranfield.compat.ir_measures import AP, RR, Qrel, ScoredDoc, calc_aggregate, read_trec_qrels, read_trec_run
from cranfield.errors import CranfieldError

RUN = "q1 Q0 a 1 2.5 t\nq1 Q0 b 2 1e-3 t\nq2\tQ0  c 1 -3 t\n\n"
QRELS = "q1 0 b 1\nq1 0 c 0\nq2 2 c -1\n"
ROWS = [("q1", "a", 2.5), ("q1", "b", 0.001), ("q2", "c", -3.0)]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "run").write_text(RUN)
    (tmp_path / "qrels").write_text(QRELS)
    with gzip.open(tmp_path / "run.gz", "wt") as file:
        file.write(RUN)
    return tmp_path


def test_rows_are_those_of_the_original(files: Path) -> None:
    for name in ("run", "run.gz"):
        path = str(files / name)
        rows = list(read_trec_run(path))
        assert rows == [tuple(row) for row in original.read_trec_run(path)] == ROWS
        assert repr(rows[0]) == "ScoredDoc(query_id='q1', doc_id='a', score=2.5)"
    judged = list(read_trec_qrels(str(files / "qrels")))
    assert judged == [tuple(row) for row in original.read_trec_qrels(str(files / "qrels"))]
    assert judged[2] == Qrel("q2", "c", -1, "2")
    assert type(judged[0].relevance) is int


def test_text_and_file_objects(files: Path) -> None:
    assert list(read_trec_run(RUN)) == ROWS
    assert list(read_trec_run(io.StringIO(RUN))) == ROWS
    with open(files / "run") as file:
        assert list(read_trec_run(file)) == ROWS


def test_rows_are_handed_out_once(files: Path) -> None:
    reader = read_trec_run(str(files / "run"))
    assert next(reader) == ScoredDoc(*ROWS[0])
    assert list(itertools.islice(reader, 5)) == ROWS[1:]
    assert list(reader) == []
    assert next(reader, None) is None


def test_the_file_is_read_when_it_is_asked_for(tmp_path: Path) -> None:
    reader = read_trec_run(str(tmp_path / "later"))
    (tmp_path / "later").write_text(RUN)
    assert len(list(reader)) == 3


@pytest.mark.parametrize("make", [str, lambda path: io.StringIO(path.read_text()), lambda path: path.read_text()])
def test_evaluation_takes_the_whole_file_as_often_as_it_likes(files: Path, make) -> None:
    run, qrels = read_trec_run(make(files / "run")), read_trec_qrels(make(files / "qrels"))
    # q1 has its relevant document at rank 2, q2 has none: (1/2 + 0) / 2.
    for _ in range(2):
        assert calc_aggregate([RR], qrels, run) == {RR: 0.25}
    assert list(run) == ROWS
    assert calc_aggregate([RR], qrels, run) == {RR: 0.25}


def test_a_pipe_is_read_once_and_kept(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=(RUN,))
    writer.start()
    run = read_trec_run(str(tmp_path / "pipe"))
    for _ in range(2):
        assert calc_aggregate([RR], {"q1": {"b": 1}}, run) == {RR: 0.5}
    writer.join()
    assert list(run) == ROWS


def test_of_a_file_that_was_begun_the_rest_counts(files: Path) -> None:
    run = read_trec_run(str(files / "run"))
    next(run)
    # Without a, b is at rank 1: (1 + 0) / 2, as in the original.
    assert calc_aggregate([RR], read_trec_qrels(str(files / "qrels")), run) == {RR: 0.5}


def test_of_judgments_that_were_begun_the_rest_counts(files: Path) -> None:
    qrels = read_trec_qrels(str(files / "qrels"))
    next(qrels)
    assert calc_aggregate([RR], qrels, {"q1": {"b": 1.0}}) == {RR: 0.0}


def test_a_run_without_a_line_scores_0(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("\n")
    assert calc_aggregate([AP], {"q1": {"a": 1}}, read_trec_run(str(tmp_path / "run"))) == {AP: 0.0}


def test_judgments_without_a_line_have_no_mean(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("")
    (mean,) = calc_aggregate([AP], read_trec_qrels(str(tmp_path / "qrels")), {"q1": {"a": 1.0}}).values()
    assert mean != mean


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("q1 Q0 a 1 2.5\n", "the text of the run:1: expected 6 fields"),
        ("q1 Q0 a 1 2.5 t\nq1 Q0 b 2 x t\n", "the text of the run:2: score 'x' is not a finite number"),
        ("q1 Q0 a 1 2 t\nq1 Q0 a 2 1 t\n", "the text of the run:2: document 'a' is returned twice"),
    ],
)
def test_a_bad_line_is_named(text: str, problem: str) -> None:
    with pytest.raises(CranfieldError) as caught:
        calc_aggregate([AP], {"q1": {"a": 1}}, read_trec_run(text))
    assert problem in str(caught.value)


def test_what_is_no_file() -> None:
    with pytest.raises(CranfieldError, match="nowhere: there is no such file"):
        list(read_trec_run("nowhere"))
    with pytest.raises(CranfieldError, match="given by its path, as a file object or as the text in it, not as list"):
        read_trec_run([])
