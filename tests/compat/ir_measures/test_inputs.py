"""Judgments and runs in other shapes, and in none."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import pandas as pd
import polars as pl
import pytest

import cranfield as cf
from cranfield.compat.ir_measures import AP, RR, Qrel, ScoredDoc, alpha_nDCG, calc_aggregate, iter_calc
from cranfield.errors import CranfieldError

QRELS = {"q1": {"b": 1}, "q2": {"c": 1}}
RUN = {"q1": {"a": 2.0, "b": 1.0}}


def test_tuples_with_other_fields_in_another_order() -> None:
    Judged = namedtuple("Judged", ["relevance", "note", "doc_id", "query_id"])
    Found = namedtuple("Found", ["rank", "score", "query_id", "doc_id"])
    qrels = [Judged(1, "sure", "b", "q1")]
    assert calc_aggregate([RR], qrels, [Found("first", 2.0, "q1", "a"), Found("second", 1.0, "q1", "b")]) == {RR: 0.5}


def test_dataframes_with_more_columns() -> None:
    qrels = pd.DataFrame({"query_id": ["q1"], "doc_id": ["b"], "relevance": [1], "probability": [7.0], "rel": [0]})
    run = pd.DataFrame({"tag": ["x", "x"], "query_id": ["q1"] * 2, "doc_id": ["a", "b"], "score": [2.0, 1.0]})
    assert calc_aggregate([RR], qrels, run) == {RR: 0.5}
    assert calc_aggregate([RR], pl.from_pandas(qrels), pl.from_pandas(run)) == {RR: 0.5}


def test_subtopics_in_a_dataframe() -> None:
    qrels = pd.DataFrame(
        {"query_id": ["q"] * 3, "doc_id": ["d0", "d0", "d1"], "relevance": [1, 1, 1], "iteration": ["0", "1", "0"]}
    )
    # The documentation's example of a diversity measure.
    found = (alpha_nDCG @ 10).calc_aggregate(qrels, {"q": {"d0": 1}})
    assert found == pytest.approx(0.8637574337885664)


def test_whole_numbers_for_identifiers() -> None:
    qrels = pd.DataFrame({"query_id": [1], "doc_id": [7], "relevance": [1]})
    run = pd.DataFrame({"query_id": [1], "doc_id": [7], "score": [1.0]})
    assert [metric.query_id for metric in iter_calc([AP], qrels, run)] == ["1"]


def test_qrels_and_runs_of_cranfield() -> None:
    assert calc_aggregate([RR], cf.Qrels.from_dict(QRELS), cf.Run.from_dict(RUN)) == {RR: 0.25}


def test_nothing_at_all() -> None:
    assert calc_aggregate([RR], QRELS, {}) == {RR: 0.0}
    assert calc_aggregate([RR], QRELS, []) == {RR: 0.0}
    assert calc_aggregate([], QRELS, RUN) == {}
    assert list(iter_calc([RR], [], RUN)) == []


def test_one_subtopic_is_warned_of() -> None:
    with pytest.warns(UserWarning, match="alpha_nDCG@5 is for judgments by subtopic, and no query has more than one"):
        assert (alpha_nDCG @ 5).calc_aggregate({"q": {"a": 1}}, {"q": {"a": 1.0}}) == 1.0


@pytest.mark.parametrize(
    ("qrels", "run", "problem"),
    [
        ([("q1", "b", 1)], RUN, "qrels: expected tuples with the names query_id, doc_id, relevance, such as Qrel"),
        (QRELS, [("q1", "b", 1.0)], "run: expected tuples with the names query_id, doc_id, score, such as ScoredDoc"),
        ([ScoredDoc("q1", "b", 1.0)], RUN, "qrels: the tuples have no relevance; they have query_id, doc_id, score"),
        (QRELS, [Qrel("q1", "b", 1)], "run: the tuples have no score"),
        (QRELS, "bm25.run", "found str; a file is read by read_trec_run('bm25.run')"),
        ("qrels.txt", RUN, "found str; a file is read by read_trec_qrels('qrels.txt')"),
        (QRELS, 7, "a dict of dicts or a DataFrame, found int"),
        (
            QRELS,
            pd.DataFrame({"qid": ["q1"], "doc_id": ["b"], "score": [1.0]}),
            "run: the DataFrame has no column query_id; it has qid, doc_id, score",
        ),
        (QRELS, {"q1": {"a": "high"}}, "run, query 'q1', document 'a': score 'high' is not a number"),
        (QRELS, {"q1": ["a", "b"]}, "run, query 'q1': expected {document: score}, found list"),
        ({"q1": {"a": None}}, RUN, "grade None is not a"),
    ],
)
def test_shapes_that_are_not_known(qrels: Any, run: Any, problem: str) -> None:
    with pytest.raises(CranfieldError) as caught:
        calc_aggregate([AP], qrels, run)
    assert problem in str(caught.value)


def test_a_name_is_not_a_measure() -> None:
    with pytest.raises(ValueError, match="'AP' is not a measure; parse_measure makes one of a name"):
        calc_aggregate(["AP"], QRELS, RUN)  # type: ignore[list-item]
