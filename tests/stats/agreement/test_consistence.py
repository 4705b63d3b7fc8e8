"""Circular triads: by hand, and by looking at every three."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import DataError
from cranfield.stats.agreement.consistence import consistence

Preference = tuple[int, int]


def test_worked_by_hand() -> None:
    """Six things; a beats all, then b > c, c > d, d > b (a circle), and b, c, d beat e and f, e beats f.

    Wins: a 5; b, c, d 1 + 2 = 3 each; e 1; f 0. Kendall and Babington Smith: d = n(n-1)(n-2)/6 - Σ a(a-1)/2
    = 20 - (10 + 3 · 3 + 0 + 0) = 1, and zeta = 1 - 24 · 1 / (6³ - 4 · 6) = 1 - 24/192 = 0.875.
    """
    wins = ["ab", "ac", "ad", "ae", "af", "bc", "cd", "db", "be", "bf", "ce", "cf", "de", "df", "ef"]
    found = consistence((pair[0], pair[1]) for pair in wins)
    assert (found.items, found.pairs, found.triads, found.circular) == (6, 15, 20, 1)
    assert found.zeta == 0.875
    assert found.share == 1 / 20


@pytest.mark.parametrize("items", [3, 5, 7])
def test_as_many_circles_as_there_can_be(items: int) -> None:
    """Everyone beats the next (n-1)/2 in a circle: all have the same wins, and d = (n³ - n) / 24, its maximum."""
    found = consistence((one, (one + step) % items) for one in range(items) for step in range(1, (items - 1) // 2 + 1))
    assert found.circular == (items**3 - items) // 24
    assert found.zeta == 0


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[int, list[Preference]]:
    size = draw(st.integers(0, 8))
    pairs = [pair for pair in combinations(range(size), 2) if draw(st.booleans()) or draw(st.booleans())]
    return size, [pair if draw(st.booleans()) else pair[::-1] for pair in pairs]


@given(tournaments())
def test_the_same_as_looking_at_every_three(tournament: tuple[int, list[Preference]]) -> None:
    size, preferences = tournament
    over = set(preferences)
    whole = [
        three
        for three in combinations(range(size), 3)
        if all((a, b) in over or (b, a) in over for a, b in combinations(three, 2))
    ]
    circles = [(a, b, c) for a, b, c in whole if {(a, b), (b, c), (c, a)} <= over or {(b, a), (c, b), (a, c)} <= over]
    found = consistence(preferences)
    assert (found.triads, found.circular) == (len(whole), len(circles))


def test_without_all_pairs_there_is_no_zeta() -> None:
    found = consistence([("a", "b"), ("b", "c"), ("c", "a"), ("a", "d")])
    assert (found.triads, found.circular, found.zeta) == (1, 1, None)
    nothing = consistence([])
    assert (nothing.items, nothing.zeta) == (0, None)
    assert math.isnan(nothing.share)
    assert consistence([("a", "b")]).zeta is None


def test_a_pair_twice_is_an_error() -> None:
    for again in (("a", "b"), ("b", "a")):
        with pytest.raises(DataError, match="are there twice"):
            consistence([("a", "b"), again])
    with pytest.raises(DataError, match="'a' is compared with itself"):
        consistence([("a", "a")])
