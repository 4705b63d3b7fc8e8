from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import DataError, ParameterError
from cranfield.pooling.pairing import choose_pairs

SIZES = st.integers(2, 14)


def of(count: int) -> list[str]:
    return [f"d{number}" for number in range(count)]


@given(SIZES, st.integers(1, 15), st.integers(0, 5))
def test_every_document_is_in_as_many_pairs_as_any_other(size: int, per_document: int, seed: int) -> None:
    pairs = choose_pairs("q", of(size), per_document, seed)
    assert len({frozenset(pair) for pair in pairs}) == len(pairs)
    assert all(left != right for left, right in pairs)
    expected = min(per_document, size - 1)
    counts = sorted(Counter(document for pair in pairs for document in pair).values())
    assert counts[:-1] == [expected] * (size - 1)
    assert counts[-1] == expected + (size * expected) % 2  # a sum of degrees is even


@given(SIZES, st.integers(2, 15))
def test_from_two_pairs_on_all_are_connected(size: int, per_document: int) -> None:
    pairs = choose_pairs("q", of(size), per_document)
    reached = {"d0"}
    for _ in range(size):
        reached |= {document for pair in pairs if reached & set(pair) for document in pair}
    assert len(reached) == size


@given(SIZES)
def test_every_pair(size: int) -> None:
    assert {frozenset(pair) for pair in choose_pairs("q", of(size))} == {
        frozenset((one, other)) for one in of(size) for other in of(size) if one != other
    }


def test_what_is_chosen_follows_from_seed_and_names_alone() -> None:
    forwards, backwards = choose_pairs("q", of(12), 4), choose_pairs("q", of(12)[::-1], 4)
    assert forwards == backwards
    assert choose_pairs("q", of(12), 4, seed=1) != forwards
    assert choose_pairs("q2", of(12), 4) != forwards


def test_sides_are_drawn_by_lot() -> None:
    lefts = Counter(left for left, _ in choose_pairs("q", of(41)))
    # Of its 40 pairs a document is to the left in about half: 8 or fewer, or 32 or more, happens to one of 41 documents
    # with a chance below 41 · 2 · P(Binomial(40, 1/2) <= 8) = 82 · 0.000091 = 0.0075, and the draw is always the same.
    assert min(lefts[document] for document in of(41)) > 8
    assert max(lefts.values()) < 32


def test_impossible_requests() -> None:
    with pytest.raises(ParameterError, match="pairs per document is 0"):
        choose_pairs("q", of(3), 0)
    with pytest.raises(DataError, match="topic q: a document is there twice"):
        choose_pairs("q", ["d1", "d1"])
    assert choose_pairs("q", ["d1"], 3) == choose_pairs("q", []) == []
