"""Dividing names: shares, groups, folds, and independence of any order."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import DataError, UsageError
from cranfield.experiments.splits import Shares, make_folds, split

NAMES = st.lists(st.text(min_size=1, max_size=6), min_size=10, max_size=120, unique=True)
SHARES = st.sampled_from([Shares(), Shares(0.5, 0.0, 0.5), Shares(0.8, 0.1, 0.1), Shares(1 / 3, 1 / 3, 1 / 3)])


@given(NAMES, SHARES, st.integers(0, 5), st.randoms())
def test_every_name_is_in_one_part_of_the_right_size_whatever_the_order(
    names: list[str], shares: Shares, seed: int, shuffle: random.Random
) -> None:
    made = split(names, shares, seed=seed)
    assert sorted(name for part in made.parts.values() for name in part) == sorted(names)
    for part, share in shares.by_part.items():
        # To hand each to the part that is furthest behind leaves no part of three further off than 1/2 + 1/3
        # (Tijdeman, The chairman assignment problem, Discrete Mathematics 32, 1980, bounds every such rule by 1).
        assert abs(len(made.parts[part]) - share * len(names)) < 1
    shuffled = list(names)
    shuffle.shuffle(shuffled)
    assert split(shuffled, shares, seed=seed) == made


@given(NAMES, st.integers(0, 3), st.integers(2, 5))
def test_groups_are_divided_in_proportion(names: list[str], seed: int, groups: int) -> None:
    group = {name: str(sum(map(ord, name)) % groups) for name in names}
    made = split(names, seed=seed, strata=group)
    sizes = Counter(group.values())
    for part, share in Shares().by_part.items():
        there = Counter(group[name] for name in made.parts[part])
        for one, size in sizes.items():
            # A group stands together in the order: what it gets is the difference of two counts, each within 1.
            assert abs(there[one] - share * size) < 2


@given(NAMES, st.integers(2, 10), st.integers(0, 3))
def test_folds_have_every_name_once_and_sizes_that_differ_by_one(names: list[str], folds: int, seed: int) -> None:
    made = make_folds(names, folds, seed=seed)
    assert sorted(name for fold in made for name in fold) == sorted(names)
    assert max(map(len, made)) - min(map(len, made)) <= 1


def test_folds_are_of_what_is_not_test() -> None:
    made = split([f"t{number}" for number in range(50)], seed=3, folds=5)
    assert [len(fold) for fold in made.folds] == [7] * 5  # (25 + 10) / 5
    assert not set(made.parts["test"]) & {name for fold in made.folds for name in fold}


def test_another_seed_divides_otherwise() -> None:
    names = [f"t{number}" for number in range(50)]
    assert split(names, seed=1) != split(names, seed=2)
    # Groups of one are no reason to divide alike: the order of groups depends on the seed too.
    alone = {name: name for name in names}
    assert split(names, seed=1, strata=alone) != split(names, seed=2, strata=alone)


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ((0.5, 0.5, 0.5), "add up to 1.5; expected 1"),
        ((1.2, 0.0, -0.2), "the share of train is 1.2; expected a number from 0 to 1"),
        ((1.0, 0.0, 0.0), "the share of test is 0"),
        ((0.0, 0.5, 0.5), "the share of train is 0"),
    ],
)
def test_impossible_shares_are_refused(shares: tuple[float, float, float], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Shares(*shares)


def test_too_few_names_are_refused() -> None:
    with pytest.raises(UsageError, match="2 are too few to divide: none is left for validation"):
        split(["a", "b"])
    with pytest.raises(UsageError, match="9 folds of 4"):
        make_folds(["a", "b", "c", "d"], 9)
    with pytest.raises(DataError, match="'a' is there twice"):
        split(["a", "a", "b"])
