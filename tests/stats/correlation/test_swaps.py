"""Who swaps with whom, against loops over all pairs with SciPy's t-test."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.errors import DataError, ParameterError
from cranfield.stats import system_swaps
from tests.stats.significance.two_systems import trec

few = st.lists(st.tuples(*[st.integers(0, 5)] * 2), min_size=0, max_size=9)


def by_loops(x: np.ndarray, y: np.ndarray) -> tuple[set[tuple[int, int]], int, int]:
    """Swapped pairs, better by x first; how many are alike; how many are tied."""
    swapped, alike, tied = set(), 0, 0
    for a, b in itertools.combinations(range(len(x)), 2):
        direction = np.sign(x[a] - x[b]) * np.sign(y[a] - y[b])
        alike += direction > 0
        tied += direction == 0
        if direction < 0:
            swapped.add((a, b) if x[a] > x[b] else (b, a))
    return swapped, alike, tied


@given(few)
@settings(max_examples=100)
def test_all_pairs(pairs: list[tuple[int, int]]) -> None:
    x, y = np.array(pairs, dtype=float).reshape(-1, 2).T
    found = system_swaps(x, y)
    swapped, alike, tied = by_loops(x, y)
    assert set(zip(found.better.tolist(), found.worse.tolist(), strict=True)) == swapped
    assert (found.alike, found.tied, len(found)) == (alike, tied, len(swapped))
    assert found.pairs == len(x) * (len(x) - 1) // 2
    assert np.isnan(found.p_first).all()
    assert not found.significant_first.any()
    assert found.difference_first.tolist() == [x[a] - x[b] for a, b in zip(found.better, found.worse, strict=True)]


@pytest.mark.real_data
def test_differences_and_tests_on_trec(real_data: Path) -> None:
    first, second = trec(real_data, "adhoc5_ap"), trec(real_data, "adhoc5_p10")
    found = system_swaps(first, second)
    swapped, alike, tied = by_loops(first.mean(axis=0).round(10), second.mean(axis=0).round(10))
    assert set(zip(found.better.tolist(), found.worse.tolist(), strict=True)) == swapped
    assert (found.alike, found.tied) == (alike, tied)
    for row, (a, b) in enumerate(zip(found.better, found.worse, strict=True)):
        for table, difference, p in (
            (first, found.difference_first, found.p_first),
            (second, found.difference_second, found.p_second),
        ):
            assert difference[row] == pytest.approx(table[:, a].mean() - table[:, b].mean(), abs=1e-9)
            assert p[row] == pytest.approx(scipy.stats.ttest_rel(table[:, a], table[:, b]).pvalue, abs=1e-9)
    assert (found.significant_first == (found.p_first < 0.05)).all()


def test_the_plainest_contradictions_come_first() -> None:
    # By the first score 9 6 5 0, by the second 0 6 7 1. Of 9 and 7 at most: 0-1 min(3/9, 6/7), 0-2 min(4/9, 1),
    # 0-3 min(1, 1/7), 1-2 min(1/9, 1/7).
    found = system_swaps([9, 6, 5, 0], [0, 6, 7, 1])
    assert list(zip(found.better.tolist(), found.worse.tolist(), strict=True)) == [(0, 2), (0, 1), (0, 3), (1, 2)]


def test_differences_that_have_no_test() -> None:
    # The second score has the same difference on both topics, which has no variance.
    found = system_swaps([[0.2, 0.1], [0.4, 0.1]], [[0.1, 0.2], [0.1, 0.2]])
    assert found.p_first[0] == pytest.approx(scipy.stats.ttest_rel([0.2, 0.4], [0.1, 0.1]).pvalue)
    assert np.isnan(found.p_second[0])
    assert not found.significant_second[0]


def test_memory_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = np.random.default_rng(0).random((2, 10, 12))
    plain = system_swaps(*tables)
    monkeypatch.setattr("cranfield.stats.chunks.CELLS", 100)
    assert system_swaps(*tables).p_first == pytest.approx(plain.p_first, rel=1e-12)


def test_wrong_input() -> None:
    with pytest.raises(ParameterError, match="alpha must be a number above 0 and below 1, not 5"):
        system_swaps([1, 2], [2, 1], alpha=5)
    with pytest.raises(DataError, match="first has 2 systems and second has 1"):
        system_swaps([1, 2], [2])
