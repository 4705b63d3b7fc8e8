"""Which curve is above which."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.curves.dominance import compare_curves

VALUES = st.lists(st.sampled_from([0.0, 0.25, 0.5]), min_size=5, max_size=5)


@given(VALUES, VALUES)
def test_stretches_cover_all_levels_and_say_who_is_above(one: list[float], other: list[float]) -> None:
    levels = [0.0, 0.25, 0.5, 0.75, 1.0]
    found = compare_curves("A", "B", np.array(one), np.array(other), levels)
    for level, a, b in zip(levels, one, other, strict=True):
        (stretch,) = [s for s in found.stretches if s.lower <= level <= s.upper]
        assert stretch.above == ("A" if a > b else "B" if b > a else None)
    never_below = all(a >= b for a, b in zip(one, other, strict=True))
    assert (found.dominant == "A") == (never_below and one != other)
    assert found.equal == (one == other)


def test_what_only_rounding_makes_different_is_equal() -> None:
    assert compare_curves("A", "B", np.array([0.1 + 0.2]), np.array([0.3]), [0]).equal


def test_many_curves_get_one_sentence() -> None:
    curves = {f"run{n}": np.array([n / 10, n / 10]) for n in range(5)} | {"steep": np.array([1.0, 0.0])}
    found = cf.curves.dominances(curves, [0, 1])
    # Ten pairs of five runs of which the higher number dominates; run0 never gets above steep, the others cross it
    assert found.sentences("recall") == [
        "In 11 of 15 pairs one curve dominates the other: it is never below it, and above it somewhere. 2 of 6 curves are "
        "dominated by no other: run4, steep."
    ]
    with pytest.raises(KeyError, match="there is no pair"):
        found["run1", "other"]
