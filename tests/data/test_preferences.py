"""Preferences in memory."""

from __future__ import annotations

import pytest

from cranfield.data.preferences import Preferences
from cranfield.data.qrels import Qrels
from cranfield.errors import DataError, FormatError

ROWS = [
    ("q2", "ann", "0", "d1", 2),
    ("q1", "bob", "0", "d1", 1),
    ("q1", "bob", "1", "d1", 0),
    ("q1", "ann", "0", "d2", 0.5),
]


def test_rows_are_sorted_by_query_and_otherwise_as_given() -> None:
    preferences = Preferences.from_tuples(ROWS)
    assert list(preferences.rows()) == [ROWS[1], ROWS[2], ROWS[3], ROWS[0]]
    assert list(preferences) == ["q1", "q2"]
    assert preferences.offset.tolist() == [0, 3, 4]
    assert repr(preferences) == "<Preferences preferences: 4 judgments in 3 groups for 2 queries>"


def test_columns_there_and_back() -> None:
    preferences = Preferences.from_tuples(ROWS)
    assert list(Preferences.from_columns(preferences.to_columns()).rows()) == list(preferences.rows())


def test_the_iteration_of_qrels_is_the_group() -> None:
    qrels = Qrels.from_tuples([("q1", "ann", "d1", 1), ("q1", "bob", "d1", 0)], name="mine")
    preferences = Preferences.from_qrels(qrels)
    assert list(preferences.rows()) == [("q1", "ann", "0", "d1", 1), ("q1", "bob", "0", "d1", 0)]
    assert preferences.name == "mine"


def test_a_document_twice_in_a_subgroup() -> None:
    with pytest.raises(FormatError) as error:
        Preferences.from_tuples([*ROWS, ("q1", "bob", "1", "d1", 3)])
    assert str(error.value) == (
        "preferences: document 'd1' stands twice in group 'bob', subgroup '1' of query 'q1'. Keep one of them."
    )


def test_rows_of_the_wrong_length() -> None:
    with pytest.raises(DataError) as error:
        Preferences.from_tuples([("q", "d", 1)])
    assert str(error.value) == (
        "preferences, row 1: expected (query, group, subgroup, document, level), found 3 values"
    )
