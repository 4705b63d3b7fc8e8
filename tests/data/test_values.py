"""Identifiers and numbers from Python values, and what is said of those that cannot be used."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.values import identifiers, in_row, nested, numbers, shown, whole_numbers
from cranfield.errors import DataError


@given(st.lists(st.one_of(st.text(st.characters(exclude_categories=["Cs"])), st.integers(), st.binary())))
def test_identifiers_are_the_bytes_of_each_value(values: list[Any]) -> None:
    expected = [value if isinstance(value, bytes) else str(value).encode() for value in values]
    assert identifiers(values, "document", in_row("run")).tolist() == expected


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_text_alone_takes_the_short_way(values: list[str]) -> None:
    assert identifiers(values, "document", in_row("run")).tolist() == [value.encode() for value in values]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (2.0, "run, row 2: document 2.0 is neither text nor a whole number"),
        (None, "run, row 2: document None is neither text nor a whole number"),
        (True, "run, row 2: document True is neither text nor a whole number"),
        (["d"], "run, row 2: document ['d'] is neither text nor a whole number"),
        ("\ud800", "run, row 2: document '\\ud800' holds half of a surrogate pair"),
    ],
)
def test_what_is_no_identifier(value: object, message: str) -> None:
    with pytest.raises(DataError) as error:
        identifiers(["d1", value], "document", in_row("run"))
    assert str(error.value) == message


@given(st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_whole_numbers_are_written_in_decimals(values: list[int]) -> None:
    assert whole_numbers(np.array(values, dtype=np.int64)).tolist() == [str(value).encode() for value in values]


def test_unsigned_whole_numbers() -> None:
    assert whole_numbers(np.array([2**64 - 1, 0], dtype=np.uint64)).tolist() == [b"18446744073709551615", b"0"]


@given(st.lists(st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(-(2**60), 2**60))))
def test_numbers_are_floats(values: list[float]) -> None:
    assert numbers(values, "score", in_row("run")).tolist() == [float(value) for value in values]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("x", "run, row 2: score 'x' is not a number"),
        (float("nan"), "run, row 2: score nan is not a finite number"),
        (float("-inf"), "run, row 2: score -inf is not a finite number"),
        (None, "run, row 2: score None is not a finite number"),
        ([1], "run, row 2: score [1] is not a number"),
        (10**400, "run, row 2: score 10000000000000000000... is too large"),
    ],
)
def test_what_is_no_number(value: object, message: str) -> None:
    with pytest.raises(DataError) as error:
        numbers([1, value], "score", in_row("run"))
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ({"q1": ["d1"]}, "run, query 'q1': expected {document: score}, found list ['d1']"),
        ({"q1": {"d1": "x"}}, "run, query 'q1', document 'd1': score 'x' is not a number"),
        ({"q1": {"d1": 1, 2.5: 1}}, "run, query 'q1': document 2.5 is neither text nor a whole number"),
        ({None: {"d1": 1}}, "run: query None is neither text nor a whole number"),
    ],
)
def test_what_is_no_dict_of_dicts(results: Any, message: str) -> None:
    with pytest.raises(DataError) as error:
        nested(results, "score", "run")
    assert str(error.value) == message


def test_long_identifiers_are_cut_in_messages() -> None:
    assert shown(b"d" * 81) == repr("d" * 77) + "..."
    assert shown(b"caf\xc3\xa9 \xff") == repr("café \udcff")
