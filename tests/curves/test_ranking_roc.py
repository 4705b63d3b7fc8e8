"""ROC curves of rankings."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.curves.ranking_roc import readable_levels
from cranfield.curves.roc_averages import AVERAGES
from cranfield.errors import DataError, ParameterError, UsageError
from tests.curves.material import PRINTED, Case, cases, from_grades, labels, ranked

COLLECTION = 30
OVER: list[dict[str, Any]] = [{}, {"over": "retrieved"}, {"documents": COLLECTION}]


def of_topics(case: Case, **over: Any) -> dict[str, tuple[Any, Any]]:
    """By topic what scikit-learn gives, where it has a curve."""
    kind = "collection" if "documents" in over else over.get("over", "judged")
    found = {}
    for topic in sorted(case.qrels):
        of = labels(case, topic, over=kind, documents=over.get("documents"))
        if of.relevant.any() and not of.relevant.all():
            fpr, tpr, _ = sklearn.metrics.roc_curve(of.relevant, of.score, drop_intermediate=False)
            found[topic] = (fpr, tpr)
    return found


def height(fpr: npt.NDArray[np.float64], tpr: npt.NDArray[np.float64], at: float) -> float:
    """The highest point of a curve above a false positive rate."""
    candidates = [y for x, y in zip(fpr, tpr, strict=True) if x == at]
    for x0, y0, x1, y1 in zip(fpr, tpr, fpr[1:], tpr[1:], strict=False):
        if x0 < at < x1:
            candidates.append(y0 + (y1 - y0) * (at - x0) / (x1 - x0))
    return float(max(candidates))


@pytest.mark.parametrize("over", OVER)
@settings(max_examples=50)
@given(case=cases())
def test_curves_are_what_scikit_learn_gives(over: dict[str, Any], case: Case) -> None:
    expected = of_topics(case, **over)
    if not expected:
        with pytest.raises(DataError, match="there is no ROC curve"):
            cf.curves.roc(*case, **over)
        return
    curve = cf.curves.roc(*case, **over)["run"]
    assert curve.queries == tuple(expected)
    for at, (topic, (fpr, tpr)) in enumerate(expected.items()):
        ours = curve.of(topic)
        corners = {(round(x, 9), round(y, 9)) for x, y in zip(fpr, tpr, strict=True)}
        assert {(round(x, 9), round(y, 9)) for x, y in zip(ours.fpr, ours.tpr, strict=True)} <= corners
        grid = np.unique([*fpr, *np.linspace(0, 1, 7)])
        assert ours.at(grid) == pytest.approx([height(fpr, tpr, x) for x in grid])
        assert [ours.area, curve.auc[at]] == pytest.approx([sklearn.metrics.auc(fpr, tpr)] * 2)
        # The share returned of the one equals the share missed of the other where both rates add up to 1
        crossing = float(np.interp(0, fpr + tpr - 1, fpr))
        assert [ours.equal_error_rate, curve.eer[at]] == pytest.approx([crossing] * 2)


@pytest.mark.parametrize("over", OVER)
@settings(max_examples=50)
@given(case=cases())
def test_the_vertical_average_is_the_mean_at_every_rate(over: dict[str, Any], case: Case) -> None:
    expected = of_topics(case, **over)
    if not expected:
        return
    curve = cf.curves.roc(*case, **over)["run"]
    grid = np.unique([*np.linspace(0, 1, 9), *(x for fpr, _ in expected.values() for x in fpr)])
    means = [np.mean([height(fpr, tpr, x) for fpr, tpr in expected.values()]) for x in grid]
    assert curve.average.at(grid) == pytest.approx(means)
    assert curve.area == pytest.approx(np.mean([sklearn.metrics.auc(*points) for points in expected.values()]))
    assert (np.diff(curve.average.fpr) >= 0).all()
    assert (np.diff(curve.average.tpr) >= 0).all()
    assert (curve.average.fpr[0], curve.average.fpr[-1], curve.average.tpr[-1]) == (0, 1, 1)


@pytest.mark.parametrize("over", OVER)
@settings(max_examples=50)
@given(case=cases())
def test_the_average_by_cutoff_has_the_means_of_both_rates(over: dict[str, Any], case: Case) -> None:
    expected = of_topics(case, **over)
    if not expected:
        return
    kind = "collection" if "documents" in over else over.get("over", "judged")
    curve = cf.curves.roc(*case, **over, average="cutoff")["run"].average
    deepest = max(len(case.run.get(topic, {})) for topic in expected)
    rates = np.zeros((deepest + 1, 2))
    for topic in expected:
        of = labels(case, topic, over=kind, documents=over.get("documents"))
        relevant, others = of.relevant.sum(), (~of.relevant).sum()
        for k in range(deepest + 1):
            top = ranked(case.run.get(topic, {}))[:k]
            found = sum(case.qrels[topic].get(name, 0) >= 1 for name in top)
            wrong = sum(kind != "judged" or name in case.qrels[topic] for name in top) - found
            rates[k] += (wrong / others, found / relevant)
    rates /= len(expected)
    assert curve.fpr == pytest.approx([*rates[:, 0], 1])
    assert curve.tpr == pytest.approx([*rates[:, 1], 1])


@pytest.mark.parametrize("over", OVER)
@settings(max_examples=50)
@given(case=cases(tied=True))
def test_the_average_by_score_is_one_list_of_all_topics(over: dict[str, Any], case: Case) -> None:
    topics = of_topics(case, **over)
    if not topics:
        return
    kind = "collection" if "documents" in over else over.get("over", "judged")
    every = [labels(case, topic, over=kind, documents=over.get("documents")) for topic in topics]
    relevant, score = np.concatenate([one.relevant for one in every]), np.concatenate([one.score for one in every])
    fpr, tpr, _ = sklearn.metrics.roc_curve(relevant, score, drop_intermediate=False)
    curve = cf.curves.roc(*case, **over, average="score")["run"].average
    assert curve.at(fpr) == pytest.approx([height(fpr, tpr, x) for x in fpr])
    assert curve.area == pytest.approx(sklearn.metrics.roc_auc_score(relevant, score))


def test_the_curve_of_a_ranking_of_the_notes() -> None:
    # 1011110001 by hand: of four non-relevant documents 0, 1, 1, 1, 1 and 4 stand above the six relevant ones
    curve = cf.curves.roc(*from_grades([int(bit) for bit in PRINTED[0][0]]))["run"]
    assert curve.of("q1").fpr.tolist() == [0, 0, 0.25, 0.25, 0.25, 0.25, 0.25, 1, 1]
    assert curve.of("q1").tpr == pytest.approx(np.array([0, 1, 1, 2, 3, 4, 5, 5, 6]) / 6)
    # 24 pairs: below the relevant ones stand 4 + 3 + 3 + 3 + 3 + 0
    assert curve.area == pytest.approx(16 / 24)
    assert curve.band == "poor"
    # On the vertical line at 1/4 the curve passes 1 - 1/4
    assert curve.equal_error_rate == 0.25


def test_the_set_of_the_notes_is_a_point_of_the_curve() -> None:
    # D = d1..d8, relevant 1, 5, 7, returned 1, 3, 5, 6: false positive rate .4, true positive rate 2/3
    relevant, returned = {"d1": 1, "d5": 1, "d7": 1}, {"d1": 4, "d3": 3, "d5": 2, "d6": 1}
    curve = cf.curves.roc({"q": relevant}, {"q": returned}, documents=8)["run"].of("q")
    assert (0.4, pytest.approx(2 / 3)) == (curve.fpr[-2], curve.tpr[-2])


@pytest.mark.parametrize(
    ("area", "word"),
    # As one of the notes has it: 0.9+ excellent, 0.8+ good, 0.7+ fair, 0.6+ poor, below that fail
    [(1, "excellent"), (0.9, "excellent"), (0.89, "good"), (0.8, "good"), (0.7, "fair"), (0.6, "poor"), (0.59, "fail")],
)
def test_areas_in_words(area: float, word: str) -> None:
    assert cf.curves.auc_band(area) == word


def test_chance_is_the_diagonal() -> None:
    # A topic that the run lacks is all one tie
    qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1, "d2": 0}}
    curve = cf.curves.roc(qrels, {"q1": {"d1": 2.0, "d2": 1.0}})["run"]
    assert (curve.of("q2").fpr.tolist(), curve.of("q2").tpr.tolist()) == ([0, 1], [0, 1])
    assert curve.auc.tolist() == [1, 0.5]


def test_topics_without_a_curve_are_left_out_and_named() -> None:
    qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}, "q3": {"d1": 0}}
    run = {topic: {"d1": 2.0, "d2": 1.0} for topic in qrels}
    curves = cf.curves.roc(qrels, run)
    assert (curves["run"].queries, curves["run"].without) == (("q1",), ("q2", "q3"))
    assert curves.sentences() == [
        "run: AUC 1.000 (excellent), equal error rate .000.",
        "Rates are over the judged documents; others are left out.",
        "Average over topics: vertical (at each false positive rate the mean of the true positive rates of the topics), so "
        "that its area is the mean of the areas of the topics. The hull and mixtures need the cutoff average, whose area is "
        "another.",
        "No curve for lack of either relevant or non-relevant documents: 2 topics (q2, q3). The average is over the others.",
    ]
    with pytest.raises(DataError, match="topic 'q2' has no ROC curve: it has no judged document that is not relevant"):
        curves["run"].of("q2")


@pytest.mark.parametrize(
    ("qrels", "message"),
    [
        ({"q": {"d1": 1}}, r"of no topic are non-relevant ones\. Say how large the collection is \(-N, documents=\)"),
        ({"q": {"d1": 0}}, "of no topic are relevant ones"),
    ],
)
def test_why_there_is_no_curve(qrels: dict[str, dict[str, int]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        cf.curves.roc(qrels, {"q": {"d1": 1.0}})


def test_only_relevant_judgments_are_enough_where_the_collection_is_known() -> None:
    curve = cf.curves.roc({"q": {"d1": 1}}, {"q": {"x": 2.0, "d1": 1.0}}, documents=11)["run"]
    assert curve.area == 0.9  # one of ten stands above


def test_unjudged_documents_can_be_dropped() -> None:
    qrels, run = {"q": {"d1": 1, "d2": 0}}, {"q": {"x": 3.0, "d1": 2.0, "d2": 1.0}}
    assert cf.curves.roc(qrels, run, documents=5)["run"].area == pytest.approx(3 / 4)
    for average in AVERAGES:
        assert cf.curves.roc(qrels, run, documents=5, judged_only=True, average=average)["run"].area == 1


def test_several_runs_and_topics_that_only_one_has() -> None:
    qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1, "d2": 0}}
    both, one = {t: {"d1": 2.0, "d2": 1.0} for t in qrels}, {"q1": {"d1": 2.0, "d2": 1.0}}
    curves = cf.curves.roc(qrels, {"both": both, "one": one}, profile="trec_eval-9")
    assert (curves["both"].queries, curves["one"].queries) == (("q1", "q2"), ("q1",))


def test_rows_and_json() -> None:
    case = from_grades([1, 0])
    curves = cf.curves.roc(*case, levels=[1, 0])
    points = [(0.0, 1.0), (1.0, 1.0)]
    assert list(curves.rows(by_topic=True)) == [("run", name, *point) for name in ("q1", "all") for point in points]
    assert list(cf.curves.roc(*case).rows()) == [("run", "all", *p) for p in ((0, 0), (0, 1), (1, 1))]
    whole = curves.to_dict(by_topic=True)
    assert whole["runs"][0]["per_query"]["q1"] == {"auc": 1.0, "eer": 0.0, "fpr": [0.0, 1.0], "tpr": [1.0, 1.0]}
    assert whole["settings"]["over"] == "judged"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"average": "middle"}, UsageError, "average .* is one of vertical, cutoff, score, not 'middle'"),
        ({"over": "all"}, ParameterError, "AUC: over must be one of judged, retrieved"),
        ({"over": "retrieved", "documents": 10}, ParameterError, "over or documents, not both"),
        ({"documents": 1}, DataError, "2 documents are retrieved or judged for query 'q1', but documents"),
        ({"levels": [3]}, ParameterError, "false positive rates must be numbers from 0 to 1"),
        ({"profile": "ranx"}, UsageError, "ranx has no AUC"),
    ],
)
def test_what_makes_no_sense_is_said(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        cf.curves.roc(*from_grades([1, 0]), **options)


@given(st.sampled_from([10, 1000, 10**7]))
def test_levels_for_a_table_follow_where_lists_end(documents: int) -> None:
    curves = cf.curves.roc(*from_grades([1, 0, 0, 1]), documents=documents)
    levels = readable_levels(curves.runs.values())
    end = 2 / (documents - 2)
    assert (levels[0], levels[-1]) == (0, 1)
    assert sum(0 < level <= end for level in levels) >= 3
