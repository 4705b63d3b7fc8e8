"""The confusion matrix of a run: by hand, and against scikit-learn (version in requirements/test.txt)."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

import cranfield as cf
from cranfield.errors import CoverageError, DataError, ParameterError, UsageError

QRELS = {"q1": {"d1": 1, "d5": 1, "d7": 1}, "q2": {"d1": 1, "d2": 0}}
RUN = {"q1": {"d1": 0.9, "d3": 0.8, "d5": 0.7, "d6": 0.6}, "q2": {"d2": 0.9}}
# By hand, of d1..d8. q1: TP {1, 5}, FP {3, 6}, FN {7}, TN {2, 4, 8}. q2: TP {}, FP {2}, FN {1}, TN {3, ..., 8}.


def test_by_query_and_pooled() -> None:
    result = cf.confusion(QRELS, RUN, documents=8)
    one, two = result.per_query["q1"], result.per_query["q2"]
    assert (one.tp, one.fp, one.fn, one.tn) == (2, 2, 1, 3)
    assert (two.tp, two.fp, two.fn, two.tn) == (0, 1, 1, 6)
    assert result.matrix.counts == ((2, 2), (3, 9))
    assert result.matrix.transposed.counts == ((2, 3), (2, 9))
    assert repr(result.matrix.transposed).splitlines()[:2] == [
        "predicted \\ actual  relevant  not relevant",
        "retrieved                  2             3",
    ]
    assert "<th>predicted \\ actual</th><th>relevant</th>" in result.matrix.transposed._repr_html_()
    assert result.matrix.shares == ((2 / 4, 2 / 4), (3 / 12, 9 / 12))


def test_the_rates_of_the_example_of_the_notes() -> None:
    result = cf.confusion({"q1": QRELS["q1"]}, {"q1": RUN["q1"]}, documents=8)
    assert result.pooled.rates == {
        "precision": 2 / 4,
        "recall": pytest.approx(2 / 3),
        "f": pytest.approx(4 / 7),
        "g": pytest.approx(0.5774, abs=5e-5),
        "jaccard": 0.4,
        "false_negative_rate": pytest.approx(1 / 3),
        "false_positive_rate": 0.4,
        "specificity": 0.6,
        "accuracy": 5 / 8,
        "error_rate": 3 / 8,
    }


def test_macro_micro_and_weighted_averages() -> None:
    averages = cf.confusion(QRELS, RUN).averages
    # By hand: P 2/4 and 0, R 2/3 and 0, F 4/7 and 0; three relevant documents and one. Pooled: TP 2, FP 3, FN 2.
    assert averages["micro"]["precision"] == pytest.approx(2 / 5)
    assert averages["micro"]["recall"] == pytest.approx(2 / 4)
    assert averages["micro"]["f"] == pytest.approx(4 / 9)
    assert averages["macro"]["precision"] == pytest.approx((2 / 4) / 2)
    assert averages["macro"]["recall"] == pytest.approx((2 / 3) / 2)
    assert averages["macro"]["f"] == pytest.approx((4 / 7) / 2)
    assert averages["weighted"]["precision"] == pytest.approx((3 * 2 / 4) / 4)
    assert averages["weighted"]["recall"] == pytest.approx((3 * 2 / 3) / 4)


def test_what_is_unknown_without_the_size_of_the_collection() -> None:
    result = cf.confusion(QRELS, RUN)
    unknown = {name for name, rate in result.pooled.rates.items() if rate is None}
    assert unknown == {"false_positive_rate", "specificity", "accuracy", "error_rate"}
    assert result.matrix.counts == ((2, 2), (3, None))
    assert result.matrix.shares == ((2 / 4, 2 / 4), (None, None))
    assert result.averages["macro"]["accuracy"] is None
    assert result.warnings == []
    assert "?" in repr(result)


def test_at_a_rank_and_at_a_score() -> None:
    at_rank = cf.confusion(QRELS, RUN, cutoff=2)
    assert at_rank.matrix.counts == ((1, 3), (2, None))  # q1: d1 and d3; q2: d2
    at_score = cf.confusion(QRELS, RUN, threshold=0.7)
    assert at_score.matrix.counts == ((2, 2), (2, None))  # q1: d1, d3 and d5, whose score is 0.7; q2: d2
    nothing = cf.confusion(QRELS, RUN, threshold=2, documents=8)
    assert nothing.matrix.counts == ((0, 4), (0, 12))
    assert nothing.pooled.rates["precision"] == 0


def test_a_query_the_run_lacks_is_missed_altogether() -> None:
    result = cf.confusion(QRELS, {"q1": RUN["q1"], "q9": {"d1": 1}}, documents=8)
    two = result.per_query["q2"]
    assert (two.tp, two.fp, two.fn, two.tn) == (0, 0, 1, 7)
    assert list(result.per_query) == ["q1", "q2"]
    assert result.coverage.missing == ("q2",)


def test_the_least_relevant_grade() -> None:
    qrels = {"q": {"a": 2, "b": 1, "c": -1}}
    assert cf.confusion(qrels, {"q": {"a": 1, "b": 2}}, level=2).matrix.counts == ((1, 0), (1, None))
    assert cf.confusion(qrels, {"q": {"a": 1, "b": 2}}, level=2, documents=3).matrix.counts == ((1, 0), (1, 1))


def test_accuracy_comes_with_a_warning() -> None:
    # 1 relevant document in 1000: returning nothing is 99.9 % accurate.
    result = cf.confusion({"q": {"d": 1}}, {"q": {"d": 2, "e": 1}}, documents=1000)
    assert result.warnings == [
        "accuracy 0.999 says little: returning nothing at all would reach 0.999. Look at precision and recall."
    ]


@st.composite
def collections(draw: st.DrawFn) -> tuple[int, dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    size = draw(st.integers(1, 12))
    names = st.sampled_from([f"d{at}" for at in range(size)])
    queries = ["q1", "q2", "q3"][: draw(st.integers(2, 3))]
    qrels = {query: draw(st.dictionaries(names, st.integers(0, 2), min_size=1)) for query in queries}
    scores = st.sampled_from([0.1, 0.2, 0.5, 0.9])
    return size, qrels, {query: draw(st.dictionaries(names, scores, min_size=1)) for query in queries}


@settings(max_examples=60)
@given(case=collections(), threshold=st.sampled_from([0, 0.2, 0.3, 0.9, 1]), beta=st.sampled_from([0.5, 1, 2]))
def test_against_scikit_learn(
    case: tuple[int, dict[str, dict[str, int]], dict[str, dict[str, float]]], threshold: float, beta: float
) -> None:
    size, qrels, run = case
    result = cf.confusion(qrels, run, documents=size, threshold=threshold, beta=beta)
    documents = [f"d{at}" for at in range(size)]
    actual = np.array([[qrels[query].get(document, 0) >= 1 for document in documents] for query in qrels])
    predicted = np.array([[run[query].get(document, -1) >= threshold for document in documents] for query in qrels])
    theirs = metrics.confusion_matrix(actual.ravel(), predicted.ravel(), labels=[True, False])
    assert result.matrix.counts == tuple(map(tuple, theirs.tolist()))
    assert result.pooled.rates["accuracy"] == pytest.approx(metrics.accuracy_score(actual.ravel(), predicted.ravel()))
    # A query is to scikit-learn what a label is in a problem with several labels: documents are the samples.
    for average in ("macro", "micro", "weighted") if actual.any() else ("macro", "micro"):
        *expected, _ = metrics.precision_recall_fscore_support(
            actual.T.astype(int), predicted.T.astype(int), average=average, beta=beta, zero_division=0
        )
        found = [result.averages[average][name] for name in ("precision", "recall", "f")]
        assert found == pytest.approx(expected, abs=1e-9)


@settings(max_examples=40)
@given(case=collections())
def test_thresholds_are_the_scores_of_the_run(
    case: tuple[int, dict[str, dict[str, int]], dict[str, dict[str, float]]],
) -> None:
    size, qrels, run = case
    table = cf.confusion_by_threshold(qrels, run, documents=size)
    scores = sorted({score for ranking in run.values() for score in ranking.values()}, reverse=True)
    assert [step.settings["threshold"] for step in table] == scores
    recalls = [step.pooled.rates["recall"] or 0.0 for step in table]
    assert recalls == sorted(recalls)
    for step in table:
        alone = cf.confusion(qrels, run, documents=size, threshold=step.settings["threshold"])
        assert step.to_dict() == alone.to_dict()
    everything = cf.confusion(qrels, run, documents=size)
    assert table[-1].matrix == everything.matrix


def test_few_thresholds_of_many_scores() -> None:
    run = {"q": {f"d{at}": float(at) for at in range(101)}}
    table = cf.confusion_by_threshold({"q": {"d1": 1}}, run, most=5)
    assert [step.settings["threshold"] for step in table] == [100, 75, 50, 25, 0]


def test_thresholds_given() -> None:
    table = cf.confusion_by_threshold(QRELS, RUN, [0.65, 0.95])
    assert [step.matrix.counts for step in table] == [((2, 2), (2, None)), ((0, 4), (0, None))]
    content = table.to_dict()
    assert (content["schema"], content["of"]) == ("cranfield.confusion/1", "thresholds")
    assert [step["threshold"] for step in content["thresholds"]] == [0.65, 0.95]


def test_as_json_and_in_a_notebook() -> None:
    result = cf.confusion(QRELS, RUN, documents=8)
    content = json.loads(json.dumps(result.to_dict()))
    assert (content["schema"], content["of"], content["run"]) == ("cranfield.confusion/1", "run", "run")
    assert content["matrix"]["counts"] == [[2, 2], [3, 9]]
    assert content["settings"] == {"level": 1, "cutoff": None, "threshold": None, "documents": 8, "beta": 1}
    assert content["per_query"]["q1"]["specificity"] == 0.6
    assert math.isclose(content["averages"]["micro"]["recall"], 2 / 4)
    assert "<td>9</td>" in result._repr_html_()


def test_bad_requests() -> None:
    with pytest.raises(UsageError, match=r"at a rank \(cutoff\) or at a score \(threshold\), not at both"):
        cf.confusion(QRELS, RUN, cutoff=1, threshold=0.5)
    with pytest.raises(ParameterError, match=r"cutoff must be a whole number from 1 to 10\^12, not 0"):
        cf.confusion("not read", "not read", cutoff=0)
    with pytest.raises(ParameterError, match=r"documents must be a whole number from 1 to 10\^12, not -1"):
        cf.confusion(QRELS, RUN, documents=-1)
    with pytest.raises(DataError, match="5 documents are retrieved or judged for query 'q1', but documents"):
        cf.confusion(QRELS, RUN, documents=4)
    with pytest.raises(UsageError, match="no threshold is given"):
        cf.confusion_by_threshold(QRELS, RUN, [])
    with pytest.raises(CoverageError, match="no topic in common"):
        cf.confusion(QRELS, {"other": {"d1": 1.0}})
    with pytest.raises(DataError, match="judged more than once"):
        cf.confusion([("q", "1", "d", 1), ("q", "2", "d", 0)], {"q": {"d": 1.0}})
