from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import ParameterError, UsageError
from cranfield.stats.proportions import poisson_rate, share_interval, wilson

Z = 1.959963984540054
"""The 97.5% point of the normal distribution, of any table."""


@pytest.mark.parametrize(("hits", "of"), [(8, 10), (1, 3), (45, 60)])
def test_the_bounds_solve_the_equation_they_come_from(hits: int, of: int) -> None:
    """Wilson's bounds are the shares p of which hits / of is just z standard errors away."""
    interval = share_interval(hits, of)
    assert interval is not None
    for bound in (interval.lower, interval.upper):
        assert abs(hits / of - bound) == pytest.approx(Z * math.sqrt(bound * (1 - bound) / of), rel=1e-12)
    assert interval.lower < hits / of < interval.upper


def test_all_and_none() -> None:
    """With none of n the upper bound is z² / (n + z²), and with all of them the lower is n / (n + z²)."""
    none, all_of_them = share_interval(0, 10), share_interval(10, 10)
    assert none is not None
    assert all_of_them is not None
    assert [none.lower, none.upper] == pytest.approx([0, Z**2 / (10 + Z**2)])
    assert [all_of_them.lower, all_of_them.upper] == pytest.approx([10 / (10 + Z**2), 1])


def test_no_tries_have_no_interval() -> None:
    assert share_interval(0, 0) is None


def test_what_is_no_share_is_refused() -> None:
    with pytest.raises(UsageError, match="4 of 3 is no share"):
        share_interval(4, 3)
    with pytest.raises(ParameterError, match="level must be a number above 0 and below 1, not 95"):
        share_interval(1, 2, level=95)


@given(st.integers(1, 200), st.data())
def test_more_of_the_same_narrows_it(of: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, of))
    one, more = share_interval(hits, of), share_interval(4 * hits, 4 * of)
    assert one is not None
    assert more is not None
    assert 0 <= one.lower <= hits / of <= one.upper <= 1
    assert more.upper - more.lower < one.upper - one.lower


def test_many_at_once_are_as_each_alone() -> None:
    found = wilson([0, 8, 0], [10, 10, 0], level=0.9)
    for place, (hits, of) in enumerate([(0, 10), (8, 10)]):
        alone = share_interval(hits, of, level=0.9)
        assert alone is not None
        assert (alone.lower, alone.upper) == (found.lower[place], found.upper[place])
    assert math.isnan(found.lower[2])
    assert math.isnan(found.upper[2])
    with pytest.raises(ParameterError, match="level must be a number above 0 and below 1, not 95"):
        wilson([1], [2], level=95)


@pytest.mark.parametrize(("events", "exposure"), [(10, 5.0), (1, 4.0), (0, 2.0)])
def test_bounds_of_a_rate_leave_a_tail_on_each_side(events: int, exposure: float) -> None:
    """Garwood's bounds are the rates at which so many events or more, or so many or fewer, come 1 time of 40."""
    found = poisson_rate([events], [exposure])

    def up_to(most: int, mean: float) -> float:
        return sum(math.exp(-mean) * mean**k / math.factorial(k) for k in range(most + 1))

    assert up_to(events, float(found.upper[0]) * exposure) == pytest.approx(0.025)
    lower = float(found.lower[0]) * exposure
    assert lower == 0 if events == 0 else 1 - up_to(events - 1, lower) == pytest.approx(0.025)
