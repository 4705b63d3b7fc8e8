"""Corrections for many comparisons against statsmodels and against their definitions."""

from __future__ import annotations

import gc
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from cranfield.errors import DataError, ParameterError
from cranfield.stats import adjust, benjamini_hochberg, bonferroni, holm
from cranfield.stats.many_systems.corrections import CORRECTIONS
from tests.stats.significance.two_systems import trec

NAMES = {"bonferroni": "bonferroni", "holm": "holm", "benjamini-hochberg": "fdr_bh"}
p_values = st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.05, 1.0])), min_size=1, max_size=40)


@pytest.fixture(autouse=True, scope="module")
def nothing_to_collect() -> Iterator[None]:
    """statsmodels collects garbage whenever it adjusts, which takes long among all that other tests have loaded."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("method", CORRECTIONS)
@settings(max_examples=25)
@given(p=p_values)
def test_statsmodels_adjusts_the_same(method: str, p: list[float]) -> None:
    found = adjust(p, method)
    assert found.adjusted == pytest.approx(multipletests(p, method=NAMES[method])[1], abs=1e-12)
    assert (found.comparisons, found.method, found.undefined) == (len(p), method, None)


@pytest.mark.real_data
@pytest.mark.parametrize("method", CORRECTIONS)
def test_statsmodels_adjusts_the_pairs_of_a_track_the_same(method: str, real_data: Path) -> None:
    scores = trec(real_data, "adhoc6_ap")
    first, second = np.triu_indices(scores.shape[1], 1)
    p = scipy.stats.ttest_rel(scores[:, first], scores[:, second]).pvalue
    known = p[~np.isnan(p)]
    assert len(known) > 2000
    assert adjust(known, method).adjusted == pytest.approx(multipletests(known, method=NAMES[method])[1], abs=1e-12)


def test_examples_by_hand() -> None:
    p = [0.01, 0.04, 0.03, 0.02]
    assert bonferroni(p).adjusted.tolist() == pytest.approx([0.04, 0.16, 0.12, 0.08])
    # .01 · 4; .02 · 3; .03 · 2 is not above .06; .04 · 1 is below it
    assert holm(p).adjusted.tolist() == pytest.approx([0.04, 0.06, 0.06, 0.06])
    # .01 · 4/1, .02 · 4/2, .03 · 4/3 and .04 · 4/4 are all .04
    assert benjamini_hochberg(p).adjusted.tolist() == pytest.approx([0.04, 0.04, 0.04, 0.04])


@pytest.mark.parametrize("method", CORRECTIONS)
@settings(max_examples=25)
@given(p=p_values, unknown=st.integers(0, 3))
def test_a_comparison_without_a_p_value_counts_like_one_with_p_1(method: str, p: list[float], unknown: int) -> None:
    found = adjust([math.nan] * unknown + p, method)
    expected = multipletests([1.0] * unknown + p, method=NAMES[method])[1]
    assert np.isnan(found.adjusted[:unknown]).all()
    assert found.adjusted[unknown:] == pytest.approx(expected[unknown:], abs=1e-12)
    assert found.comparisons == unknown + len(p)
    assert found.undefined == (f"without a p-value, but counted: {unknown}" if unknown else None)
    assert not found.significant(0.999)[:unknown].any()


@pytest.mark.parametrize("method", CORRECTIONS)
@settings(max_examples=25)
@given(p=p_values, more=st.integers(0, 5))
def test_a_family_may_be_larger_than_what_is_given(method: str, p: list[float], more: int) -> None:
    found = adjust(p, method, comparisons=len(p) + more)
    expected = multipletests(p + [1.0] * more, method=NAMES[method])[1][: len(p)]
    assert found.adjusted == pytest.approx(expected, abs=1e-12)
    assert found.comparisons == len(p) + more


def test_a_table_of_p_values_keeps_its_shape() -> None:
    assert holm([[0.01, 0.5], [0.02, 0.03]]).adjusted.round(4).tolist() == [[0.04, 0.5], [0.06, 0.06]]


def test_the_number_of_comparisons_is_always_said() -> None:
    assert holm([0.01, 0.03]).sentence() == (
        "2 of 2 comparisons significant at 0.05 after holm correction, which keeps the chance of one or more false "
        "discoveries in the family at 0.05 or below"
    )
    assert "0 of 0 comparisons" in bonferroni([]).sentence()


def test_significant_is_below_alpha() -> None:
    assert bonferroni([0.025, 0.0249]).significant().tolist() == [False, True]


@pytest.mark.parametrize(
    ("p", "message"),
    [([0.1, 1.5], "p: 1.5 is not a p-value"), ([-0.1], "p: -0.1 is not"), (["small"], "p: expected p-values")],
)
def test_what_is_not_a_p_value(p: list[float], message: str) -> None:
    with pytest.raises(DataError, match=message):
        holm(p)


def test_wrong_parameters() -> None:
    with pytest.raises(ParameterError, match="method must be one of bonferroni, holm, benjamini-hochberg, not 'sidak'"):
        adjust([0.1], "sidak")
    with pytest.raises(ParameterError, match="comparisons must be a whole number of at least 2, not 1"):
        holm([0.1, 0.2], comparisons=1)
    with pytest.raises(ParameterError, match="alpha must be a number above 0 and below 1, not 5"):
        holm([0.1]).significant(5)
