"""The t-tests, equivalence and non-inferiority against scipy, statsmodels and arithmetic."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given, settings
from statsmodels.stats.weightstats import ttost_paired

from cranfield.errors import ParameterError
from cranfield.stats.arguments import ALTERNATIVES, Alternative
from cranfield.stats.significance.equivalence import equivalence_test, non_inferiority_test
from cranfield.stats.significance.t_test import one_sample_t_test, paired_t_test
from tests.stats.significance.two_systems import A, B, as_scores, hundredths

close: dict[str, Any] = {"rel": 1e-9, "abs": 1e-12}


def same_interval(found: Any, expected: Any) -> bool:
    return (found.lower, found.upper) == pytest.approx((expected.low, expected.high), **close)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(max_examples=60)
@given(scores=hundredths())
def test_paired_agrees_with_scipy(alternative: Alternative, scores: tuple[list[int], list[int]]) -> None:
    new, baseline = map(as_scores, scores)
    assume(np.ptp(np.subtract(*scores)) > 0)
    found = paired_t_test(new, baseline, alternative=alternative, level=0.9)
    expected = scipy.stats.ttest_rel(new, baseline, alternative=alternative)
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue), **close)
    assert same_interval(found.interval, expected.confidence_interval(0.9))
    assert found.details["degrees_of_freedom"] == expected.df
    d = new - baseline
    d_z = d.mean() / d.std(ddof=1)
    assert found.effects["d_z"] == pytest.approx(d_z, **close)
    if len(d) > 2:
        # The factor of bias, with the gamma function of Python: Hedges (1981), equation 6e.
        v = len(d) - 1
        J = math.gamma(v / 2) / (math.sqrt(v / 2) * math.gamma((v - 1) / 2))
        assert found.effects["g"] == pytest.approx(J * d_z, **close)
    else:
        assert "g" not in found.effects


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(max_examples=60)
@given(scores=hundredths())
def test_one_sample_agrees_with_scipy(alternative: Alternative, scores: tuple[list[int], list[int]]) -> None:
    values = as_scores(scores[0])
    assume(np.ptp(scores[0]) > 0)
    found = one_sample_t_test(values, 0.75, alternative=alternative)
    expected = scipy.stats.ttest_1samp(values, 0.75, alternative=alternative)
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue), **close)
    assert found.interval is not None
    low, high = expected.confidence_interval(0.95)
    assert (found.interval.lower, found.interval.upper) == pytest.approx((low - 0.75, high - 0.75), **close)


def test_the_notes_example() -> None:
    # The notes' five-query example: B - A has t -1.769, two-sided p .152; an improvement is positive, so A - B has t 1.769.
    worse, better = paired_t_test(B, A), paired_t_test(A, B)
    assert (round(worse.statistic, 3), round(worse.p, 3)) == (-1.769, 0.152)
    assert (round(better.statistic, 3), round(better.p, 3)) == (1.769, 0.152)
    assert (np.mean(A), np.mean(B)) == pytest.approx((0.440, 0.288))
    assert better.mean_difference == pytest.approx(0.152)


def test_the_gate_of_the_notes() -> None:
    # "Release if precision is above 75 %": mean .8, s .1 over 25 topics of .7 and .9 and one of .8.
    precision = [0.7] * 12 + [0.9] * 12 + [0.8]
    gate = one_sample_t_test(precision, 0.75, alternative="greater")
    assert gate.statistic == pytest.approx(0.05 / (0.1 / 5))  # s² = 24 · .01 / 24
    assert gate.significant
    assert gate.interval is not None
    assert gate.interval.lower == pytest.approx(0.05 - 1.7109 * 0.02, abs=1e-5)  # t(24) at .95 in any table: 1.7109
    assert gate.interval.upper == math.inf
    assert "above the target of .750 by .050" in gate.sentence


@settings(max_examples=60)
@given(scores=hundredths())
def test_equivalence_agrees_with_statsmodels(scores: tuple[list[int], list[int]]) -> None:
    new, baseline = map(as_scores, scores)
    assume(np.ptp(np.subtract(*scores)) > 0)
    found = equivalence_test(new, baseline, 0.1)
    p, (t_low, p_low, _), (t_high, _, _) = ttost_paired(new, baseline, -0.1, 0.1)
    assert found.p == pytest.approx(p, **close)
    assert abs(found.statistic) == pytest.approx(min(abs(t_low), abs(t_high)), **close)
    not_worse = non_inferiority_test(new, baseline, 0.1)
    assert (not_worse.statistic, not_worse.p) == pytest.approx((t_low, p_low), **close)
    # The interval and p say the same, away from the limit itself.
    assert found.interval is not None
    assert not_worse.interval is not None
    inside = max(-found.interval.lower, found.interval.upper)
    if inside != pytest.approx(0.1):
        assert found.significant == (inside < 0.1)
    if not_worse.interval.lower != pytest.approx(-0.1):
        assert not_worse.significant == (not_worse.interval.lower > -0.1)
    assert found.interval.level == 0.9


@pytest.mark.parametrize("test", [equivalence_test, non_inferiority_test])
def test_a_margin_is_positive(test: Any) -> None:
    with pytest.raises(ParameterError, match="margin must be a number above 0, not 0"):
        test(A, B, 0)


def test_equivalence_needs_a_level_above_one_half() -> None:
    with pytest.raises(ParameterError, match=r"level must be a number above 0\.5 and below 1, not 0\.4"):
        equivalence_test(A, B, 0.1, level=0.4)
