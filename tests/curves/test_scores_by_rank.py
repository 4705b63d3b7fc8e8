"""Scores after each number of documents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.curves.every_cutoff import has_form
from cranfield.errors import CoverageError, ParameterError, UsageError
from cranfield.measures import REGISTRY, parse_one
from tests.curves.material import PRINTED, Case, cases, from_grades, labels


def shown(curves: cf.curves.RankCurves, query: str = "q1") -> dict[str, list[float]]:
    (run,) = curves.runs.values()
    return {str(measure): values.tolist() for measure, values in run.of(query).items()}


@pytest.mark.parametrize(("ranking", "recall", "precision"), PRINTED)
def test_precision_and_recall_at_ten_ranks_as_the_notes_print_them(
    ranking: str, recall: list[float], precision: list[float]
) -> None:
    values = shown(cf.curves.by_rank(*from_grades([int(bit) for bit in ranking])))
    # .625 is printed .63
    assert values["P"] == pytest.approx(precision, abs=5.001e-3)
    assert values["R"] == pytest.approx(recall, abs=5e-3)
    f = [2 * p * r / (p + r) if p + r else 0 for p, r in zip(precision, recall, strict=True)]
    assert values["F"] == pytest.approx(f, abs=8e-3)


def test_the_mean_of_the_two_rankings() -> None:
    curves = cf.curves.by_rank(*from_grades(*([int(bit) for bit in ranking] for ranking, _, _ in PRINTED)))
    (run,) = curves.runs.values()
    precision, recall, _ = run.mean.values()
    # By hand, at rank 5: four and two of five found, of six
    assert precision[4] == pytest.approx((4 / 5 + 2 / 5) / 2)
    assert recall[4] == pytest.approx((4 / 6 + 2 / 6) / 2)
    assert curves.cutoffs.tolist() == list(range(1, 11))


def test_f_of_the_notes() -> None:
    # One of the notes: precision .57 at recall .50 has F1 .5327, .40 at 1 has .5714; here as 4 of 7 and 4 of 10.
    values = shown(cf.curves.by_rank(*from_grades([1, 1, 1, 1, 0, 0, 0, 0, 0, 0], unretrieved=4)))
    assert values["F"][6] == pytest.approx(2 * (4 / 7) * 0.5 / (4 / 7 + 0.5))
    assert shown(cf.curves.by_rank(*from_grades([1, 1, 1, 1] + [0] * 6)))["F"][9] == pytest.approx(0.5714, abs=5e-5)


# Discounted gain as printed in the lecture notes, all with log2 of the rank; ideal rankings of what was retrieved.
GAINS = [
    ([3, 2, 3, 0, 1, 2], [3, 5, 6.893, 6.893, 7.323, 8.097], None, 5e-4),
    (
        [4, 3, 4, 2, 0, 0, 0, 1, 1, 0],
        [4.0, 7.0, 9.52, 10.52, 10.52, 10.52, 10.52, 10.86, 11.17, 11.17],
        [1.0, 0.88, 0.96, 0.97, 0.93, 0.90, 0.90, 0.93, 0.95, 0.95],
        6e-3,
    ),
    (
        [3, 2, 3, 0, 0, 1, 2, 2, 3, 0],
        [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61],
        [1, 0.83, 0.87, 0.775, 0.71, 0.69, 0.73, 0.80, 0.88, 0.88],  # .76 is printed at 4; it is 6.893/8.893
        6e-3,
    ),
]


@pytest.mark.parametrize(("grades", "dcg", "ndcg", "tolerance"), GAINS)
def test_gain_by_rank_as_the_notes_print_it(
    grades: list[int], dcg: list[float], ndcg: list[float] | None, tolerance: float
) -> None:
    values = shown(cf.curves.gain(*from_grades(grades), "nDCG(discount=log,ideal=retrieved)"))
    assert values["CG"] == np.cumsum(grades).tolist()
    assert values["DCG(discount=log)"] == pytest.approx(dcg, abs=tolerance)
    if ndcg is not None:
        assert values["nDCG(discount=log,ideal=retrieved)"] == pytest.approx(ndcg, abs=tolerance)


def test_the_ideal_gain_of_the_notes() -> None:
    values = shown(cf.curves.gain(*from_grades(GAINS[1][0]), "nDCG(discount=log)"))
    ideal = [4.0, 8.0, 9.89, 10.89, 11.32, 11.71, 11.71, 11.71, 11.71, 11.71]
    assert values["IdealDCG(discount=log)"] == pytest.approx(ideal, abs=6e-3)
    assert values["IdealDCG(discount=none)"] == np.cumsum(sorted(GAINS[1][0], reverse=True)).tolist()
    # The same for all runs, unless it is of what they retrieved
    assert (
        values["nDCG(discount=log)"]
        == shown(cf.curves.cutoff(*from_grades(GAINS[1][0]), "nDCG(discount=log)"))["nDCG(discount=log)"]
    )


FORMS = [
    "P",
    "P(denominator=retrieved)",
    "P(rel=2)",
    "R",
    "R(judged_only=True)",
    "F",
    "F(beta=2)",
    "F(alpha=0)",
    "F(alpha=1)",
    "Success",
    "RR",
    "RR(rel=2)",
    "AP",
    "AP(denominator=found)",
    "AP(denominator=min-k-R)",
    "Judged",
    "CG",
    "CG(gain=exponential)",
    "DCG",
    "DCG(discount=log)",
    "DCG(discount=log,base=10)",
    "DCG(discount=zipf,gains=1:-1)",
    "IdealDCG",
    "IdealDCG(ideal=retrieved)",
    "nDCG",
    "nDCG(judged_only=True)",
    "nDCG(ideal=shortened)",
    "nDCG(ideal=retrieved,gain=exponential)",
]


def test_every_form_is_put_to_the_test() -> None:
    has = {name for name in REGISTRY if "cutoff" in REGISTRY[name].parameters and has_form(cf.Measure(name))}
    assert has == {parse_one(f"{form}@1").name for form in FORMS}


@settings(max_examples=60)
@given(case=cases(), chosen=st.lists(st.integers(1, 20), min_size=1, unique=True), level=st.sampled_from([1, 2]))
def test_all_cutoffs_at_once_are_what_evaluate_gives(case: Case, chosen: list[int], level: int) -> None:
    curves = cf.curves.cutoff(*case, FORMS, cutoffs=chosen, level=level)
    (run,) = curves.runs.values()
    evaluator = cf.Evaluator(case.qrels, [f"{form}@{k}" for form in FORMS for k in chosen], level=level)
    result = evaluator(case.run)
    for measure in curves.measures:
        at_each = [evaluator.adapt(measure @ k) for k in sorted(chosen)]
        expected = np.column_stack([result.columns[one] for one in at_each])
        assert run.scores[measure] == pytest.approx(expected, abs=1e-12), measure
        assert run.mean[measure] == pytest.approx(np.array([result.mean[str(one)] for one in at_each]), abs=1e-12), (
            measure
        )


@settings(max_examples=50)
@given(cases())
def test_precision_and_recall_are_what_scikit_learn_gives(case: Case) -> None:
    curves = cf.curves.by_rank(*case)
    (run,) = curves.runs.values()
    for topic in case.run:
        of = labels(case, topic, over="retrieved")
        missed = sum(grade >= 1 for name, grade in case.qrels[topic].items() if name not in case.run[topic])
        precision, recall, f = (values[: len(of.score)] for values in run.of(topic).values())
        if not of.relevant.any():
            assert not precision.any()
            assert not recall.any()
            continue
        theirs, their_recall, _ = sklearn.metrics.precision_recall_curve(of.relevant, of.score)
        share = of.relevant.sum() / (of.relevant.sum() + missed)  # scikit-learn knows nothing of what is not retrieved
        assert precision == pytest.approx(theirs[:-1][::-1], abs=1e-12)
        assert recall == pytest.approx(share * their_recall[:-1][::-1], abs=1e-12)
        with np.errstate(invalid="ignore"):
            expected = np.nan_to_num(2 * precision * recall / (precision + recall))
        assert f == pytest.approx(expected, abs=1e-12)


def test_measures_without_a_form_are_evaluated_one_by_one() -> None:
    case = from_grades([1, 0, 2, 0, 1], [0, 0, 1, 1, 0])
    curves = cf.curves.cutoff(*case, ["INST(T=2)", "P"])
    assert curves.cutoffs.tolist() == [1, 2, 3, 4, 5]  # milestones, to the end of the longest list
    (run,) = curves.runs.values()
    result = cf.evaluate(*case, ["INST(T=2)@3", "P@3"])
    assert [run.mean[measure][2] for measure in curves.measures] == pytest.approx(list(result.mean.values()))


def test_a_profile_with_rules_of_its_own_is_evaluated_by_these() -> None:
    case = from_grades([1, 0, 2, 0, 1])
    curves = cf.curves.cutoff(*case, "P", profile="beir", cutoffs=[2, 4])
    (run,) = curves.runs.values()
    assert run.mean[curves.measures[0]].tolist() == [0.5, 0.5]
    with pytest.raises(UsageError, match="BEIR has no F"):
        cf.curves.by_rank(*case, profile="beir")


def test_bands() -> None:
    # d1 and d2 share a score: either may come first. d3 is not judged, and may be relevant.
    case = Case({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d1": 2.0, "d2": 2.0, "d3": 1.0}})
    curves = cf.curves.cutoff(*case, "P", cutoffs=[1, 2, 3], bands=["ties", "unjudged"])
    (run,) = curves.runs.values()
    bands = run.bands[curves.measures[0]]
    assert (bands["ties"].lower.tolist(), bands["ties"].upper.tolist()) == (
        [0, 0.5, pytest.approx(1 / 3)],
        [1, 0.5, pytest.approx(1 / 3)],
    )
    assert bands["unjudged"].upper.tolist() == [0, 0.5, pytest.approx(2 / 3)]
    assert curves.columns[-4:] == ("ties_lower", "ties_upper", "unjudged_lower", "unjudged_upper")
    assert [row[5:7] for row in curves.rows()] == [(0, 1), (0.5, 0.5), (pytest.approx(1 / 3), pytest.approx(1 / 3))]
    assert "Band ties: the value, whatever order tied documents had." in curves.sentences()


def test_a_measure_without_bounds_says_why_it_has_no_band() -> None:
    curves = cf.curves.cutoff(*from_grades([1, 0, 1]), "Judged", bands="unjudged")
    assert curves.bands == ()
    assert curves.sentences()[-1].startswith("Judged@1 has no band of unjudged documents")


def test_who_is_above_whom_and_where_f_is_highest() -> None:
    case = from_grades([1, 0, 0, 1])
    other = {"q1": {"d001": 4.0, "d000": 3.0, "d003": 2.0, "d002": 1.0}}
    curves = cf.curves.by_rank(case.qrels, {"a": case.run, "b": other})
    # Relevant at 1 and 4, against 2 and 3
    assert curves.sentences() == [
        "P: a is above b at rank 1, b is above a at rank 3; they are equal at rank 2, 4.",
        "R: a is above b at rank 1, b is above a at rank 3; they are equal at rank 2, 4.",
        "F is highest for a at rank 1 (.667), b at rank 3 (.800).",
        "F: a is above b at rank 1, b is above a at rank 3; they are equal at rank 2, 4.",
    ]


def test_rows_and_json() -> None:
    curves = cf.curves.by_rank(*from_grades([1, 0], [0, 1]), cutoffs=[1, 2])
    assert curves.columns == ("run", "query", "measure", "cutoff", "value")
    assert list(curves.rows())[:2] == [("run", "all", "P", 1, 0.5), ("run", "all", "P", 2, 0.5)]
    assert ("run", "q2", "R", 1, 0.0) in list(curves.rows(by_topic=True))
    whole = curves.to_dict(by_topic=True)
    assert (whole["schema"], whole["kind"]) == ("cranfield.curve/1", "by-rank")
    assert whole["runs"][0]["mean"]["P"] == [0.5, 0.5]
    assert whole["runs"][0]["per_query"]["q1"]["R"] == [1.0, 1.0]
    assert "per_query" not in curves.to_dict()["runs"][0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda c: cf.curves.cutoff(c.qrels, c.run, "IPrec@0.1"), "IPrec has no cutoff"),
        (lambda c: cf.curves.cutoff(c.qrels, c.run, []), "no measure is named"),
        (lambda c: cf.curves.cutoff(c.qrels, c.run, "RelString"), "RelString is text and has no curve|no cutoff"),
        (lambda c: cf.curves.cutoff(c.qrels, c.run, cutoffs=[]), "no cutoff is given"),
        (
            lambda c: cf.curves.cutoff(c.qrels, c.run, bands="width"),
            "there is no band 'width'; there are ties, unjudged",
        ),
        (lambda c: cf.curves.gain(c.qrels, c.run, "AP"), "gain curves are those of nDCG"),
        (lambda c: cf.curves.by_rank(c.qrels, []), "there is no run"),
    ],
)
def test_what_makes_no_sense_is_said(call: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        call(from_grades([1, 0]))


def test_impossible_cutoffs() -> None:
    with pytest.raises(ParameterError, match="a cutoff must be a whole number"):
        cf.curves.by_rank(*from_grades([1]), cutoffs=[0])


def test_small_and_odd_input() -> None:
    # One relevant document; nothing relevant retrieved; a topic that the run lacks; one without relevant documents
    qrels = {"one": {"d1": 1}, "none": {"d2": 1}, "lacking": {"d3": 1}, "without": {"d4": 0}}
    run = {"one": {"d1": 1.0}, "none": {"x": 1.0}, "without": {"d4": 1.0}}
    curves = cf.curves.by_rank(qrels, run)
    (found,) = curves.runs.values()
    assert found.mean[curves.measures[1]].tolist() == [0.25]
    assert "lacking: scored 0" in curves.about.notes()[0]
    with pytest.raises(CoverageError, match="no topic in common"):
        cf.curves.by_rank(qrels, {"other": {"d1": 1.0}})


def test_topics_left_out_by_the_profile() -> None:
    qrels, run = {"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": {"d1": 1.0}}
    curves = cf.curves.by_rank(qrels, run, profile="trec_eval-9")
    (found,) = curves.runs.values()
    assert (found.queries, found.mean[curves.measures[0]].tolist()) == (("q1",), [1.0])
    with pytest.raises(CoverageError, match="no documents for 1 of 2 judged topics"):
        cf.curves.by_rank(qrels, run, profile="trec_eval-10")
    complete = cf.curves.by_rank(qrels, run, profile="trec_eval-10", complete=True)
    assert complete["run"].mean[complete.measures[0]].tolist() == [0.5]
