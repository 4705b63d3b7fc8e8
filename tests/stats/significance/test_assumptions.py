"""Checks of assumptions against scipy, and that they are only reported."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.stats.significance.assumptions import check_assumptions


@settings(max_examples=60)
@given(st.integers(8, 200), st.integers(0, 10**6), st.sampled_from([1, 3]))
def test_normality_agrees_with_scipy(size: int, seed: int, power: int) -> None:
    d = (np.random.PCG64(seed).random_raw(size) / 2**63 - 0.8) ** power
    seen = check_assumptions(d, 0 * d)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scipy warns below 20
        expected = scipy.stats.normaltest(d)
    assert seen.normality_p == pytest.approx(expected.pvalue, rel=1e-9, abs=1e-12)
    assert seen.skewness == pytest.approx(scipy.stats.skew(d), rel=1e-9, abs=1e-12)
    assert seen.kurtosis == pytest.approx(scipy.stats.kurtosis(d), rel=1e-9, abs=1e-12)


def test_symmetry_by_arithmetic() -> None:
    # Mean 14, median 5, the mean distance from it (4+3+2+1+0+1+2+3+85)/9 = 101/9: J = √(π/2) · 101/9,
    # T = √9 · (14 - 5) / (J · √(π/2 - 1)).
    T = 3 * 9 / (np.sqrt(np.pi / 2) * 101 / 9 * np.sqrt(np.pi / 2 - 1))
    seen = check_assumptions([1, 2, 3, 4, 5, 6, 7, 8, 90], np.zeros(9))
    assert seen.symmetry_p == pytest.approx(2 * scipy.stats.norm.sf(T))


def test_symmetry_is_calibrated_and_sees_skewness() -> None:
    random = np.random.default_rng(0)
    normal, laplace, skewed = (
        random.normal(size=(400, 60)),
        random.laplace(size=(400, 60)),
        random.exponential(size=(400, 60)),
    )
    rejected = [
        np.mean([check_assumptions(d, 0 * d).symmetry_p < 0.05 for d in sample]) for sample in (normal, laplace, skewed)
    ]
    assert 0.02 < rejected[0] < 0.09
    assert 0.02 < rejected[1] < 0.11
    assert rejected[2] > 0.9


def test_outliers_are_named_in_the_order_given() -> None:
    # Quartiles 1.25 and 5.75 give fences at 1.25 - 3 · 4.5 and 5.75 + 3 · 4.5.
    d = [3, 100, 0, 1, 2, -90, 4, 5, 6, 7]
    assert np.quantile(d, (0.25, 0.75)).tolist() == [1.25, 5.75]
    assert check_assumptions(d, np.zeros(10)).outliers == (1, 5)


def test_what_is_said() -> None:
    few = check_assumptions([1, 2, 3], [0, 0, 0])
    assert few.sentences == ("The shape of the differences is not known: there are fewer than 8 topics.",)
    equal = check_assumptions(np.ones(9), np.zeros(9))
    assert equal.undefined == "all differences are equal, so that they have no variance"
    assert json.loads(json.dumps(equal.to_dict(), allow_nan=False))["normality_p"] is None
    skewed = check_assumptions([1, 2, 3, 4, 5, 6, 7, 8, 90], np.zeros(9))
    assert skewed.sentences[0].startswith(
        "The shape of the differences speaks against a normal distribution (D'Agostino-Pearson, p < .001; skewness"
    )
    assert skewed.sentences[0].endswith("with many topics the mean has one whatever their shape.")
    assert skewed.sentences[1].startswith(
        "It speaks against symmetry, which the Wilcoxon test assumes (Miao-Gel-Gastwirth, p ="
    )
    assert skewed.sentences[2].endswith("and can decide a mean: 1 of 9.")
    even = check_assumptions(np.arange(20), np.full(20, 9.5))
    assert "does not speak against a normal" in even.sentences[0]
    assert len(even.sentences) == 2


def test_no_topics_at_all() -> None:
    assert check_assumptions([], []).undefined == "there are fewer than 8 topics"
