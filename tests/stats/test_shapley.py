"""Shapley values against their other definition, the mean over all orders in which players join."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from cranfield.data.strings import Floats
from cranfield.stats.shapley import shapley

games = st.integers(1, 4).flatmap(
    lambda players: arrays.arrays(np.float64, (1 << players, 2), elements=st.floats(-1e3, 1e3))
)


@given(values=games)
def test_the_mean_over_all_orders(values: Floats) -> None:
    players = len(values).bit_length() - 1
    orders = list(permutations(range(players)))
    expected = np.zeros((players, 2))
    for order in orders:
        joined = 0
        for player in order:
            expected[player] += values[joined | 1 << player] - values[joined]
            joined |= 1 << player
    assert shapley(values) == pytest.approx(expected / len(orders), abs=1e-9)


@given(values=games)
def test_parts_add_up_to_the_difference(values: Floats) -> None:
    assert shapley(values).sum(axis=0) == pytest.approx(values[-1] - values[0], abs=1e-9)


@given(values=games)
def test_who_changes_nothing_has_exactly_nothing(values: Floats) -> None:
    with_idle_player = np.concatenate([values, values])  # the new last player joins and nothing changes
    assert not shapley(with_idle_player)[-1].any()


def test_the_glove_game() -> None:
    # Shapley's classic: one has a left glove, two have right gloves, a pair is worth 1. By hand: 4/6, 1/6, 1/6.
    worth = [1.0 if coalition & 1 and coalition & 0b110 else 0.0 for coalition in range(8)]
    assert shapley(np.array(worth)).tolist() == pytest.approx([4 / 6, 1 / 6, 1 / 6])


def test_nobody_plays() -> None:
    assert shapley(np.array([3.0])).shape == (0,)
