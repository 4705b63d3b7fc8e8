"""Power and topic set sizes against statsmodels and scipy, and by simulation."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.power import FTestAnovaPower, TTestPower

from cranfield.errors import DataError, ParameterError
from cranfield.stats import (
    difference_for_power,
    pilot_variance,
    power_of_anova,
    power_of_test,
    topics_for_anova,
    topics_for_interval,
    topics_for_power,
)
from cranfield.stats.arguments import ALTERNATIVES, Alternative
from cranfield.stats.planning.power import TESTS
from cranfield.stats.planning.topic_set_size import MOST_TOPICS, expected_width
from tests.stats.many_systems.test_anova import made_up, statsmodels_table
from tests.stats.significance.two_systems import trec

SIDES = {"two-sided": "two-sided", "greater": "larger", "less": "smaller"}
effects = st.floats(-3, 3)
alphas = st.sampled_from([0.001, 0.01, 0.05, 0.1])

# Power


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(effect=effects, topics=st.integers(2, 300), alpha=alphas)
def test_statsmodels_has_the_same_power_of_the_t_test(
    alternative: Alternative, effect: float, topics: int, alpha: float
) -> None:
    found = power_of_test(effect * 0.1, 0.1, topics, alternative=alternative, alpha=alpha).power
    expected = TTestPower().power(effect, topics, alpha, alternative=SIDES[alternative])
    if np.isnan(expected):  # where scipy's noncentral t has nothing left: a tail is 0 or 1
        nc = abs(effect) * math.sqrt(topics)
        assert scipy.stats.norm.sf(scipy.stats.norm.isf(alpha / 2) + nc) < 1e-12
        right = alternative == "two-sided" or (effect > 0) == (alternative == "greater")
        tail = alpha / 2 if alternative == "two-sided" else alpha
        expected = scipy.stats.nct.sf(scipy.stats.t.isf(tail, topics - 1), topics - 1, nc) if right else 0
        expected = 1 if np.isnan(expected) and nc > 15 else expected
    assert found == pytest.approx(expected, abs=1e-9)


def test_power_is_never_nan() -> None:
    for effect in np.linspace(-8, 8, 65).tolist():
        for topics in (2, 3, 10, 100, 5000):
            for test in TESTS:
                for alternative in ALTERNATIVES:
                    power = power_of_test(effect, 1.0, topics, test=test, alternative=alternative).power
                    assert 0 <= power <= 1 + 1e-12, (effect, topics, test, alternative)


@given(effect=effects, topics=st.integers(2, 200), alpha=alphas)
def test_power_of_the_sign_test_is_binomial(effect: float, topics: int, alpha: float) -> None:
    chance = scipy.stats.norm.cdf(effect)
    wins = np.arange(topics + 1)
    p = [scipy.stats.binomtest(int(won), topics).pvalue for won in wins[:: max(1, topics // 40)]]
    # Doubling the smaller tail is what binomtest does for a chance of one half.
    smaller = scipy.stats.binom.cdf(np.minimum(wins, topics - wins), topics, 0.5)
    assert np.minimum(1, 2 * smaller)[:: max(1, topics // 40)] == pytest.approx(p, abs=1e-9)
    rejected = 2 * smaller < alpha - 1e-12
    expected = scipy.stats.binom.pmf(wins, topics, chance)[rejected].sum()
    assert power_of_test(effect, 1.0, topics, test="sign", alpha=alpha).power == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("topics", "effect"), [(15, 0.6), (20, 0.7), (30, 0.4), (50, 0.25), (50, 0.4)])
def test_power_of_the_wilcoxon_test_by_simulation(topics: int, effect: float) -> None:
    differences = np.random.default_rng(1).normal(effect, 1, (4000, topics))
    p = scipy.stats.wilcoxon(differences, axis=1, method="asymptotic").pvalue
    found = power_of_test(effect, 1.0, topics, test="wilcoxon").power
    assert found == pytest.approx((p < 0.05).mean(), abs=0.01 + 3 * math.sqrt(0.25 / 4000))


@given(systems=st.integers(2, 60), topics=st.integers(2, 200), effect=st.floats(0, 3), alpha=alphas)
def test_statsmodels_has_the_same_power_of_one_way_anova(
    systems: int, topics: int, effect: float, alpha: float
) -> None:
    # The best and the worst lie half the range from the middle, the others in it: Cohen's f² = 2 (D/2)² / k.
    f = math.sqrt(effect**2 / 2 / systems)
    expected = FTestAnovaPower().power(f, systems * topics, alpha, k_groups=systems)
    assert power_of_anova(effect, 1.0, systems, topics, alpha=alpha).power == pytest.approx(expected, abs=1e-9)


@given(effect=st.floats(0, 1), topics=st.integers(2, 200))
def test_two_way_anova_of_two_systems_has_the_power_of_the_paired_t_test(effect: float, topics: int) -> None:
    # The residual variance is half the variance of the differences.
    found = power_of_anova(effect, math.sqrt(0.5), 2, topics, design="two-way").power
    assert found == pytest.approx(power_of_test(effect, 1.0, topics).power, abs=1e-9)


def test_power_of_two_way_anova_by_simulation() -> None:
    # Four systems, the worst -.15, the best +.15, the others in the middle; residuals .3; topics vary by 1.
    rng = np.random.default_rng(2)
    effect = np.array([-0.15, 0, 0, 0.15])
    scores = effect + rng.normal(0, 1, (2000, 30, 1)) + rng.normal(0, 0.3, (2000, 30, 4))
    by_topic, by_system = scores.mean(axis=2, keepdims=True), scores.mean(axis=1, keepdims=True)
    mean = scores.mean(axis=(1, 2), keepdims=True)
    error = ((scores - by_topic - by_system + mean) ** 2).sum(axis=(1, 2)) / (29 * 3)
    F = 30 * ((by_system - mean) ** 2).sum(axis=(1, 2)) / 3 / error
    rejected = (scipy.stats.f.sf(F, 3, 87) < 0.05).mean()
    found = power_of_anova(0.3, 0.3, 4, 30, design="two-way").power
    assert found == pytest.approx(rejected, abs=4 * math.sqrt(0.25 / 2000))


# Topic set sizes


@settings(max_examples=40)
@given(
    effect=st.floats(0.05, 3),
    power=st.floats(0.2, 0.99),
    alternative=st.sampled_from(["two-sided", "greater"]),
    alpha=alphas,
)
def test_statsmodels_needs_as_many_topics(effect: float, power: float, alternative: Alternative, alpha: float) -> None:
    found = topics_for_power(effect, 1.0, power=power, alternative=alternative, alpha=alpha)

    def reached(topics: int) -> float:
        upper = alpha / 2 if alternative == "two-sided" else alpha
        both = float(TTestPower().power(effect, topics, alpha, alternative=SIDES[alternative]))
        return float(TTestPower().power(effect, topics, upper, alternative="larger")) if np.isnan(both) else both

    assert found.topics is not None
    assert found.power == pytest.approx(reached(found.topics), abs=1e-9)
    assert found.power >= power
    assert found.topics == 2 or reached(found.topics - 1) < power + 1e-9


@pytest.mark.parametrize(
    ("effect", "topics"),
    # G*Power 3.1, difference between two dependent means (matched pairs), two tails, alpha .05, power .8.
    [(0.2, 199), (0.5, 34), (0.8, 15)],
)
def test_topics_for_small_medium_and_large_effects(effect: float, topics: int) -> None:
    assert topics_for_power(effect, 1.0).topics == topics


@pytest.mark.parametrize("test", TESTS)
@settings(max_examples=25)
@given(effect=st.floats(0.1, 2), power=st.floats(0.3, 0.95))
def test_with_more_topics_the_power_stays_high_enough(test: str, effect: float, power: float) -> None:
    found = topics_for_power(effect, 1.0, power=power, test=test)
    assert found.topics is not None
    later = [power_of_test(effect, 1.0, found.topics + more, test=test).power for more in range(40)]
    assert min(later) >= power - 1e-12
    if found.topics > 2:
        assert power_of_test(effect, 1.0, found.topics - 1, test=test).power < power


def test_the_sign_test_goes_up_and_down() -> None:
    # Up to 5 topics it is never significant: 2 / 2⁵ = .0625. One loss is allowed with 9 topics (2 · 10 / 2⁹ = .039) and
    # with 10 and 11 (two would be 2 · 67 / 2¹¹ = .065), so that each finds less than the one before; with 12 two are.
    power = {topics: power_of_test(0.8, 1.0, topics, test="sign").power for topics in range(2, 13)}
    assert [power[topics] for topics in (2, 3, 4, 5)] == [0, 0, 0, 0]
    assert power[9] > power[10] > power[11]
    assert power[12] > power[11]


@settings(max_examples=25)
@given(sd=st.floats(0.01, 1), topics=st.integers(8, 500), power=st.floats(0.3, 0.95))
@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_the_difference_that_is_found(
    test: str, alternative: Alternative, sd: float, topics: int, power: float
) -> None:
    found = difference_for_power(sd, topics, power=power, test=test, alternative=alternative)
    assert found.power == pytest.approx(power, abs=1e-9)
    assert (found.difference < 0) == (alternative == "less")
    again = power_of_test(found.difference, sd, topics, test=test, alternative=alternative)
    assert again.power == found.power


def test_statsmodels_finds_the_same_difference() -> None:
    expected = TTestPower().solve_power(nobs=50, alpha=0.05, power=0.8)
    assert difference_for_power(0.12, 50).difference == pytest.approx(0.12 * expected, rel=1e-6)


@settings(max_examples=25)
@given(systems=st.integers(2, 30), effect=st.floats(0.2, 2), power=st.floats(0.3, 0.95))
def test_topics_for_anova(systems: int, effect: float, power: float) -> None:
    found = topics_for_anova(effect, 1.0, systems, power=power)
    f = math.sqrt(effect**2 / 2 / systems)
    assert found.topics is not None
    assert FTestAnovaPower().power(f, systems * found.topics, 0.05, k_groups=systems) >= power - 1e-9
    if found.topics > 2:
        assert FTestAnovaPower().power(f, systems * (found.topics - 1), 0.05, k_groups=systems) < power + 1e-9


def test_the_width_of_an_interval_by_simulation() -> None:
    # Student's intervals of 20 normal differences with standard deviation .12, as scipy gives them.
    differences = np.random.default_rng(3).normal(0, 0.12, (20, 4000))
    interval = scipy.stats.ttest_1samp(differences, 0).confidence_interval(0.95)
    widths = interval.high - interval.low
    assert expected_width(20, 0.12, 0.95) == pytest.approx(widths.mean(), abs=4 * widths.std() / math.sqrt(4000))


@settings(max_examples=30)
@given(width=st.floats(0.02, 1), sd=st.floats(0.05, 0.5), level=st.sampled_from([0.9, 0.95, 0.99]))
def test_the_least_topics_that_make_an_interval_narrow(width: float, sd: float, level: float) -> None:
    found = topics_for_interval(width, sd, level=level)
    assert found.topics is not None
    assert found.width == expected_width(found.topics, sd, level) <= width
    assert found.topics == 2 or expected_width(found.topics - 1, sd, level) > width


# Pilots


def test_variance_of_two_systems_is_that_of_their_differences() -> None:
    scores = made_up(7, 30, 2)
    found = pilot_variance(scores)
    assert found.difference_sd == pytest.approx((scores[:, 0] - scores[:, 1]).std(ddof=1))
    assert found.scores_sd == pytest.approx(math.sqrt(scores.var(axis=0, ddof=1).mean()))


@pytest.mark.real_data
def test_variance_of_a_track(real_data: Path) -> None:
    scores = trec(real_data, "adhoc5_ap")[:, :20]
    found = pilot_variance(scores)
    first, second = np.triu_indices(20, 1)
    # The mean of the variances of the differences of all pairs, and statsmodels' residual mean square.
    assert found.difference_sd**2 == pytest.approx((scores[:, first] - scores[:, second]).var(axis=0, ddof=1).mean())
    assert found.residual_sd**2 == pytest.approx(statsmodels_table(scores).loc["Residual", "mean_sq"])


# What cannot be answered


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda: power_of_test(0.1, 0.1, 1), "there are fewer than two topics"),
        (lambda: power_of_test(0.1, 0, 50), "the standard deviation is zero: any difference would show on every topic"),
        (lambda: power_of_anova(0.1, 0.2, 5, 1), "there are fewer than two topics"),
        (lambda: topics_for_power(0, 0.1), "a difference of zero is not found with any number of topics"),
        (lambda: topics_for_power(0.1, 0), "the standard deviation is zero: any difference would show on every topic"),
        (lambda: topics_for_power(-0.1, 0.1, alternative="greater"), "the difference lies on the other side of zero from where the test looks"),
        (lambda: topics_for_power(0.1, 0.1, alternative="less"), "the difference lies on the other side of zero from where the test looks"),
        (lambda: topics_for_power(1e-5, 0.1), "more than 1,000,000 topics would be needed"),
        (lambda: topics_for_anova(0, 0.2, 5), "a difference of zero is not found with any number of topics"),
        (lambda: topics_for_anova(1e-5, 0.2, 5), "more than 1,000,000 topics would be needed"),
        (lambda: difference_for_power(0.1, 1), "there are fewer than two topics"),
        (lambda: difference_for_power(0.1, 4, test="sign"), "with so few topics no difference, however large, is found with that probability"),
        (lambda: topics_for_interval(0.1, 0), "the standard deviation is zero: any difference would show on every topic"),
        (lambda: topics_for_interval(1e-6, 0.1), "more than 1,000,000 topics would be needed"),
        (lambda: pilot_variance([[0.1, 0.2]]), "there are fewer than two topics"),
        (lambda: pilot_variance([[0.1], [0.2]]), "there are fewer than two systems"),
        (lambda: pilot_variance([[0.1, 0.2], [0.2, 0.3]]), "the residual variance is zero: on every topic the systems differ by the same amounts"),
    ],
)  # fmt: skip
def test_undefined(answer: Any, reason: str) -> None:
    found = answer()
    assert found.undefined == reason
    if hasattr(found, "sentence"):
        assert reason in found.sentence
        assert found.to_dict()["undefined"] == reason


def test_the_most_topics_are_enough_or_not() -> None:
    found = topics_for_power(0.002807, 1.0)  # just below a million
    assert found.topics is not None
    assert 990_000 < found.topics <= MOST_TOPICS


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (lambda: power_of_test(0.1, -1, 50), "sd must be a number of at least 0, not -1"),
        (lambda: power_of_test(math.nan, 1, 50), "difference must be a number, not nan"),
        (lambda: power_of_test(0.1, 1, 50, test="F"), "test must be one of t, wilcoxon, sign, not 'F'"),
        (lambda: power_of_test(0.1, 1, 2.5),  # type: ignore[arg-type]
         "topics must be a whole number of at least 0, not 2.5"),
        (lambda: power_of_test(0.1, 1, 50, alpha=1), "alpha must be a number above 0 and below 1, not 1"),
        (lambda: power_of_anova(0.1, 1, 1, 50), "systems must be a whole number of at least 2, not 1"),
        (lambda: power_of_anova(0.1, 1, 3, 50, design="3-way"),  # type: ignore[arg-type]
         "design must be one of one-way, two-way, not '3-way'"),
        (lambda: topics_for_power(0.1, 1, power=0.01), "power must be a number above 0.05 and below 1, not 0.01"),
        (lambda: topics_for_interval(0, 1), "width must be a number above 0, not 0"),
    ],
)  # fmt: skip
def test_wrong_parameters(question: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message.replace("(", r"\(")):
        question()


def test_a_pilot_with_nan() -> None:
    with pytest.raises(DataError, match="scores, topic 1, column 2: nan is not a score"):
        pilot_variance([[0.1, math.nan], [0.2, 0.3]])
