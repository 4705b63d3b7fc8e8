"""The ROC convex hull, and mixtures that reach it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

import cranfield as cf
from cranfield.curves import CoinFlip, OperatingPoint
from cranfield.errors import DataError, ParameterError, UsageError
from tests.curves.material import DOCUMENTS, Case, cases, from_grades

# System A of the notes is better at high thresholds, B at low ones.
QRELS = {"q1": {**{f"r{n}": 1 for n in range(4)}, **{f"n{n}": 0 for n in range(4)}}}
A = ["r0", "r1", "n0", "n1", "n2", "n3", "r2", "r3"]
B = ["n0", "r0", "r1", "r2", "r3", "n1", "n2", "n3"]


def run(*documents: str) -> dict[str, dict[str, float]]:
    return {"q1": {document: -float(rank) for rank, document in enumerate(documents)}}


RUNS = {"A": run(*A), "B": run(*B)}


def test_the_hull_of_two_systems_by_hand() -> None:
    found = cf.curves.hull(QRELS, RUNS)
    # A: two of four relevant ones at once; B: all four after one of four that are not
    assert found.points == (
        OperatingPoint(0, 0, None, 0),
        OperatingPoint(0, 0.5, "A", 2),
        OperatingPoint(0.25, 1, "B", 5),
        OperatingPoint(1, 1, None, None),
    )
    # A triangle is cut off: 1 - (1/4 · 1/2) / 2
    assert found.area == pytest.approx(1 - 1 / 16)
    assert found.curves["A"].area == pytest.approx(0.5)
    assert found.curves["B"].area == pytest.approx(0.75)
    assert found.on_hull == ("A", "B")


@pytest.mark.parametrize("p", [0.0, 0.25, 0.5, 1.0])
def test_the_coin_of_the_notes(p: float) -> None:
    # One of the notes: TP_C = p TP_A + (1 - p) TP_B, FP_C = p FP_A + (1 - p) FP_B
    found = cf.curves.hull(QRELS, RUNS)
    mixture = found.mixture(fpr=(1 - p) * 0.25)
    assert mixture.heads.run == ("A" if p else "B")
    assert [mixture.fpr, mixture.tpr] == pytest.approx([(1 - p) * 0.25, p * 0.5 + (1 - p)])
    assert mixture.probability == pytest.approx(p or 1)


def test_a_point_by_its_true_positive_rate() -> None:
    found = cf.curves.hull(QRELS, RUNS)
    mixture = found.mixture(tpr=0.75)
    assert [mixture.fpr, mixture.probability] == pytest.approx([0.125, 0.5])
    assert found.mixture(tpr=1).fpr == 0.25  # of all that have 1, the lowest
    assert found.mixture(tpr=0).fpr == 0
    assert found.mixture(fpr=0).tpr == 0.5  # of all that have 0, the highest


def test_a_point_by_both_rates() -> None:
    found = cf.curves.hull(QRELS, RUNS)
    assert found.mixture(fpr=0.125, tpr=0.7).tpr == pytest.approx(0.75)
    with pytest.raises(
        UsageError, match=r"no mixture of A, B reaches the true positive rate 0\.8 .* the hull is at \.750"
    ):
        found.mixture(fpr=0.125, tpr=0.8)


def test_sentences() -> None:
    found = cf.curves.hull(QRELS, {**RUNS, "C": run(*reversed(A))}, fpr=[0.125, 0], tpr=0.25)
    assert found.sentences() == [
        "Area under the hull .938; the best single run, B, has .750.",
        "Of no use at any point of the hull: C.",
        "Rates are means over 1 topic, over the judged documents; others are left out.",
        "Average over topics: cutoff (after each number of documents the means of both rates over the topics), so that every "
        "point is a way to run the system, as the hull and mixtures need it. Its area is another than that of the vertical "
        "average, which is the mean of the areas of the topics.",
        "For each topic, with probability .500 return the first 2 of A, otherwise the first 5 of B: expected false positive "
        "rate .125, true positive rate .750.",
        "No coin is needed: return the first 2 of A: expected false positive rate .000, true positive rate .500.",
        "For each topic, with probability .500 return nothing, otherwise the first 2 of A: expected false positive rate "
        ".000, true positive rate .250.",
    ]


@st.composite
def two_runs(draw: st.DrawFn) -> tuple[Case, dict[str, dict[str, float]]]:
    """Judgments, a run, and another one for the same topics."""
    case = draw(cases())
    other = {
        topic: {name: -float(rank) for rank, name in enumerate(draw(st.permutations(DOCUMENTS)))} for topic in case.run
    }
    return case, other


@settings(max_examples=60)
@given(two_runs(), st.floats(0, 1), st.sampled_from([{}, {"documents": 30}]))
def test_the_hull_is_above_every_point_and_every_mixture_of_two(
    material: tuple[Case, dict[str, dict[str, float]]], fpr: float, over: dict[str, Any]
) -> None:
    case, other = material
    runs = {"one": case.run, "other": other}
    try:
        curves = cf.curves.roc(case.qrels, runs, average="cutoff", **over)
    except DataError:
        with pytest.raises(DataError, match="there is no ROC curve"):
            cf.curves.hull(case.qrels, runs, **over)
        return
    found = cf.curves.hull(case.qrels, runs, **over)
    x = np.concatenate([run.average.fpr for run in curves.runs.values()])
    y = np.concatenate([run.average.tpr for run in curves.runs.values()])
    corners = ConvexHull(np.column_stack([[*x, 1.0, 0.0, 1.0], [*y, 0.0, 0.0, 1.0]]), qhull_options="QJ")
    assert found.area == pytest.approx(corners.volume, abs=1e-6)
    # The highest point at this rate that a straight line between any two points reaches
    left, right = np.flatnonzero(x <= fpr), np.flatnonzero(x >= fpr)
    width = x[right][None, :] - x[left][:, None]
    share = np.divide(fpr - x[left][:, None], width, out=np.ones_like(width), where=width > 0)
    best = (y[left][:, None] + share * (y[right][None, :] - y[left][:, None])).max()
    mixture = found.mixture(fpr=fpr)
    assert mixture.fpr == pytest.approx(fpr, abs=1e-9)
    assert mixture.tpr == pytest.approx(best, abs=1e-9)


def test_identical_runs_have_one_hull() -> None:
    case = from_grades([1, 0, 1, 0])
    found = cf.curves.hull(case.qrels, {"a": case.run, "b": case.run})
    assert found.on_hull == ("a",)


def test_topics_that_a_run_lacks() -> None:
    qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1, "d2": 0}}
    whole, part = {t: {"d1": 2.0, "d2": 1.0} for t in qrels}, {"q1": {"d1": 2.0, "d2": 1.0}}
    # As returned nothing: one of two relevant documents after the first rank; or left out
    assert cf.curves.hull(qrels, {"whole": whole, "part": part}).curves["part"].tpr.tolist() == [0, 0.5, 0.5, 1]
    left_out = cf.curves.hull(qrels, {"whole": whole, "part": part}, profile="trec_eval-9")
    assert (left_out.topics, left_out.curves["part"].tpr.tolist()) == (1, [0, 1, 1, 1])


def test_rows_and_json() -> None:
    found = cf.curves.hull(QRELS, RUNS, fpr=0.125)
    assert list(found.rows())[1] == ("A", "all", 2, 0.0, 0.5)
    whole = found.to_dict()
    assert whole["points"][2] == {"fpr": 0.25, "tpr": 1.0, "run": "B", "cutoff": 5}
    assert whole["mixtures"][0]["probability"] == 0.5


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"over": "retrieved"}, UsageError, "every run retrieves other documents"),
        ({"fpr": 1.5}, ParameterError, "fpr must be a number from 0 to 1"),
    ],
)
def test_what_makes_no_sense_is_said(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        cf.curves.hull(QRELS, RUNS, **options)


def test_a_mixture_needs_a_point() -> None:
    with pytest.raises(UsageError, match="say which point of the hull"):
        cf.curves.hull(QRELS, RUNS).mixture()


def test_a_coin_with_one_side() -> None:
    point = OperatingPoint(0.5, 0.5, "A", 3)
    assert CoinFlip(point, point, 0.3).sentence().startswith("No coin is needed: return the first 3 of A")
