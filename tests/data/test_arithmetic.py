"""Small formulas: evaluated, and written for people."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.arithmetic import names_in, value_of, written

VALUES = {"a": 2.0, "b": -0.5, "c": 3.0, "k": 10.0}
LEAVES = st.sampled_from(["a", "b", "c", "k", "1", "2", "0.25"])


def _combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    two = st.tuples(inner, st.sampled_from(["+", "-", "*", "/"]), inner).map(lambda parts: f"({' '.join(parts)})")
    calls = st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda parts: "{}({}, {})".format(*parts))
    return two | calls | inner.map(lambda text: f"(-{text})") | inner.map(lambda text: f"({text} ** 2)")


FORMULAS = st.recursive(LEAVES, _combined, max_leaves=8)


@given(FORMULAS)
def test_formulas_have_the_value_python_gives_them(formula: str) -> None:
    # Oracle: Python's own arithmetic, where nothing is divided by 0.
    try:
        expected = eval(formula, {"__builtins__": {}, "min": min, "max": max}, VALUES)
    except ZeroDivisionError:
        return
    assert value_of(formula, VALUES) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@given(FORMULAS)
def test_what_is_written_means_the_same(formula: str) -> None:
    back = written(formula).replace(" · ", " * ").replace("^", "**")
    assert value_of(back, VALUES) == pytest.approx(value_of(formula, VALUES), rel=1e-12, abs=1e-12)
    numbers = {name: str(value) for name, value in VALUES.items()}
    filled = written(formula, numbers).replace(" · ", " * ").replace("^", "**")
    assert value_of(filled, {}) == pytest.approx(value_of(formula, VALUES), rel=1e-12, abs=1e-12)
    assert not names_in(filled)


def test_functions() -> None:
    # Oracle: Python's math.
    assert value_of("ln(a) + log2(c) - exp(b) * sqrt(k)", VALUES) == pytest.approx(
        math.log(2) + math.log2(3) - math.exp(-0.5) * math.sqrt(10)
    )


def test_divided_by_nothing() -> None:
    assert value_of("a / (b + 0.5)", VALUES) == 0
    assert value_of("1 / 0 + 2", {}) == 2


@pytest.mark.parametrize("formula", ["ln(0)", "ln(a - 3)", "sqrt(b)", "exp(k ** 4)"])
def test_what_has_no_value(formula: str) -> None:
    assert math.isnan(value_of(formula, VALUES))


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("(1 - p) * sum", "(1 - p) · sum"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a - b) - c", "a - b - c"),
        ("a / (b * c)", "a / (b · c)"),
        ("(a + b) ** 2", "(a + b)^2"),
        ("ln((1 + s) / (1 + R - s))", "ln((1 + s) / (1 + R - s))"),
    ],
)
def test_parentheses_where_they_are_needed(formula: str, expected: str) -> None:
    assert written(formula) == expected
