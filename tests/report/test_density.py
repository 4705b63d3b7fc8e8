"""Quartiles and densities beside those of other programs."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import gaussian_kde

from cranfield.report.density import Box, density

scores = st.lists(st.floats(0, 1).map(lambda value: round(value, 6)), min_size=2, max_size=30)


@given(scores)
def test_quartiles_are_those_of_the_standard_library(values: list[float]) -> None:
    box = Box.of(np.array(values))
    first, median, third = statistics.quantiles(values, n=4, method="inclusive")
    assert (box.first, box.median, box.third) == pytest.approx((first, median, third), abs=1e-12)
    assert box.mean == pytest.approx(statistics.fmean(values))


@given(scores)
def test_whiskers_end_at_values_within_their_reach(values: list[float]) -> None:
    box = Box.of(np.array(values))
    reach = 1.5 * (box.third - box.first)
    inside = [value for value in values if box.first - reach <= value <= box.third + reach]
    assert (box.low, box.high) == (min(inside), max(inside))


@given(scores)
def test_far_from_its_bounds_a_density_is_that_of_scipy(values: list[float]) -> None:
    sample, grid = np.array(values), np.linspace(-1, 2, 31)
    found = density(sample, grid, (-np.inf, np.inf))
    if found is None:
        assert len(set(values)) == 1
        return
    # Silverman's rule, as his book has it on page 48: 0.9 min(s, IQR/1.34) n^(-1/5).
    deviation = statistics.stdev(values)
    first, _, third = statistics.quantiles(values, n=4, method="inclusive")
    width = min(deviation, (third - first) / 1.34) or deviation
    theirs = gaussian_kde(sample, bw_method=0.9 * width * len(values) ** -0.2 / deviation)
    assert found == pytest.approx(theirs(grid), rel=1e-6, abs=1e-9)


@given(scores)
def test_no_density_is_lost_beyond_the_bounds(values: list[float]) -> None:
    grid = np.linspace(0, 1, 20_001)
    found = density(np.array(values), grid, (0.0, 1.0))
    if found is not None and np.ptp(values) > 0.05:
        assert np.trapezoid(found, grid) == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("values", [[0.5], [0.25, 0.25, 0.25]])
def test_where_there_is_no_density(values: list[float]) -> None:
    assert density(np.array(values), np.linspace(0, 1, 5), (0.0, 1.0)) is None
