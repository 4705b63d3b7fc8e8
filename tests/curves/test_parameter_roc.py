"""ROC over a parameter: a point for each run."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import cranfield as cf
from cranfield.errors import DataError, UsageError
from tests.curves.material import Case, cases

QRELS = {"q1": {"a": 1, "b": 1, "x": 0, "y": 0}, "q2": {"a": 1, "x": 0}}
STRICT = {"q1": {"a": 1.0}, "q2": {"a": 1.0}}
LENIENT = {"q1": {"a": 3.0, "b": 2.0, "x": 1.0}, "q2": {"a": 2.0, "x": 1.0}}
BAD = {"q1": {"x": 1.0}}


def test_points_by_hand() -> None:
    found = cf.curves.roc_points(QRELS, {"lenient": LENIENT, "bad": BAD, "strict": STRICT})
    # strict: 1/2 and 1 of the relevant ones, none of the others. lenient: all of them, and 1/2 and 1 of the others.
    # bad: none, and 1/2 and 0 of the others
    assert found.points == {"strict": (0, 0.75), "bad": (0.25, 0), "lenient": (0.75, 1)}
    assert list(found.points) == ["strict", "bad", "lenient"]
    # Without bad: 3/4 · (3/4 + 1)/2 + 1/4
    assert found.curve.area == pytest.approx(0.75 * 0.875 + 0.25)
    assert found.sentences() == [
        "Area under the points, joined by straight lines: .906 (excellent).",
        "Worse than another setting in one rate and no better in the other: bad.",
        "Rates are means over topics, over the judged documents; others are left out.",
    ]
    assert next(found.rows()) == ("strict", "all", 0.0, 0.75)
    assert found.to_dict()["runs"][0] == {"name": "strict", "fpr": 0.0, "tpr": 0.75}


@settings(max_examples=50)
@given(cases())
def test_a_point_is_where_the_curve_of_the_run_ends(case: Case) -> None:
    try:
        curve = cf.curves.roc(*case, average="cutoff", documents=30)["run"].average
    except DataError:
        return
    point = cf.curves.roc_points(*case, documents=30)["run"]
    assert list(point) == pytest.approx([curve.fpr[-2], curve.tpr[-2]])


@settings(max_examples=50)
@given(cases())
def test_points_are_what_the_set_measures_give(case: Case) -> None:
    # Of topics with a relevant document; of a collection there are always others
    qrels = {topic: judged for topic, judged in case.qrels.items() if any(judged.values())}
    if not qrels.keys() & case.run.keys():
        return
    point = cf.curves.roc_points(qrels, case.run, documents=30)["run"]
    result = cf.evaluate(qrels, case.run, ["SetFPR(documents=30)", "SetR"])
    assert list(point) == pytest.approx(list(result.mean.values()))


def test_what_makes_no_sense_is_said() -> None:
    with pytest.raises(UsageError, match="every run retrieves other documents"):
        cf.curves.roc_points(QRELS, STRICT, over="retrieved")
