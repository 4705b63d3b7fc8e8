"""Scores topic by topic, and differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import cranfield as cf
from cranfield.errors import CoverageError, UsageError
from tests.curves.material import Case, cases

QRELS = {topic: {"d1": 1} for topic in ("q1", "q2", "q3")}
# Reciprocal ranks 1/2, 1, 1/3 and 1, 1/2, 1/3
OLD = {"q1": {"x": 2.0, "d1": 1.0}, "q2": {"d1": 1.0}, "q3": {"x": 3.0, "y": 2.0, "d1": 1.0}}
NEW = {"q1": {"d1": 1.0}, "q2": {"x": 2.0, "d1": 1.0}, "q3": {"x": 3.0, "y": 2.0, "d1": 1.0}}
RUNS = {"old": OLD, "new": NEW}


@pytest.mark.parametrize(
    ("order", "topics"),
    [
        ("score", ("q2", "q1", "q3")),
        ("mean", ("q1", "q2", "q3")),
        ("spread", ("q1", "q2", "q3")),
        ("topic", ("q1", "q2", "q3")),
    ],
)
def test_orders(order: str, topics: tuple[str, ...]) -> None:
    scores = cf.curves.per_topic(QRELS, RUNS, "RR", order=order)
    assert scores.topics == topics
    expected = {"q1": (1 / 2, 1), "q2": (1, 1 / 2), "q3": (1 / 3, 1 / 3)}
    assert scores["old"] == pytest.approx([expected[topic][0] for topic in topics])
    assert scores["new"] == pytest.approx([expected[topic][1] for topic in topics])


@settings(max_examples=50)
@given(cases())
def test_scores_are_those_of_evaluate(case: Case) -> None:
    scores = cf.curves.per_topic(*case, "nDCG@5")
    assert dict(zip(scores.topics, scores["run"].tolist(), strict=True)) == cf.evaluate(*case, "nDCG@5")["nDCG@5"]
    assert (np.diff(scores["run"]) <= 0).all()


def test_sentences_rows_and_json() -> None:
    scores = cf.curves.per_topic(QRELS, {"old": OLD, "part": {"q1": {"d1": 1.0}}}, "RR")
    assert scores.sentences() == [
        "old: from .333 (q3) to 1.000 (q2), median .500.",
        "part: from .000 (q2) to 1.000 (q1), median .000.",
        "part lacks 2 of the topics (q2, q3): scored 0.",
    ]
    assert next(scores.rows()) == ("old", "q2", 1, 1.0)
    assert scores.to_dict()["topics"] == ["q2", "q1", "q3"]
    assert scores.missing == {"old": (), "part": ("q2", "q3")}


def test_topics_that_the_profile_leaves_out_have_no_score() -> None:
    scores = cf.curves.per_topic(QRELS, {"part": {"q1": {"d1": 1.0}}, "old": OLD}, "RR", profile="trec_eval-9")
    assert scores.topics == ("q1", "q2", "q3")
    assert np.isnan(scores["part"]).tolist() == [False, True, True]
    assert [row[3] for row in scores.rows()][:3] == [1.0, None, None]
    assert cf.curves.per_topic(
        QRELS, {"part": {"q1": {"d1": 1.0}}, "old": OLD}, "RR", profile="trec_eval-9", order="mean"
    ).topics == ("q2", "q1", "q3")


def test_bands() -> None:
    # In q1 a relevant document is tied with another; in q2 one that is not judged stands first
    qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}}
    run = {"q1": {"d1": 1.0, "d2": 1.0}, "q2": {"x": 2.0, "d1": 1.0}}
    scores = cf.curves.per_topic(qrels, run, "RR", bands=["ties", "unjudged"])
    bands = scores.bands["run"]
    assert scores.topics == ("q1", "q2")
    assert (bands["ties"].lower.tolist(), bands["ties"].upper.tolist()) == ([0.5, 0.5], [1, 0.5])
    assert (bands["unjudged"].lower.tolist(), bands["unjudged"].upper.tolist()) == ([0.5, 0.5], [0.5, 1])
    assert next(scores.rows()) == ("run", "q1", 1, 0.5, 0.5, 1.0, 0.5, 0.5)
    assert scores.to_dict()["runs"][0]["bands"]["ties"]["upper"] == [1.0, 0.5]
    without = cf.curves.per_topic(qrels, run, "Judged@5", bands="unjudged")
    assert without.sentences()[-1].startswith("Judged@5 has no band of unjudged documents")


def test_differences() -> None:
    found = cf.curves.differences(QRELS, {"old": OLD}, {"new": NEW}, "RR")
    run = found["new"]
    assert (run.topics, run.difference.tolist()) == (("q1", "q3", "q2"), [0.5, 0.0, -0.5])
    assert (run.higher, run.lower) == (1, 1)
    assert next(found.rows()) == ("new", "q1", 1, 0.5, 1.0, 0.5)
    assert found.sentences()[0] == (
        "new against old: higher on 1, equal on 1, lower on 1 of 3 topics; most gained: q1 (+.500); most lost: q2 (-.500)."
    )
    assert found.to_dict()["runs"][0]["differences"] == [0.5, 0.0, -0.5]


def test_differences_of_identical_runs_and_of_topics_that_one_lacks() -> None:
    same = cf.curves.differences(QRELS, {"old": OLD}, {"again": OLD}, "RR")
    assert same.sentences()[0] == "again against old: higher on 0, equal on 3, lower on 0 of 3 topics."
    part = {"q1": {"d1": 1.0}}
    assert cf.curves.differences(QRELS, OLD, part, "RR").runs["run-2"].difference.tolist() == pytest.approx(
        [0.5, -1 / 3, -1]
    )
    left_out = cf.curves.differences(QRELS, OLD, part, "RR", profile="trec_eval-9")
    assert left_out.runs["run-2"].left_out == ("q2", "q3")
    assert left_out.sentences()[1] == "Left out, as only one of the two has them: q2, q3 (2)."
    with pytest.raises(CoverageError, match="no judged topic in common"):
        cf.curves.differences(QRELS, {"q2": OLD["q2"]}, part, "RR", profile="trec_eval-9")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cf.curves.per_topic(QRELS, OLD, "RelString"), "RelString@10 is text"),
        (lambda: cf.curves.per_topic(QRELS, OLD, order="size"), "order .* is one of score, mean, spread, topic"),
        (lambda: cf.curves.per_topic(QRELS, OLD, "P@5,10"), "stands for 2 measures"),
        (lambda: cf.curves.differences(QRELS, OLD, []), "there is no run to compare"),
    ],
)
def test_what_makes_no_sense_is_said(call: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        call()
