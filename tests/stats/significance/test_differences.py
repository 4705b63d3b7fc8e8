"""Differences: order of topics, rounding noise, direction, bad input."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import DataError
from cranfield.stats.significance.differences import Differences
from tests.stats.significance.two_systems import as_scores, hundredths


@given(hundredths())
def test_equal_decimals_have_equal_differences(scores: tuple[list[int], list[int]]) -> None:
    new, baseline = scores
    whole = sorted(x - y for x, y in zip(new, baseline, strict=True))
    found = Differences.of_pair(as_scores(new), as_scores(baseline)).values[:, 0]
    assert found * 100 == pytest.approx(whole, abs=1e-9)
    assert len(set(np.abs(found).tolist())) == len({abs(d) for d in whole})
    assert np.sign(found).tolist() == np.sign(whole).tolist()


def test_numbers_that_are_really_different_stay_so() -> None:
    values = Differences.of_pair([1e-11, 2e-11, 1.0], [0, 0, 0]).values[:, 0]
    assert values.tolist() == [1e-11, 2e-11, 1.0]
    # Beside a score of 1 a difference below 1e-12 is nothing.
    assert Differences.of_pair([1e-13, 1.0], [0, 0]).values[:, 0].tolist() == [0, 1]


@given(st.permutations(range(8)))
def test_the_order_of_topics_does_not_matter(order: list[int]) -> None:
    new, baseline = np.random.PCG64(5).random_raw(16).reshape(2, 8) / 2**64
    plain, mixed = Differences.of_pair(new, baseline), Differences.of_pair(new[order], baseline[order])
    assert plain.values.tolist() == mixed.values.tolist()


@given(hundredths(highest=4))
def test_swapping_the_systems_gives_the_same_columns(scores: tuple[list[int], list[int]]) -> None:
    new, baseline = map(as_scores, scores)
    one, turned = Differences.of_pair(new, baseline).one_way_round()
    other, turned_too = Differences.of_pair(baseline, new).one_way_round()
    assert one.values.tolist() == other.values.tolist()
    assert one.values.sum() >= -1e-12
    symmetric = sorted(new - baseline) == pytest.approx(sorted(baseline - new))
    assert (turned ^ turned_too).tolist() == [not symmetric]


def test_a_mean_of_nothing_but_noise_is_zero() -> None:
    assert Differences.of_pair([0.1, 0.2, 0.0], [0, 0, 0.3]).mean.tolist() == [0]


def test_counts_of_wins_ties_and_losses() -> None:
    differences = Differences.between([[1.0, 2.0], [3.0, 3.0], [0.3, 5.0]], [[1.0, 1.0], [2.0, 3.0], [0.1 + 0.2, 6.0]])
    assert differences.wins.tolist() == [1, 1]
    assert differences.zeros.tolist() == [2, 1]
    assert differences.losses.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("new", "baseline", "message"),
    [
        ([1, 2, 3], [1, 2], "new has 3 topics and baseline has 2: expected a score of each for every topic"),
        ([1, float("nan")], [1, 2], "new, topic 2: nan is not a score. Give the topic a score or leave it out of all."),
        ([1, 2], [float("inf"), 2], "baseline, topic 1: inf is not a score."),
        (["x"], [1], "new: expected a list of numbers, one for each topic, found ['x']"),
        ([1, 2], [[1], [2]], "baseline: expected a list of numbers, one for each topic, found 2 dimensions"),
        ([[1], [2, 3]], [1, 2], "new: expected a list of numbers, one for each topic, found [[1], [2, 3]]"),
    ],
)
def test_bad_scores_of_a_pair(new: list[float], baseline: list[float], message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        Differences.of_pair(new, baseline)


def test_bad_tables() -> None:
    with pytest.raises(DataError, match="scores, topic 1, column 2: nan is not a score"):
        Differences.all_pairs([[1, np.nan]])
    with pytest.raises(DataError, match="two systems or more, found 1"):
        Differences.all_pairs([[1], [2]])
    with pytest.raises(DataError, match="new has 3 columns and baseline has 2: expected one baseline"):
        Differences.between(np.zeros((4, 3)), np.zeros((4, 2)))
    with pytest.raises(DataError, match="found 3 dimensions"):
        Differences.between(np.zeros((4, 3, 2)), 0)
