"""Caches: against loops that do what each policy says, one request after the other, in no clever way."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.logs.cache_policies import (
    NEVER,
    best_possible,
    least_frequently_used,
    least_recently_used,
    reuse_distances,
    time_to_live,
)

SEQUENCES = st.lists(st.integers(0, 6), max_size=40)
SIZES = st.integers(1, 8)


def recent_loop(items: list[int], size: int) -> list[bool]:
    kept, hits = list[int](), []
    for item in items:
        hits.append(item in kept)
        kept = [*(one for one in kept if one != item), item][-size:]
    return hits


def frequent_loop(items: list[int], size: int) -> list[bool]:
    kept, hits = dict[int, tuple[int, int]](), []
    for at, item in enumerate(items):
        hits.append(item in kept)
        if item not in kept and len(kept) == size:
            del kept[min(kept, key=lambda one: kept[one])]
        kept[item] = (kept[item][0] + 1 if item in kept else 1, at)
    return hits


def most_hits(items: tuple[int, ...], size: int) -> int:
    """By trying everything that a cache could keep."""

    @cache
    def after(at: int, kept: frozenset[int]) -> int:
        if at == len(items):
            return 0
        there = kept | {items[at]}
        choices = {frozenset(some) for some in itertools.combinations(sorted(there), min(size, len(there)))}
        return (items[at] in kept) + max(after(at + 1, some) for some in choices)

    return after(0, frozenset())


@given(SEQUENCES, SIZES)
def test_what_was_used_longest_ago_is_dropped(items: list[int], size: int) -> None:
    distances = reuse_distances(np.array(items, np.int64))
    assert least_recently_used(distances, size).tolist() == recent_loop(items, size)


@given(SEQUENCES)
def test_distances_are_the_different_items_between(items: list[int]) -> None:
    expected = [
        len({*items[len(items[:at]) - items[:at][::-1].index(item) : at]}) if item in items[:at] else NEVER
        for at, item in enumerate(items)
    ]
    assert reuse_distances(np.array(items, np.int64)).tolist() == expected


@given(SEQUENCES, SIZES)
def test_what_was_used_least_often_is_dropped(items: list[int], size: int) -> None:
    assert least_frequently_used(np.array(items, np.int64), size).tolist() == frequent_loop(items, size)


@given(st.lists(st.integers(0, 4), max_size=12), st.integers(1, 3))
def test_no_cache_does_better_than_the_best(items: list[int], size: int) -> None:
    assert best_possible(np.array(items, np.int64), size).sum() == most_hits(tuple(items), size)


def test_what_is_kept_for_some_time() -> None:
    items, times = np.array([1, 1, 1, 2, 1]), np.array([0, 10, 11, 12, 21])
    # Fetched at 0 and kept for 10: the request at 10 is answered, that at 11 fetches it anew, which lasts until 21.
    assert time_to_live(items, times, 10).tolist() == [False, True, False, False, True]


@pytest.mark.parametrize("policy", [reuse_distances, lambda items: best_possible(items, 1)])
def test_no_requests(policy: object) -> None:
    assert len(policy(np.array([], np.int64))) == 0  # type: ignore[operator]
