"""Fisher's exact test, one-sided."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from cranfield.errors import ParameterError
from cranfield.stats.fisher_exact import fisher_exact_greater


def test_the_lady_tasting_tea() -> None:
    # Oracle: R. A. Fisher, The Design of Experiments, 1935, chapter 2: 4 of 8 cups, all right with chance 1/70.
    assert fisher_exact_greater(4, 4, 4, 8) == pytest.approx(1 / 70)
    assert fisher_exact_greater(3, 4, 4, 8) == pytest.approx(17 / 70)
    assert fisher_exact_greater(0, 4, 4, 8) == 1


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_against_scipy(both: int, group_only: int, trait_only: int, neither: int) -> None:
    table = [[both, group_only], [trait_only, neither]]
    expected = fisher_exact(table, alternative="greater").pvalue
    items = both + group_only + trait_only + neither
    assert fisher_exact_greater(both, both + group_only, both + trait_only, items) == pytest.approx(expected, rel=1e-9)


def test_no_such_number() -> None:
    with pytest.raises(ParameterError, match="both must be a whole number of at least 0, not -1"):
        fisher_exact_greater(-1, 4, 4, 8)
