"""How many there are, from what several searches found."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import DataError, ParameterError
from cranfield.stats.population_size.capture_recapture import NO_PAIR, NONE_COMMON, chao2, chapman, lincoln_petersen

# Oracles: worked examples of the literature, as (first, second, both, estimate).
CHAPMAN = [
    pytest.param(948, 421, 167, 2383, id="Krebs 1989, box 2.1"),
    pytest.param(109, 177, 57, 337, id="Ricker 1975"),
    pytest.param(421, 332, 88, 1578, id="Pine and others 2013, box 11.2"),
    pytest.param(500, 149, 7, 9393, id="Seber 2002, table 3.7"),
]


@pytest.mark.parametrize(("first", "second", "both", "estimate"), CHAPMAN)
def test_chapman(first: int, second: int, both: int, estimate: int) -> None:
    # Books give whole animals: Ricker and Seber cut off, the others round.
    assert abs(chapman(first, second, both).value - estimate) < 1


def test_chapmans_error() -> None:
    # Oracle: Seber 2002, table 3.7: a standard error of 3022. Pine and others 2013, box 11.2: estimate 1578, 95 %
    # limits 1330 and 1826, which are the estimate and 1.96 standard errors to either side.
    assert round(chapman(500, 149, 7).error) == 3022
    assert 1.96 * chapman(421, 332, 88).error == pytest.approx((1826 - 1330) / 2, abs=1)


def test_lincoln_petersen() -> None:
    # Oracle: Krebs 1989, box 2.1: 948 marked, 421 caught, 167 of them marked: 2390.
    found = lincoln_petersen(948, 421, 167)
    assert round(found.value) == 2390
    assert found.seen == 948 + 421 - 167
    # Oracle by hand: n1 n2 (n1 - m) (n2 - m) / m^3
    assert found.error == pytest.approx(math.sqrt(948 * 421 * 781 * 254 / 167**3))


def test_nothing_in_common() -> None:
    assert lincoln_petersen(5, 6, 0).undefined == NONE_COMMON
    assert chapman(5, 6, 0).value == 6 * 7 - 1


# Oracle: SpadeR's `Chao1-bc` of two plots of BCI (tropical trees), with n trees for t searches: its `Chao2-bc` is the same
# formula. As (seen, once, twice, n), estimate, standard error, 95 % limits.
CHAO = [
    pytest.param((93, 31, 18, 448), (117.419, 11.562, 103.114, 151.960), id="plot 1"),
    pytest.param((94, 35, 16, 483), (128.928, 15.685, 109.078, 174.910), id="plot 10"),
]


@pytest.mark.parametrize(("plot", "expected"), CHAO)
def test_chao2_as_spader(plot: tuple[int, ...], expected: tuple[float, ...]) -> None:
    seen, once, twice, searches = plot
    found = chao2([1] * once + [2] * twice + [3] * (seen - once - twice), searches)
    assert found.interval is not None
    assert found.seen == seen
    values = (found.value, found.error, found.interval.lower, found.interval.upper)
    assert values == pytest.approx(expected, abs=5e-4)


def test_chao2_where_none_was_found_twice() -> None:
    # Oracle by hand: s + (t - 1)/t · Q1 (Q1 - 1) / 2 = 5 + 3/4 · 4 · 3 / 2
    assert chao2([1, 1, 1, 1, 3], searches=4).value == 5 + 4.5
    assert chao2([3, 3], searches=4).interval is not None
    assert (chao2([3, 3], searches=4).value, chao2([3, 3], searches=4).error) == (2, 0)
    assert chao2([], searches=4).value == 0
    assert chao2([1], searches=1).undefined == NO_PAIR


def test_chao2_added_up_over_many_topics_does_not_go_beyond_what_there_is() -> None:
    # Searches that fit the assumption: 300 topics of 10, each found by each of 4 searches with chance .3. Oracle: by the
    # multinomial distribution of never, once, twice and more often, a topic gives 9.8490 with a standard deviation of 3.4028.
    random = np.random.default_rng(1)
    times = (random.uniform(size=(300, 10, 4)) < 0.3).sum(axis=2)
    total = sum(chao2(topic[topic > 0], 4).value for topic in times)
    assert total == pytest.approx(300 * 9.8490, abs=3 * math.sqrt(300) * 3.4028)


def test_the_interval_does_not_go_below_what_was_seen() -> None:
    found = chapman(30, 20, 15)
    assert found.interval is not None
    assert found.seen <= found.interval.lower < found.value < found.interval.upper


@given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 500))
def test_no_fewer_than_were_seen(first: int, second: int, both: int) -> None:
    both = min(first, second, both)
    for found in (chapman(first, second, both), lincoln_petersen(first, second, both)):
        assert math.isnan(found.value) or found.value >= found.seen - 1e-9


def test_impossible_numbers() -> None:
    with pytest.raises(DataError, match="8 found by both, of 5 and 9: expected no more than either found"):
        chapman(5, 9, 8)
    with pytest.raises(DataError, match="from 1 to 3, for each that was found"):
        chao2([1, 4], searches=3)
    with pytest.raises(ParameterError, match="level must be a number above 0 and below 1, not 95"):
        chapman(5, 9, 3, level=95)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.3, 0.6])
def test_coverage_where_searches_are_independent(share: float) -> None:
    # A 95 % interval holds the true number in about 95 % of cases, if the assumption holds.
    random, true, trials = np.random.default_rng(7), 400, 2000
    held = {"Chapman": 0, "Chao2": 0}
    for _ in range(trials):
        found = random.uniform(size=(true, 8)) < share / 2
        one, two = (random.uniform(size=true) < share for _ in range(2))
        for estimate in (
            chapman(int(one.sum()), int(two.sum()), int((one & two).sum())),
            chao2(found.sum(axis=1)[found.any(axis=1)], 8),
        ):
            assert estimate.interval is not None
            held[estimate.method] += estimate.interval.lower <= true <= estimate.interval.upper
    assert all(0.92 < count / trials <= 0.98 for count in held.values()), held


@pytest.mark.slow
def test_searches_that_find_the_same_easy_ones_give_too_little() -> None:
    # What the docstrings say: with things that are not equally easy to find, the estimate is a lower bound.
    random, true = np.random.default_rng(8), 1000
    easy = random.beta(0.5, 2, size=true)
    values = []
    for _ in range(200):
        one, two = (random.uniform(size=true) < easy for _ in range(2))
        values.append(chapman(int(one.sum()), int(two.sum()), int((one & two).sum())).value)
    assert np.mean(values) < 0.6 * true
