"""What `--param` says."""

from __future__ import annotations

import pytest

from cranfield.errors import UsageError
from cranfield.experiments.parameter_space import ParameterSpace, Range, parse_parameter


def test_ranges_of_whole_numbers_have_no_point_anywhere() -> None:
    assert parse_parameter("depth=10..50:20").points(99) == [10, 30, 50]
    assert parse_parameter("depth=1..4").points(99) == [1, 2, 3, 4]
    assert parse_parameter("b=0..1:0.5").points(99) == [0.0, 0.5, 1.0]
    assert all(isinstance(value, float) for value in parse_parameter("b=0..1.0").points(3))


def test_a_logarithmic_range_has_points_of_equal_ratios() -> None:
    assert parse_parameter("mu=1..1000:log").points(4) == [1, 10, 100, 1000]


def test_steps_do_not_gather_rounding() -> None:
    points = parse_parameter("b=0.1..0.9:0.1").points(0)  # 0.1 + 2 · 0.1 is 0.30000000000000004
    assert points == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]


def test_lists_keep_the_kinds_of_their_values() -> None:
    assert ParameterSpace.of("stem=true,false").grid(9) == [{"stem": True}, {"stem": False}]
    assert ParameterSpace.of("x=1,true,1.5,one").grid(9)[:2] == [{"x": 1}, {"x": True}]


def test_negative_and_signed_numbers() -> None:
    assert parse_parameter("x=-1.5..-0.5") == Range("x", -1.5, -0.5)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("k1", "expected name=low..high or name=value,value"),
        ("k1=", "expected name=low..high"),
        ("k1=2..1", "the range ends \\(1\\) before it begins \\(2\\)"),
        ("k1=a..1", "expected a number, found 'a'"),
        ("k1=0..inf", "expected a number, found 'inf'"),
        ("k1=0..1:0", "a step is above 0, not 0"),
        ("k1=0..1:log", "a logarithmic range begins above 0, not at 0"),
        ("k1=1,,2", "there is an empty value in the list"),
        ("k1=1,1", "a value is there twice"),
    ],
)
def test_what_cannot_be_read_is_said(given: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse_parameter(given)


def test_spaces() -> None:
    with pytest.raises(UsageError, match="--param b is given twice"):
        ParameterSpace.of(["b=0..1", "b=1,2"])
    with pytest.raises(UsageError, match="no parameter is named"):
        ParameterSpace.of([])
    with pytest.raises(UsageError, match="a grid of 1000000 points is too large"):
        ParameterSpace.of([f"{name}=1..100:1" for name in "abc"]).grid(50)
    assert len(ParameterSpace.of(["a=0..1.0", "b=0..1.0"]).grid(50)) == 49  # 7 · 7, and 8 · 8 is more than 50
