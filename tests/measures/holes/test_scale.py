"""The grades that a document could have."""

from __future__ import annotations

import pytest

from cranfield.data.qrels import Qrels
from cranfield.errors import ParameterError, UsageError
from cranfield.measures import parse_one
from cranfield.measures.holes.scale import Scale, Stakes

QRELS = Qrels.from_dict({"q1": {"a": 2, "b": -1, "c": 0}, "q2": {"a": 0.5, "b": 2}})


def test_grades_are_those_that_occur_in_any_topic() -> None:
    assert Scale.of(QRELS).positive == (0.5, 2)
    assert Scale.of(QRELS, 2).positive == (0.5, 2)
    assert Scale.of(QRELS, 3).positive == (0.5, 2, 3)
    assert Scale.of(Qrels.from_dict({"q1": {"a": 0}})).positive == (1,)
    assert Scale.of(Qrels.from_dict({})).positive == (1,)


@pytest.mark.parametrize(("highest", "error"), [(1, UsageError), (0, UsageError), (-1, ParameterError)])
def test_the_highest_grade_is_not_below_those_that_occur(highest: float, error: type[Exception]) -> None:
    with pytest.raises(error):
        Scale.of(QRELS, highest)


def test_gmax_is_the_highest_to_measures_that_have_it() -> None:
    scale = Scale.of(QRELS)
    assert scale.of_measure(parse_one("ERR(gmax=3)")).positive == (0.5, 2, 3)
    assert scale.of_measure(parse_one("RBP(gain=linear,gmax=2)")).positive == (0.5, 2)
    assert scale.of_measure(parse_one("RBP")).positive == (0.5, 2)  # with binary gains gmax says nothing


@pytest.mark.parametrize(
    ("name", "grades", "worth"),
    [
        ("P@5", [2], [1]),
        ("P(rel=0.5)@5", [0.5, 2], [1, 1]),
        ("P(rel=3)@5", [], []),
        ("nDCG", [0.5, 2], [0.5, 2]),
        ("nDCG(gain=exponential)", [0.5, 2], [2**0.5 - 1, 3]),
        ("nDCG(gains=0.5:4;2:1)", [0.5, 2], [4, 1]),
        ("Q", [2], [2]),
        ("Q(rel=0.5,gains=0.5:0)", [0.5, 2], [0, 2]),
        ("RBP(gain=topic)", [0.5, 2], [0.5, 2]),
    ],
)
def test_what_grades_are_worth(name: str, grades: list[float], worth: list[float]) -> None:
    stakes = Stakes.of(parse_one(name), Scale.of(QRELS), 1)
    assert stakes.grades.tolist() == grades
    assert stakes.worth.tolist() == pytest.approx(worth)
    assert stakes.any == bool(grades)


def test_the_best_grade_is_the_one_that_is_worth_most() -> None:
    stakes = Stakes.of(parse_one("nDCG(gains=0.5:4;2:1)"), Scale.of(QRELS), 1)
    assert (stakes.best, stakes.least, stakes.most) == (0.5, 2, 4)
