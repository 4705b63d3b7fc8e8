"""The values of several runs on the topics they have in common."""

from __future__ import annotations

import math

import pytest

import cranfield as cf
from cranfield.errors import UsageError
from cranfield.evaluation.score_matrix import score_matrices, score_matrix

QRELS = {"q1": {"d1": 1}, "q2": {"d2": 1}, "q3": {"d3": 1}}
FIRST = {"q3": {"d3": 1.0}, "q1": {"d9": 2.0, "d1": 1.0}}
SECOND = {"q1": {"d1": 1.0}, "q2": {"d2": 1.0}}


def test_topics_are_matched_by_name() -> None:
    (found,) = score_matrices(cf.evaluate(QRELS, {"first": FIRST, "second": SECOND}, "RR"))
    assert found.topics == ("q1", "q2", "q3")
    assert found.scores.tolist() == [[0.5, 1.0], [0.0, 1.0], [1.0, 0.0]]  # a missing topic counts 0
    assert found.by_run == {"first": [0.5, 0.0, 1.0], "second": [1.0, 1.0, 0.0]}
    assert found.left_out == ()


def test_topics_that_a_profile_skips_are_left_out_and_said() -> None:
    (found,) = score_matrices(cf.evaluate(QRELS, {"first": FIRST, "second": SECOND}, "RR", profile="trec_eval-9"))
    assert found.topics == ("q1",)
    assert found.scores.tolist() == [[0.5, 1.0]]
    assert set(found.left_out) == {"q2", "q3"}


def test_geometric_means_are_of_logarithms() -> None:
    (found,) = score_matrices(cf.evaluate(QRELS, {"first": FIRST, "second": SECOND}, "GMAP"))
    # AP .5, 0 (taken for 1e-5), 1 and 1, 1, 0
    assert found.scores.ravel() == pytest.approx([math.log(0.5), 0, math.log(1e-5), 0, 0, math.log(1e-5)])


@pytest.mark.parametrize("name", ["NumRel", "RelString"])
def test_measures_without_better_and_worse(name: str) -> None:
    evaluation = cf.evaluate(QRELS, {"first": FIRST, "second": SECOND}, name)
    with pytest.raises(UsageError, match=f"{name}.*: nothing can be said about differences in it"):
        score_matrix(evaluation, evaluation.measures[0])
