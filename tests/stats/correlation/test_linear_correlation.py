"""Pearson's r and intervals by Fisher's z, against SciPy and against arithmetic."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cranfield.errors import DataError, ParameterError
from cranfield.stats import fisher_interval, pearson_r
from tests.stats.significance.two_systems import Numbers, trec

scores: st.SearchStrategy[Numbers] = st.lists(
    st.tuples(*[st.floats(-1e3, 1e3).map(lambda score: round(score, 3))] * 2), min_size=4, max_size=30
).map(np.array)


@given(scores, st.sampled_from([0.8, 0.95, 0.99]))
@settings(max_examples=100)
def test_the_same_as_scipy(pairs: np.ndarray, level: float) -> None:
    x, y = pairs.T
    assume(np.ptp(x) > 0)
    assume(np.ptp(y) > 0)
    expected = scipy.stats.pearsonr(x, y)
    found = pearson_r(x, y)
    assert found.value == pytest.approx(expected.statistic, abs=1e-9)
    assume(abs(expected.statistic) < 1 - 1e-9)
    interval = fisher_interval(found.value, found.items, level=level)
    assert interval is not None
    assert (interval.lower, interval.upper) == pytest.approx(expected.confidence_interval(level), abs=1e-9)


@pytest.mark.real_data
def test_the_same_as_scipy_on_trec(real_data: Path) -> None:
    for track in ("adhoc5", "adhoc6", "adhoc7"):
        ap, p10, rr = (trec(real_data, f"{track}_{name}").mean(axis=0) for name in ("ap", "p10", "rr"))
        for x, y in ((ap, p10), (ap, rr), (p10, rr)):
            expected = scipy.stats.pearsonr(x, y)
            interval = fisher_interval(pearson_r(x, y).value, len(x))
            assert interval is not None
            found = [pearson_r(x, y).value, interval.lower, interval.upper]
            assert found == pytest.approx([expected.statistic, *expected.confidence_interval()], abs=1e-9)


@pytest.mark.parametrize(
    ("coefficient", "variance"),
    # Fisher 1921; Bonett and Wright 2000; Fieller, Hartley and Pearson 1957
    [("pearson", 1 / 17), ("spearman", (1 + 0.36 / 2) / 17), ("tau", 0.437 / 16)],
)
def test_intervals_by_hand(coefficient: str, variance: float) -> None:
    interval = fisher_interval(0.6, 20, coefficient=coefficient)
    assert interval is not None
    z, reach = 0.6931471806, 1.9599639845 * math.sqrt(variance)  # artanh .6 = ln(1.6 / .4) / 2 = ln 2
    assert interval.lower == pytest.approx(math.tanh(z - reach), abs=1e-9)
    assert interval.upper == pytest.approx(math.tanh(z + reach), abs=1e-9)


def test_too_few_items_have_no_interval() -> None:
    assert fisher_interval(0.5, 3) is None
    assert fisher_interval(0.5, 4) is not None
    assert fisher_interval(0.5, 4, coefficient="tau") is None
    assert fisher_interval(0.5, 5, coefficient="tau") is not None


def test_a_perfect_correlation() -> None:
    interval = fisher_interval(1.0, 10)
    assert interval is not None
    assert (interval.lower, interval.upper) == (1, 1)  # as scipy.stats.pearsonr has it
    assert pearson_r([1, 2, 3], [2, 4, 6]).value == 1


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([], [], "there are fewer than two items"),
        ([1], [2], "there are fewer than two items"),
        ([1, 2], [3, 3], "all items have the same score in one of the two"),
        ([0.1 + 0.2, 0.3], [1, 2], "all items have the same score in one of the two"),  # equal but for rounding
    ],
)
def test_undefined(x: list[float], y: list[float], reason: str) -> None:
    found = pearson_r(x, y)
    assert math.isnan(found.value)
    assert found.undefined == reason


def test_wrong_input() -> None:
    with pytest.raises(DataError, match="x, item 2: nan has no place in an order"):
        pearson_r([1, math.nan], [1, 2])
    with pytest.raises(DataError, match=r"y, item 1: inf lies on no line\. Give it a finite score\."):
        pearson_r([1, 2], [math.inf, 2])
    with pytest.raises(DataError, match="x has 2 items and y has 1"):
        pearson_r([1, 2], [1])
    with pytest.raises(ParameterError, match=r"value must be a correlation from -1 to 1, not 1\.5"):
        fisher_interval(1.5, 10)
    with pytest.raises(ParameterError, match="coefficient must be one of pearson, spearman, tau, not 'rbo'"):
        fisher_interval(0.5, 10, coefficient="rbo")
    with pytest.raises(ParameterError, match="level must be a number above 0 and below 1"):
        fisher_interval(0.5, 10, level=95)
