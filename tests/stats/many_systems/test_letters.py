"""Groups of systems not separable from each other, against all subsets."""

from __future__ import annotations

import itertools
import re

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import DataError
from cranfield.stats import groups

Table = npt.NDArray[np.bool_]


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[int], Table]:
    """Means of up to seven systems, and which of them differ: anything whatever."""
    n = draw(st.integers(1, 7))
    different = np.zeros((n, n), dtype=np.bool_)
    for i, j in itertools.combinations(range(n), 2):
        different[i, j] = different[j, i] = draw(st.booleans())
    return draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)), different


def letters_of(text: str) -> set[str]:
    return set(re.findall(r"[a-z]\d*", text))


def largest_sets(different: Table) -> set[frozenset[int]]:
    """All sets of systems of which no two differ and to which none can be added, by trying all."""
    n = len(different)
    fine = [
        frozenset(chosen)
        for size in range(1, n + 1)
        for chosen in itertools.combinations(range(n), size)
        if not any(different[i, j] for i, j in itertools.combinations(chosen, 2))
    ]
    return {one for one in fine if not any(one < other for other in fine)}


@given(tables())
def test_two_systems_share_a_letter_if_and_only_if_they_do_not_differ(given_: tuple[list[int], Table]) -> None:
    means, different = given_
    found = groups(means, different)
    for i, j in itertools.product(range(len(means)), repeat=2):
        shares = bool(letters_of(found.letters[i]) & letters_of(found.letters[j]))
        assert shares == (not different[i, j])


@given(tables())
def test_groups_are_the_largest_sets_of_which_no_two_differ(given_: tuple[list[int], Table]) -> None:
    means, different = given_
    found = groups(means, different)
    assert {frozenset(group) for group in found.members} == largest_sets(different)
    assert len(found.members) == len(largest_sets(different))
    for letter, group in zip("abcdefghijklmnopqrstuvwxyz", found.members, strict=False):
        assert {system for system, text in enumerate(found.letters) if letter in letters_of(text)} == set(group)


@given(tables())
def test_the_best_system_has_an_a_and_members_fall(given_: tuple[list[int], Table]) -> None:
    means, different = given_
    found = groups(means, different)
    assert "a" in found.letters[int(np.argmax(means))]
    assert all(means[one] >= means[two] for group in found.members for one, two in itertools.pairwise(group))


def test_after_z_letters_have_numbers() -> None:
    found = groups(range(60, 0, -1), ~np.eye(60, dtype=np.bool_))  # all differ
    assert found.letters[25:28] == ("z", "a1", "b1")
    assert found.letters[52] == "a2"
    assert len(set(found.letters)) == 60


def test_a_table_that_cannot_be() -> None:
    for table in ([[0, 1], [0, 0]], [[1, 0], [0, 0]], [[0, 0, 0]]):
        with pytest.raises(DataError, match="different: expected a symmetric table of 2 x 2"):
            groups([0.2, 0.3], table)
    with pytest.raises(DataError, match="means, item 2: nan has no place in an order"):
        groups([0.2, float("nan")], [[0, 0], [0, 0]])
