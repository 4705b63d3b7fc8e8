"""A curve with fewer points is the same curve to the eye."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.report.thinning import INVISIBLE, spread, thin, thin_all

unit = st.floats(0, 1, allow_nan=False)


def distance_to_line(point: tuple[float, float], line: list[tuple[float, float]]) -> float:
    """How far a point is from a line of several pieces, by the textbook: to the nearest point of each piece."""
    best = np.inf
    for (ax, ay), (bx, by) in pairwise(line):
        squared = (bx - ax) ** 2 + (by - ay) ** 2
        along = 0.0 if squared == 0 else ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / squared
        along = min(1.0, max(0.0, along))
        best = min(best, float(np.hypot(point[0] - ax - along * (bx - ax), point[1] - ay - along * (by - ay))))
    return best


@given(st.lists(st.tuples(unit, unit), min_size=2, max_size=40), st.sampled_from([INVISIBLE, 0.01, 0.1]))
def test_no_point_is_farther_away_than_the_tolerance(points: list[tuple[float, float]], tolerance: float) -> None:
    # Curves of rankings go to the right.
    ordered = sorted(points)
    x, y = np.array(ordered).T
    kept = thin(x, y, tolerance)
    assert kept[0] == 0
    assert kept[-1] == len(points) - 1
    line = [ordered[at] for at in kept]
    assert all(distance_to_line(point, line) <= tolerance + 1e-9 for point in ordered)


def test_steps_keep_their_corners() -> None:
    x, y = np.array([0.0, 0.5, 0.5, 1.0]), np.array([1.0, 1.0, 0.0, 0.0])
    assert thin(x, y).tolist() == [0, 1, 2, 3]


def test_a_straight_line_needs_two_points() -> None:
    x = np.linspace(0, 1, 1000)
    assert thin(x, 1 - x).tolist() == [0, 999]


@given(st.integers(1, 8), st.integers(20, 200))
@settings(max_examples=15)
def test_many_curves_fit(curves: int, most: int) -> None:
    check_many_curves(curves, most)


@pytest.mark.slow
@given(st.integers(1, 8), st.integers(20, 200))
def test_many_more_curves_fit(curves: int, most: int) -> None:
    check_many_curves(curves, most)


def check_many_curves(curves: int, most: int) -> None:
    random = np.random.default_rng(curves)
    found = [(np.linspace(0, 1, 300), random.random(300)) for _ in range(curves)]
    assert sum(map(len, thin_all(found, most))) <= max(most, 2 * curves)


@given(st.integers(0, 100), st.integers(2, 50))
def test_places_are_spread_evenly(number: int, most: int) -> None:
    places = spread(number, most)
    assert len(places) == min(number, most)
    if number:
        assert {0, number - 1} <= set(places.tolist()) or number == 1
    if number > most:
        steps = np.diff(places)
        assert steps.max() - steps.min() <= 1
