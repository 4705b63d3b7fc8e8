"""How many of a finite population there are, from a sample."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import DataError
from cranfield.stats.population_size.stratified_total import (
    ALL_CERTAIN,
    NOT_DRAWN,
    independent_total,
    stratified_total,
)


def test_every_sample_there_could_be() -> None:
    # Oracle: all samples of 2 of 5 and 3 of 4: the estimates average to the true number, and the variances to the true
    # variance of the estimates.
    strata, sizes = ([1, 1, 0, 0, 0], [1, 0, 1, 1]), (2, 3)
    estimates, variances = [], []
    for one in itertools.combinations(strata[0], sizes[0]):
        for other in itertools.combinations(strata[1], sizes[1]):
            found = stratified_total([sum(one), sum(other)], sizes, [5, 4])
            estimates.append(found.value)
            variances.append(found.error**2)
    assert np.mean(estimates) == pytest.approx(5)
    assert np.mean(variances) == pytest.approx(np.var(estimates))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9), st.integers(0, 40)), min_size=1, max_size=5))
def test_the_interval_holds_the_estimate_and_what_is_possible(strata: list[tuple[int, int, int]]) -> None:
    found, drawn, size = (
        list(column) for column in zip(*((min(x, n), n, n + more) for x, n, more in strata), strict=True)
    )
    total = stratified_total(found, drawn, size)
    assert total.interval is not None
    assert total.seen <= total.interval.lower <= total.value + 1e-9
    assert total.value - 1e-9 <= total.interval.upper <= total.seen + sum(size) - sum(drawn) + 1e-9


def test_what_is_judged_whole_is_certain() -> None:
    total = stratified_total([3, 2], [10, 4], [10, 4])
    assert (total.value, total.error) == (5, 0)
    assert total.interval is not None
    assert (total.interval.lower, total.interval.upper) == (5, 5)


def test_none_found_leaves_some_possible() -> None:
    # Oracle: Clopper and Pearson's upper limit for 0 of n is 1 - .025^(1/n); 20 of 200 drawn without replacement vary as
    # 200 · 19 / 180 drawn with it do.
    total = stratified_total([0], [20], [200])
    assert total.interval is not None
    assert (total.value, total.interval.lower) == (0, 0)
    assert total.interval.upper == pytest.approx(200 * (1 - 0.025 ** (180 / 200 / 19)))


def test_a_stratum_of_which_one_was_drawn_has_the_variance_of_all() -> None:
    # Oracle by hand: p = (40 · 1/4 + 10 · 1) / 50 = .4 over both; 40 · 36/4 · (.25 · .75 · 4/3) + 10 · 9/1 · .4 · .6
    total = stratified_total([1, 1], [4, 1], [40, 10])
    assert total.error**2 == pytest.approx(360 * 0.25 + 90 * 0.24)


def test_nothing_drawn() -> None:
    assert stratified_total([1, 0], [4, 0], [40, 10]).undefined == NOT_DRAWN
    assert stratified_total([1, 0], [4, 0], [40, 0]).value == 10
    with pytest.raises(DataError, match="stratum 2: 5 found of 4 drawn of 10"):
        stratified_total([1, 5], [4, 4], [40, 10])


def test_with_chances_alone() -> None:
    # Oracle by hand: 1/.2 + 1/.2 = 10, variance 2 · .8/.04 = 40
    found = independent_total([0.2, 0.2])
    assert (found.value, found.error) == pytest.approx((10, math.sqrt(40)))
    assert independent_total([1, 1]).undefined == ALL_CERTAIN


@pytest.mark.slow
@pytest.mark.parametrize("rates", [(1.0, 0.3, 0.05), (0.5, 0.2, 0.1), (0.1, 0.1, 0.1), (1.0, 0.5, 0.02)])
def test_coverage(rates: tuple[float, ...]) -> None:
    # Like a pool: relevance thins out from one stratum to the next, and so do the samples.
    random, trials, held = np.random.default_rng(4), 2000, 0
    sizes, shares = np.array([40, 200, 600]), (0.5, 0.15, 0.02)
    population = [random.uniform(size=size) < share for size, share in zip(sizes, shares, strict=True)]
    true = sum(int(stratum.sum()) for stratum in population)
    drawn = np.maximum(np.rint(sizes * rates), 1).astype(int)
    for _ in range(trials):
        found = [
            int(random.choice(stratum, size, replace=False).sum())
            for stratum, size in zip(population, drawn, strict=True)
        ]
        interval = stratified_total(found, drawn, sizes).interval
        assert interval is not None
        held += interval.lower <= true <= interval.upper
    assert held / trials > 0.93, held / trials
