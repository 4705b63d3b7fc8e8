"""Set measures over thresholds of the score."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import ParameterError, UsageError
from tests.curves.material import Case, cases, labels


@settings(max_examples=50)
@given(cases(tied=True), st.sampled_from([0, 1, 2]))
def test_rates_are_what_the_confusion_matrix_gives(case: Case, beta: float) -> None:
    curve = cf.curves.thresholds(*case, beta=beta)["run"]
    steps = cf.confusion_by_threshold(*case, most=100, beta=beta)
    assert curve.thresholds.tolist() == [step.settings["threshold"] for step in steps]
    for at, step in enumerate(steps):
        pooled = step.pooled
        assert (curve.true_positives[at], curve.false_positives[at]) == (pooled.tp, pooled.fp)
        for how in ("micro", "macro"):
            for name in ("precision", "recall", "f"):
                assert curve.values[f"{how}_{name}"][at] == pytest.approx(step.averages[how][name], abs=1e-12)


@settings(max_examples=50)
@given(cases(tied=True))
def test_micro_averages_are_what_scikit_learn_gives(case: Case) -> None:
    curve = cf.curves.thresholds(*case)["run"]
    every = [labels(case, topic, over="retrieved") for topic in case.run]
    relevant, score = np.concatenate([one.relevant for one in every]), np.concatenate([one.score for one in every])
    total = sum(grade >= 1 for judged in case.qrels.values() for grade in judged.values())
    if not relevant.any():
        assert not curve.micro_precision.any()
        return
    precision, recall, scores = sklearn.metrics.precision_recall_curve(relevant, score)
    assert curve.thresholds == pytest.approx(scores[::-1])
    assert curve.micro_precision == pytest.approx(precision[:-1][::-1])
    assert curve.micro_recall == pytest.approx(recall[:-1][::-1] * relevant.sum() / total)


@settings(max_examples=50)
@given(cases(tied=True))
def test_the_roc_curve_of_all_topics_pooled(case: Case) -> None:
    curve = cf.curves.thresholds(*case)["run"]
    every = [labels(case, topic, over="judged") for topic in case.qrels]
    relevant, score = np.concatenate([one.relevant for one in every]), np.concatenate([one.score for one in every])
    if relevant.all() or not relevant.any():
        assert curve.roc is None
    else:
        assert curve.roc is not None
        assert curve.roc.area == pytest.approx(sklearn.metrics.roc_auc_score(relevant, score))


def test_the_systems_of_the_notes_may_be_one_at_two_thresholds() -> None:
    # One of the notes: recall .50 with precision .57, and recall 1 with .40, could be the same system. Eight relevant
    # documents, four of them in the first seven and all in the first twenty.
    relevant = {f"r{n}": 1 for n in range(8)}
    order = ["r0", "r1", "r2", "r3", "x0", "x1", "x2", *(f"y{n}" for n in range(9)), "r4", "r5", "r6", "r7"]
    run = {name: 20.0 - rank for rank, name in enumerate(order)}
    curve = cf.curves.thresholds({"q": relevant}, {"q": run}, [14, 1])
    high, low = list(curve.rows())
    assert list(high[6:8]) == pytest.approx([0.57, 0.5], abs=5e-3)
    assert low[6:8] == (0.4, 1.0)
    assert [high[8], low[8]] == pytest.approx([0.5333, 0.5714], abs=5e-5)  # the notes round .57 first and get .5327


def test_which_thresholds_are_shown() -> None:
    run = {"q": {f"d{n}": float(n) for n in range(10)}}
    curves = cf.curves.thresholds({"q": {"d9": 1}}, run, most=3)
    assert [row[2] for row in curves.rows()] == [9, 5, 0]
    named = cf.curves.thresholds({"q": {"d9": 1}}, run, [100, 8.5, -3])
    assert [row[2:6] for row in named.rows()] == [(100, 0, 0, 1), (8.5, 1, 0, 0), (-3, 1, 9, 0)]
    assert len(list(cf.curves.thresholds({"q": {"d9": 1}}, run).rows())) == 10
    assert "scores mean the same for every topic" in curves.sentences()[-1]
    assert curves.sentences()[0] == "The mean of F1 over topics is highest for run at 9 (1.000)."
    assert curves.to_dict()["runs"][0]["threshold"] == [9, 5, 0]


@pytest.mark.parametrize(
    ("options", "found"),
    # q2 is missing: it counts, or is left out. With -M 1 only the best document; with -J only judged ones.
    [({}, (2, 2)), ({"profile": "trec_eval-9"}, (2, 1)), ({"depth": 1}, (1, 2)), ({"judged_only": True}, (1, 2))],
)
def test_options(options: dict[str, Any], found: tuple[int, int]) -> None:
    qrels, run = {"q1": {"d1": 1}, "q2": {"d1": 1}}, {"q1": {"d1": 2.0, "x": 1.0}, "other": {"d1": 9.0}}
    curve = cf.curves.thresholds(qrels, run, **options)["run"]
    assert (len(curve.thresholds), curve.relevant) == found
    assert curve.macro_recall[0] == pytest.approx(1 / found[1])


def test_scores_that_are_one_as_32_bit_floats() -> None:
    run = {"q": {"d1": 100.00000001, "d2": 100.0}}
    assert len(cf.curves.thresholds({"q": {"d1": 1}}, run)["run"].thresholds) == 2
    assert len(cf.curves.thresholds({"q": {"d1": 1}}, run, profile="trec_eval-9")["run"].thresholds) == 1


def test_what_makes_no_sense_is_said() -> None:
    with pytest.raises(UsageError, match="no threshold is given"):
        cf.curves.thresholds({"q": {"d": 1}}, {"q": {"d": 1.0}}, [])
    with pytest.raises(ParameterError, match="a threshold must be a number"):
        cf.curves.thresholds({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["high"])  # type: ignore[list-item]
