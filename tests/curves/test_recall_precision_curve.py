"""Recall-precision curves, raw, interpolated and averaged."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import DataError, ParameterError, UsageError
from tests.curves.material import PRINTED, Case, cases, from_grades, labels

RANKINGS = [[int(bit) for bit in ranking] for ranking, _, _ in PRINTED]
# By hand, of the two rankings of the notes. Precision at the relevant documents of the first: 1, 2/3, 3/4, 4/5, 5/6, 6/10;
# of the second: 1/2, 2/5, 3/6, 4/7, 5/9, 6/10, so that the last is the best at every recall.
INTERPOLATED = ([1.0] * 2 + [5 / 6] * 7 + [0.6] * 2, [0.6] * 11)


@pytest.mark.parametrize(("ranking", "expected"), list(zip(RANKINGS, INTERPOLATED, strict=True)))
def test_interpolation_of_the_rankings_of_the_notes(ranking: list[int], expected: list[float]) -> None:
    curve = cf.curves.recall_precision(*from_grades(ranking))["run"]
    assert curve.mean == pytest.approx(np.array(expected))


def test_eleven_point_means_of_the_rankings_of_the_notes() -> None:
    curve = cf.curves.recall_precision(*from_grades(*RANKINGS))["run"]
    # Worked out from the notes' rankings: 11-point means .8212 and .6000, R-precision 5/6 and 1/2
    assert curve.interpolated.mean(axis=1) == pytest.approx([0.8212, 0.6], abs=5e-5)
    assert curve.mean == pytest.approx((np.array(INTERPOLATED[0]) + INTERPOLATED[1]) / 2)
    assert curve.break_even == pytest.approx([5 / 6, 1 / 2])
    assert curve.mean_break_even == pytest.approx(2 / 3)


@pytest.mark.parametrize(("ranking", "recall", "precision"), PRINTED)
def test_the_raw_curve_is_the_table_of_the_notes(ranking: str, recall: list[float], precision: list[float]) -> None:
    raw = cf.curves.recall_precision(*from_grades([int(bit) for bit in ranking]))["run"].raw("q1")
    assert raw.rank.tolist() == list(range(1, 11))
    assert raw.recall == pytest.approx(recall, abs=5e-3)
    assert raw.precision == pytest.approx(precision, abs=5.001e-3)


def test_steps_are_the_interpolated_curve_itself() -> None:
    steps = cf.curves.recall_precision(*from_grades(RANKINGS[0]))["run"].steps("q1")
    assert steps.recall == pytest.approx(np.arange(1, 7) / 6)
    assert steps.precision == pytest.approx([1] + [5 / 6] * 4 + [0.6])


@settings(max_examples=50)
@given(cases(), st.lists(st.sampled_from([0, 0.1, 0.2, 0.25, 1 / 3, 0.5, 0.75, 0.9, 1]), min_size=1))
def test_curves_are_what_scikit_learn_gives(case: Case, levels: list[float]) -> None:
    if not any(grade for judged in case.qrels.values() for grade in judged.values()):
        with pytest.raises(DataError, match="no topic has a relevant document"):
            cf.curves.recall_precision(*case)
        return
    curves = cf.curves.recall_precision(*case, levels=levels)
    curve = curves["run"]
    for topic, values in zip(curve.queries, curve.interpolated, strict=True):
        relevant = sum(grade >= 1 for grade in case.qrels[topic].values())
        of = labels(case, topic, over="retrieved")
        if not of.relevant.any():
            assert not values.any()
            continue
        precision, recall, _ = sklearn.metrics.precision_recall_curve(of.relevant, of.score)
        # scikit-learn knows nothing of what is not retrieved, and adds a point of precision 1 at recall 0
        precision, recall = precision[:-1], recall[:-1] * of.relevant.sum() / relevant
        expected = [max(precision[recall >= level - 1e-9], default=0) for level in curves.levels]
        assert values == pytest.approx(expected)
        raw = curve.raw(topic)
        assert raw.precision == pytest.approx(precision[::-1])
        assert raw.recall == pytest.approx(recall[::-1])
    assert curve.mean == pytest.approx(curve.interpolated.mean(axis=0))


@settings(max_examples=50)
@given(cases())
def test_values_are_those_of_the_measure(case: Case) -> None:
    if not any(grade >= 2 for judged in case.qrels.values() for grade in judged.values()):
        return
    curve = cf.curves.recall_precision(*case, level=2, depth=5)["run"]
    result = cf.evaluate(*case, ["IPrec", "BreakEven"], level=2, depth=5)
    *levels, break_even = result.mean.values()
    assert curve.mean == pytest.approx(levels)
    assert curve.mean_break_even == pytest.approx(break_even)


@pytest.mark.real_data
@pytest.mark.parametrize("profile", ["cranfield", "trec_eval-9", "trec_eval-10"])
def test_levels_are_rounded_as_the_profile_rounds_them(real_data: Path, profile: str) -> None:
    qrels, run = real_data / "trec_eval_test/qrels.test", real_data / "trec_eval_test/results.test"
    (curve,) = cf.curves.recall_precision(qrels, run, profile=profile, complete=True).runs.values()
    result = cf.evaluate(qrels, run, "IPrec", profile=profile, complete=True)
    assert curve.mean == pytest.approx(list(result.mean.values()))


def test_dominance_as_in_the_figure_of_the_notes() -> None:
    # One of the notes: A worse than B if recall is important; A always better than C, it dominates at all recall levels
    a, b, c = "1110000001", "0101111100", "0110000001"
    relevant = 6
    qrels = {"q1": {f"d{n}": 1 for n in range(relevant)}}

    def run(bits: str) -> dict[str, dict[str, float]]:
        names = iter(f"d{n}" for n in range(relevant))
        documents = [next(names) if bit == "1" else f"x{rank}" for rank, bit in enumerate(bits)]
        return {"q1": {document: -float(rank) for rank, document in enumerate(documents)}}

    curves = cf.curves.recall_precision(qrels, {"A": run(a), "B": run(b), "C": run(c)})
    # By hand: A has 1 to recall 3/6 and 4/10 to 4/6; B 6/8 to its end at 6/6; C 2/3 to 2/6 and 3/10 to 3/6
    assert curves["A"].mean == pytest.approx([1] * 6 + [0.4] + [0] * 4)
    assert curves["B"].mean == pytest.approx([0.75] * 11)
    assert curves["C"].mean == pytest.approx([2 / 3] * 4 + [0.3] * 2 + [0] * 5)
    assert curves.dominance["A", "C"].dominant == "A"
    assert curves.dominance["A", "B"].dominant is None
    assert curves.dominance.undominated == ("A", "B")
    assert curves.sentences()[:3] == [
        "A is above B at recall 0 to 0.5, B is above A at recall 0.6 to 1.",
        "A dominates C: it is above it at recall 0 to 0.6, and never below; they are equal at recall 0.7 to 1.",
        "B dominates C: it is above it at all 11 recall levels.",
    ]


def test_identical_runs_and_a_single_topic() -> None:
    case = from_grades([1, 0, 1])
    curves = cf.curves.recall_precision(case.qrels, {"a": case.run, "b": case.run})
    assert curves.sentences()[0] == "a and b are equal at all 11 recall levels."
    assert curves["a"].queries == ("q1",)


def test_small_and_odd_input() -> None:
    # One relevant document; nothing relevant retrieved; a topic that the run lacks; one without relevant documents
    qrels = {"one": {"d1": 1}, "none": {"d2": 1}, "lacking": {"d3": 1}, "without": {"d4": 0}}
    curves = cf.curves.recall_precision(qrels, {"one": {"d1": 1.0}, "none": {"x": 1.0}, "without": {"d4": 1.0}})
    assert curves["run"].mean == pytest.approx([0.25] * 11)
    assert curves.sentences()[-1] == "1 topic has no relevant document, and counts 0 at every recall level."
    assert len(curves["run"].raw("lacking").rank) == len(curves["run"].steps("none").recall) == 0
    with pytest.raises(DataError, match=r"no topic has a relevant document \(a grade of at least 2\)"):
        cf.curves.recall_precision(qrels, {"one": {"d1": 1.0}}, level=2)


def test_bands() -> None:
    # A tie between a relevant document and another; one that is not judged, and might be relevant
    case = Case({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d1": 2.0, "d2": 2.0, "d3": 1.0}})
    curves = cf.curves.recall_precision(*case, levels=[0, 1], bands=["ties", "unjudged"])
    bands = curves["run"].bands
    assert (bands["ties"].lower.tolist(), bands["ties"].upper.tolist()) == ([0.5, 0.5], [1, 1])
    # d2 stands first: 1 of 2, or if d3 is relevant too, 2 of 3 at every recall
    assert bands["unjudged"].upper == pytest.approx([2 / 3, 2 / 3])
    assert curves.columns[4:] == ("ties_lower", "ties_upper", "unjudged_lower", "unjudged_upper")
    assert next(curves.rows())[4:6] == (0.5, 1.0)


def test_bands_of_a_run_that_can_be_read_once() -> None:
    run = io.StringIO("q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 2.0 t\n")
    curves = cf.curves.recall_precision({"q1": {"d1": 1}}, run, levels=[0], bands="ties")
    assert next(iter(curves.runs.values())).bands["ties"].upper.tolist() == [1]


def test_rows_and_json() -> None:
    curves = cf.curves.recall_precision(*from_grades([1, 0, 1]), levels=[1, 0.5, 1])
    assert list(curves.rows()) == [("run", "all", 0.5, 1.0), ("run", "all", 1.0, pytest.approx(2 / 3))]
    assert next(curves.rows(by_topic=True)) == ("run", "q1", 0.5, 1.0)
    assert list(curves.raw_rows())[1] == ("run", "q1", 2, 0.5, 0.5)
    whole = curves.to_dict(by_topic=True)
    assert whole["runs"][0]["per_query"]["q1"]["raw"]["recall"] == [0.5, 0.5, 1.0]
    assert (whole["undominated"], whole["dominance"]) == (["run"], [])


def test_what_makes_no_sense_is_said() -> None:
    case = from_grades([1, 0])
    with pytest.raises(ParameterError, match="recall levels must be numbers from 0 to 1"):
        cf.curves.recall_precision(*case, levels=[2])
    with pytest.raises(UsageError, match="ir_measures has no BreakEven"):
        cf.curves.recall_precision(*case, profile="ir_measures")
