"""Gains, the highest grade there can be, and the names of graded measures."""

from __future__ import annotations

import re
from typing import Any

import pytest

import cranfield as cf
from cranfield.errors import DataError, ParameterError
from cranfield.measures import evaluate_one, parse_one

QRELS = {"q1": {"d1": 5, "d2": 1, "d3": 0}}


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("ERR@20", "ERR(gmax=4)@20 needs grades up to 4, the highest here is 5: say gmax=5"),
        ("nERR(gmax=2)", "nERR(gmax=2) needs grades up to 2, the highest here is 5: say gmax=5"),
        ("ERR(gain=linear)", "ERR(gmax=4,gain=linear) needs grades up to 4, the highest here is 5: say gmax=5"),
        (
            "RBP(p=0.5,gain=linear)",
            "RBP(p=0.5,gain=linear) needs grades up to 1, the highest here is 5: say gmax=5",
        ),
        (
            "ERR(gmax=5,gains=1:40)",
            "ERR(gmax=5,gains=1:40) needs gains from 0 to 31, the gain of grade 5; grade 1 has the gain 40",
        ),
        (
            "RBP(gain=linear,gmax=5,gains=0:-1)",
            "RBP(p=0.8,gain=linear,gmax=5,gains=0:-1) needs gains from 0 to 5, the gain of grade 5; "
            "grade 0 has the gain -1",
        ),
    ],
)
def test_a_grade_above_gmax_is_refused_before_a_run_is_read(measure: str, message: str) -> None:
    with pytest.raises(DataError, match=re.escape(f"qrels: {message}")):
        cf.evaluate(QRELS, "there-is-no-such-run.txt", measure)


@pytest.mark.parametrize("measure", ["ERR(gmax=5)", "RBP(gain=exponential,gmax=5)", "RBP", "RBP(gain=topic)"])
def test_gmax_is_not_asked_for_where_it_does_not_matter_or_is_right(measure: str) -> None:
    assert 0 < cf.evaluate(QRELS, {"q1": {"d1": 1.0}}, measure).mean[measure] < 1


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("nDCG(discount=ln)", "nDCG: discount must be one of log1p, log, zipf, none, not 'ln'"),
        ("DCG(base=1)", "DCG: base must be a number from 1.01 to 10^9, not 1"),
        ("nDCG(ideal=all)", "nDCG: ideal must be one of judged, shortened, retrieved, not 'all'"),
        ("ERR(gmax=0)", "ERR: gmax must be a number from 1 to 1000, not 0"),
        ("Q(beta=-1)", "Q: beta must be a number from 0 to 10^9, not -1"),
        ("NCU(gamma=1)", "NCU: gamma must be a number from 0 to below 1, not 1"),
        ("DCG(ideal=judged)", "DCG has no parameter 'ideal'; its parameters: gain, gains, discount, base"),
    ],
)
def test_impossible_parameters(measure: str, message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        parse_one(measure)


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        ("MSnDCG@10", "nDCG@10"),
        ("ndcg_score@10", "nDCG@10"),
        ("dcg_score", "DCG"),
        ("nDCG(base=2,ideal=judged,discount=log)@5", "nDCG(discount=log)@5"),
        ("ERR@20", "ERR(gmax=4)@20"),
        ("expected_reciprocal_rank@10", "ERR(gmax=4)@10"),
        ("Q-measure@10", "Q@10"),
        ("O-measure", "O"),
        ("P-measure", "P_measure"),
        ("P-plus", "P_plus"),
        ("P_plus", "P_plus"),
        ("P+", "P_plus"),
        ("NCU", "NCU(stop=graded-uniform,utility=blended-ratio)"),
        ("RBP@10", "RBP(p=0.8)@10"),
    ],
)
def test_names(spelling: str, canonical: str) -> None:
    assert str(parse_one(spelling)) == canonical
    assert str(parse_one(canonical)) == canonical


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        # s = 1/4, 0, 3/4: a fraction of a grade is between its neighbours, 2^1.5 - 1 = 1.8284
        ("ERR(gmax=2)", 1 / 4 + (3 / 4) * (1.8284 / 4) / 3),
        # linear: s = 1/3, 0, 1.5/3
        ("ERR(gmax=2,gain=linear)", 1 / 3 + (2 / 3) * (1.5 / 3) / 3),
        # At rank 1 (1 + 1)/(1 + 1.5) = .8, at rank 3 (2 + 2.5)/(3 + 2.5) = .8182
        ("Q", (0.8 + 4.5 / 5.5) / 2),
        ("RBP(p=0.5,gain=linear,gmax=2)", 0.5 * (1 / 2 + 0.25 * 1.5 / 2)),
    ],
)
def test_fractions_of_grades(measure: str, expected: float) -> None:
    assert evaluate_one(measure, [1, None, 1.5]) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    "measure", ["nDCG", "nDCG(ideal=retrieved)", "nDCG(ideal=shortened)", "nERR", "Q", "O", "P_plus", "NCU"]
)
@pytest.mark.parametrize(("ranked", "missed"), [([], [1, 2]), ([0, None], [2]), ([0, None], []), ([], [])])
def test_nothing_found_scores_0(measure: str, ranked: list[Any], missed: list[float]) -> None:
    assert evaluate_one(measure, ranked, unretrieved=missed) == 0
