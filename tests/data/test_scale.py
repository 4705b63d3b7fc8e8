"""Scales: what they may say, and that their version follows from all of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cranfield.data.scale import BINARY, GRADED, RESERVED_KEYS, Grade, Scale
from cranfield.errors import DataError

YES, NO = Grade(1, "yes"), Grade(0, "no")


def test_grades_stand_best_first_and_are_found_by_key_and_value() -> None:
    scale = Scale("mine", (NO, Grade(0.5, "half", key="h"), YES))
    assert [grade.name for grade in scale.grades] == ["yes", "half", "no"]
    assert scale.by_key["h"].value == 0.5
    assert scale.grade(1.0) is scale.by_key["1"]


def test_the_version_changes_with_every_word() -> None:
    others = [
        replace(GRADED, name="other"),
        replace(GRADED, guideline="Judge."),
        replace(GRADED, grades=(*GRADED.grades[:3], replace(GRADED.grades[3], definition="None."))),
        replace(GRADED, grades=(*GRADED.grades[:3], replace(GRADED.grades[3], key="x"))),
    ]
    assert len({GRADED.version, BINARY.version, *(scale.version for scale in others)}) == 6
    assert Scale("s", (YES, NO)).version == Scale("s", (NO, YES)).version


@pytest.mark.parametrize(
    ("value", "name", "key", "words"),
    [
        (-1, "no", "", "a negative grade is that of a document which was not judged"),
        (True, "yes", "", "value is True; expected a number such as 2"),
        (float("nan"), "what", "x", "value is nan; expected a number"),
        (10**400, "much", "x", "expected a number"),
        ("2", "two", "2", "value is '2'; expected a number"),
        (1, " ", "1", "the grade 1 has no name"),
        (10, "ten", "", "key is '10'; expected one character"),
        (1, "yes", "\t", r"key is '\\t'; expected one character"),
        (1, "skip", "s", "key is 's', which skips; choose another"),
    ],
)
def test_impossible_grades(value: float, name: str, key: str, words: str) -> None:
    with pytest.raises(DataError, match=words):
        Grade(value, name, key=key)


@pytest.mark.parametrize(
    ("grades", "words"),
    [
        ((YES,), "has 1 grades; expected at least 2"),
        ((YES, Grade(1, "also", key="a")), "two grades with the value 1"),
        ((YES, Grade(2, "yes")), "two grades with the name 'yes'"),
        ((YES, Grade(2, "two", key="1")), "two grades with the key '1'"),
    ],
)
def test_impossible_scales(grades: tuple[Grade, ...], words: str) -> None:
    with pytest.raises(DataError, match=words):
        Scale("s", grades)


def test_a_value_that_is_no_grade() -> None:
    with pytest.raises(DataError, match=r"2 is no grade of the scale 'binary', which has 1 \(relevant\), 0"):
        BINARY.grade(2)


def test_every_reserved_key_is_one_character() -> None:
    assert {len(key) for key in RESERVED_KEYS} == {1}
