"""Every difference from pytrec_eval that docs/compat.md lists: what is right, and what pytrec_eval does where it survives.

Oracle: arithmetic in the tests, and pytrec_eval-terrier (version in requirements/test.txt).
"""

from __future__ import annotations

import types
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import pytrec_eval as original

from cranfield.compat import pytrec_eval
from cranfield.errors import DataError, UsageError

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}}
RUN = {"q1": {"d1": 1.0}, "q2": {"d2": 1.0}}


def evaluate(qrels: Any, run: Any, *measures: str, **options: Any) -> dict[str, dict[str, float]]:
    return pytrec_eval.RelevanceEvaluator(qrels, set(measures), **options).evaluate(run)


def test_a_query_without_documents() -> None:
    run = {"q1": {"d1": 1.0}, "q2": {}}
    theirs = original.RelevanceEvaluator(QRELS, {"iprec_at_recall", "11pt_avg"}).evaluate(run)["q2"]
    assert np.isnan(theirs["iprec_at_recall_0.00"])
    assert np.isnan(theirs["11pt_avg"])
    # Right: nothing was found, so that precision at every level of recall is 0.
    ours = evaluate(QRELS, run, "iprec_at_recall", "11pt_avg")["q2"]
    assert set(ours.values()) == {0.0}
    # As the first query it makes pytrec_eval crash.
    assert evaluate(QRELS, {"q2": {}}, "map", "num_rel") == {"q2": {"num_rel": 1.0, "map": 0.0}}


def test_a_topic_with_negative_grades_only() -> None:
    qrels, run = {"q1": {"d1": -1}}, {"q1": {"d1": 1.0}}
    # pytrec_eval may crash here. Right: no document is relevant, and one was retrieved.
    assert evaluate(qrels, run, "map", "num_ret", "num_rel") == {"q1": {"num_ret": 1.0, "num_rel": 0.0, "map": 0.0}}


def test_topics_without_judgments_leave_the_others_alone() -> None:
    # Issues 49 and 57: scores of topics after an empty one were wrong, and changed from one call to the next.
    qrels = {"q0": {}, "q1": {"d1": 1}, "q2": {}, "q3": {"d3": 1}}
    run = {query: {"d1": 2.0, "d3": 1.0} for query in qrels}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"})
    for _ in range(3):
        assert evaluator.evaluate(run) == {"q1": {"recip_rank": 1.0}, "q3": {"recip_rank": 0.5}}


def test_grades_that_are_fractions() -> None:
    # Issue 16.
    qrels: Any = {"q": {"d1": 0.5, "d2": 1.5}}
    run = {"q": {"d1": 2.0, "d2": 1.0}}
    with pytest.raises(TypeError):
        original.RelevanceEvaluator(qrels, {"ndcg"})
    # By hand: (0.5 + 1.5/log2(3)) / (1.5 + 0.5/log2(3)); one grade of two is at least 1, at rank 2.
    dcg, ideal = 0.5 + 1.5 / np.log2(3), 1.5 + 0.5 / np.log2(3)
    assert evaluate(qrels, run, "ndcg")["q"]["ndcg"] == pytest.approx(dcg / ideal)
    assert evaluate(qrels, run, "recip_rank", "num_rel") == {"q": {"num_rel": 1.0, "recip_rank": 0.5}}
    assert evaluate(qrels, run, "num_rel", relevance_level=0.5) == {"q": {"num_rel": 2.0}}


@pytest.mark.parametrize("kind", [np.int64, np.float32, np.float64, Fraction, bool])
def test_numbers_of_other_kinds(kind: type) -> None:
    qrels, run = {"q": {"d1": kind(1), "d2": kind(0)}}, {"q": {"d1": kind(0), "d2": kind(1)}}
    assert evaluate(qrels, run, "recip_rank") == {"q": {"recip_rank": 0.5}}


def test_mappings_of_other_kinds() -> None:
    run = types.MappingProxyType({query: types.MappingProxyType(inner) for query, inner in RUN.items()})
    with pytest.raises(TypeError):
        original.RelevanceEvaluator(QRELS, {"map"}).evaluate(run)
    assert evaluate(QRELS, run, "map") == {"q1": {"map": 1.0}, "q2": {"map": 0.0}}


@pytest.mark.parametrize("score", [float("nan"), np.float32("nan"), 10**400])
def test_scores_that_say_nothing(score: float) -> None:
    with pytest.raises(
        ValueError, match=r"^scores, query 'q1', document 'd2': score .* is (not a finite number|too large)$"
    ):
        evaluate(QRELS, {"q1": {"d1": 1.0, "d2": score}}, "map")
    with pytest.raises(
        ValueError, match=r"^query_relevance, query 'q1', document 'd2': grade .* is (not a finite|too large)"
    ):
        evaluate({"q1": {"d1": 1, "d2": score}}, RUN, "map")
    with pytest.raises(DataError):
        evaluate({"q1": {"d1": float("inf")}}, RUN, "map")


def test_parameters_that_were_lost() -> None:
    # By hand, one relevant of one retrieved, and one judged not relevant: 2 · 1 for it, -1 · 0, 0, 0.
    theirs = original.RelevanceEvaluator(QRELS, {"utility.2,-1,0,0"}).evaluate(RUN)["q1"]
    assert theirs == {"utility": 0.0}
    assert evaluate(QRELS, RUN, "utility.2,-1,0,0")["q1"] == {"utility": 2.0}
    assert original.RelevanceEvaluator(QRELS, {"recip_rank_1"}).evaluate(RUN)["q1"] == {"recip_rank": 1.0}
    with pytest.raises(ValueError, match="recip_rank takes no parameters, found '1'"):
        evaluate(QRELS, RUN, "recip_rank_1")
    # pytrec_eval ends the process. By hand, gains 3 and 9 for grades 1 and 2: (3 + 9/log2(3)) / (9 + 3/log2(3)).
    qrels = {"q": {"d1": 1, "d2": 2}}
    run = {"q": {"d1": 2.0, "d2": 1.0}}
    expected = (3 + 9 / np.log2(3)) / (9 + 3 / np.log2(3))
    assert evaluate(qrels, run, "ndcg.1=3,2=9")["q"]["ndcg"] == pytest.approx(expected)


def test_a_level_below_one() -> None:
    for level in (0, -1, float("inf"), "2", None):
        with pytest.raises(TypeError, match=r"^relevance_level is .*, not a number above 0$"):
            evaluate(QRELS, RUN, "map", relevance_level=level)


WRONG: list[tuple[Any, Any, str]] = [
    (None, RUN, "query_relevance is NoneType None, not {query: {document: grade}}"),
    ({"q1": ["d1"]}, RUN, "query_relevance, query 'q1': expected {document: grade}, found list ['d1']"),
    ({1: {"d1": 1}}, RUN, "query_relevance: query 1 is int, not text: write '1'"),
    ({"q1": {1: 1}}, RUN, "query_relevance, query 'q1': document 1 is int, not text: write '1'"),
    ({"q1": {"d1": "1"}}, RUN, "query_relevance, query 'q1', document 'd1': grade '1' is str, not a number"),
    (QRELS, [1], "scores is list [1], not {query: {document: score}}"),
    (QRELS, {"q1": [("d1", 1.0)]}, "scores, query 'q1': expected {document: score}, found list [('d1', 1.0)]"),
    (QRELS, {7: {"d1": 1.0}}, "scores: query 7 is int, not text: write '7'"),
    (QRELS, {"q1": {7: 1.0}}, "scores, query 'q1': document 7 is int, not text: write '7'"),
    (QRELS, {"q1": {"d1": "0.5"}}, "scores, query 'q1', document 'd1': score '0.5' is str, not a number"),
    (QRELS, {"q1": {"d1": 1.0, "d2": "high"}}, "scores, query 'q1', document 'd2': score 'high' is str, not a number"),
    (QRELS, {"q1": {"d1": None}}, "scores, query 'q1', document 'd1': score None is NoneType, not a number"),
]


@pytest.mark.parametrize(("qrels", "run", "message"), WRONG)
def test_errors_say_what_and_where(qrels: Any, run: Any, message: str) -> None:
    with pytest.raises((TypeError, AttributeError)):
        original.RelevanceEvaluator(qrels, {"map"}).evaluate(run)
    with pytest.raises(TypeError) as raised:
        evaluate(qrels, run, "map")
    assert str(raised.value) == message
    assert isinstance(raised.value, UsageError)


def test_means_of_anything_that_can_be_listed() -> None:
    values = {"q1": 0.5, "q2": 0.25}
    assert pytrec_eval.compute_aggregated_measure("map", values.values()) == 0.375
    assert pytrec_eval.compute_aggregated_measure("num_ret", iter([1.0, 2.0])) == 3.0
    assert pytrec_eval.compute_aggregated_measure("num_ret", []) == 0.0
    assert np.isnan(pytrec_eval.compute_aggregated_measure("map", []))  # without a warning
    assert np.isnan(pytrec_eval.compute_aggregated_measure("gm_map", []))
