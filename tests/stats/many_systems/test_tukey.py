"""Tukey's test against scipy's studentised range; the randomised one against all permutations and by simulation."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.errors import DataError, ParameterError
from cranfield.stats import Tukey, randomised_tukey_hsd, tukey_hsd
from cranfield.stats.many_systems.studentised_range import studentised_range_isf, studentised_range_sf
from tests.stats.many_systems.test_anova import made_up, statsmodels_table
from tests.stats.significance.two_systems import Numbers, trec

# The studentised range


@pytest.mark.parametrize("df", [1, 2, 5, 49, 500, 5000])
@pytest.mark.parametrize("systems", [2, 3, 10, 103])
def test_scipy_has_the_same_studentised_range(systems: int, df: int) -> None:
    q = np.array([0, 0.3, 1, 2, 3.5, 5, 8, 30])
    assert studentised_range_sf(q, systems, df) == pytest.approx(
        scipy.stats.studentized_range.sf(q, systems, df), abs=1e-9
    )  # fmt: skip


@pytest.mark.parametrize(
    ("systems", "df", "printed"), [(3, 10, 3.877), (5, 20, 4.232), (10, 60, 4.646), (20, 120, 5.126)]
)
def test_published_table_of_critical_values(systems: int, df: int, printed: float) -> None:
    # H. L. Harter, Tables of range and studentized range, 1960, as every textbook prints it (alpha .05, 3 decimals).
    assert studentised_range_isf(0.05, systems, df) == pytest.approx(printed, abs=6e-4)


def test_scipy_has_the_same_p_for_independent_samples() -> None:
    samples = made_up(3, 12, 4).T
    error = np.mean([sample.var(ddof=1) for sample in samples]) / 12
    q = np.abs(samples[0].mean() - [sample.mean() for sample in samples[1:]]) / math.sqrt(error)
    assert studentised_range_sf(q, 4, 44) == pytest.approx(scipy.stats.tukey_hsd(*samples).pvalue[0, 1:], abs=1e-9)


def test_the_distribution_and_its_inverse() -> None:
    for p in (0.5, 0.05, 1e-6):
        assert studentised_range_sf(studentised_range_isf(p, 7, 60), 7, 60) == pytest.approx(p, rel=1e-9)


# Tukey's test


def agrees(found: Tukey, scores: Numbers, pairs: slice) -> None:
    """With the residual mean square of statsmodels and the studentised range of scipy."""
    topics, systems = scores.shape
    residual = statsmodels_table(scores).loc["Residual"]
    error = math.sqrt(residual["mean_sq"] / topics)
    means = scores.mean(axis=0)
    difference = means[found.first] - means[found.second]
    assert found.difference == pytest.approx(difference, abs=1e-12)
    q = np.abs(difference[pairs]) / error
    expected = scipy.stats.studentized_range.sf(q, systems, residual["df"])
    assert found.p[pairs] == pytest.approx(expected, abs=1e-9)
    critical = scipy.stats.studentized_range.isf(0.05, systems, residual["df"]) * error
    assert found.critical == pytest.approx(critical, rel=1e-7)
    assert found.upper - found.difference == pytest.approx(np.full(found.comparisons, critical))
    assert found.difference - found.lower == pytest.approx(np.full(found.comparisons, critical))


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), topics=st.integers(2, 20), systems=st.integers(2, 6))
def test_tukey_agrees_with_statsmodels_and_scipy(seed: int, topics: int, systems: int) -> None:
    scores = made_up(seed, topics, systems)
    agrees(tukey_hsd(scores), scores, slice(None))


@pytest.mark.real_data
@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
@pytest.mark.parametrize("name", ["adhoc5_ap", pytest.param("adhoc7_p10", marks=pytest.mark.slow)])
def test_tukey_agrees_on_a_track(name: str, real_data: Path) -> None:
    scores = trec(real_data, name)[:, ::3]  # statsmodels takes long for more
    agrees(tukey_hsd(scores), scores, slice(0, 100))


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6), topics=st.integers(2, 50))
def test_with_two_systems_it_is_the_paired_t_test(seed: int, topics: int) -> None:
    scores = made_up(seed, topics, 2)
    t = scipy.stats.ttest_rel(scores[:, 0], scores[:, 1])
    found = tukey_hsd(scores)
    assert found.p[0] == pytest.approx(t.pvalue, abs=1e-9)
    low, high = t.confidence_interval(0.95)
    assert (found.lower[0], found.upper[0]) == pytest.approx((low, high), rel=1e-8)


# Both


@pytest.mark.parametrize("test", [tukey_hsd, randomised_tukey_hsd])
@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), level=st.sampled_from([0.5, 0.9, 0.95]))
def test_what_follows_from_the_critical_difference(test: Any, seed: int, level: float) -> None:
    found = test(made_up(seed, 10, 5), level=level)
    assert found.comparisons == 10
    far = np.abs(found.difference) > found.critical
    assert found.significant.tolist() == far.tolist()
    assert ((found.lower > 0) | (found.upper < 0)).tolist() == far.tolist()
    shares = [
        bool(set(found.groups.letters[i]) & set(found.groups.letters[j]))
        for i, j in itertools.combinations(range(5), 2)
    ]
    assert shares == (~far).tolist()


@pytest.mark.parametrize("test", [tukey_hsd, randomised_tukey_hsd])
def test_the_order_of_topics_and_systems_makes_no_difference(test: Any) -> None:
    scores = made_up(4, 15, 6)
    found = test({f"s{column}": scores[:, column] for column in range(6)})
    by_pair = {frozenset((pair["first"], pair["second"])): pair for pair in found.pairs()}
    rng = np.random.default_rng(5)
    for _ in range(5):
        topics, systems = rng.permutation(15), rng.permutation(6)
        other = test({f"s{column}": scores[topics, column] for column in systems})
        assert other.critical == pytest.approx(found.critical, rel=1e-12)
        assert dict(zip(other.names, other.groups.letters, strict=True)) == dict(
            zip(found.names, found.groups.letters, strict=True)
        )
        for pair in other.pairs():
            before = by_pair[frozenset((pair["first"], pair["second"]))]
            assert pair["p"] == (before["p"] if test is randomised_tukey_hsd else pytest.approx(before["p"], rel=1e-9))
            assert abs(pair["difference"]) == pytest.approx(abs(before["difference"]), abs=1e-15)


@pytest.mark.parametrize("test", [tukey_hsd, randomised_tukey_hsd])
@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ([[0.1, 0.2, 0.3]], "there are fewer than two topics"),
        ([[0.1], [0.2]], "there are fewer than two systems"),
        ({}, "there are fewer than two systems"),
    ],
)
def test_too_little(test: Any, scores: Any, reason: str) -> None:
    found = test(scores)
    assert found.undefined == reason
    assert np.isnan(found.p).all()
    assert reason in found.sentence
    assert not found.significant.any()
    assert len(found.groups.members) == 1


def test_no_variance() -> None:
    apart = [[0.1, 0.2], [0.2, 0.3], [0.6, 0.7]]  # .1 apart on every topic
    found = tukey_hsd(apart)
    assert found.undefined is not None
    assert found.undefined.startswith("the residual variance is zero")
    assert found.to_dict()["pairs"][0]["p"] is None
    assert randomised_tukey_hsd(apart).p[0] == pytest.approx(2 / 8, abs=0.02)  # all three in one order: 2 of 2³
    alike = randomised_tukey_hsd([[0.3, 0.3, 0.3], [0.5, 0.5, 0.5]])
    assert alike.undefined == "on every topic all systems have the same score"
    assert np.isnan(alike.p).all()


def test_what_is_not_a_score() -> None:
    with pytest.raises(DataError, match="b, topic 2: nan is not a score"):
        randomised_tukey_hsd({"a": [0.1, 0.2], "b": [0.1, math.nan]})
    with pytest.raises(ParameterError, match="permutations must be a whole number of at least 1, not 0"):
        randomised_tukey_hsd([[0.1, 0.2], [0.3, 0.5]], permutations=0)
    with pytest.raises(ParameterError, match="level must be a number above 0 and below 1, not 95"):
        tukey_hsd([[0.1, 0.2], [0.3, 0.5]], level=95)


def test_as_json_would_have_it() -> None:
    whole = tukey_hsd({"a": [1, 2, 3, 2], "b": [2, 2, 4, 3], "c": [3, 3, 4, 4]}).to_dict()
    assert whole["systems"] == [
        {"name": "a", "mean": 2.0, "letters": "b"},
        {"name": "b", "mean": 2.75, "letters": "ab"},
        {"name": "c", "mean": 3.5, "letters": "a"},
    ]
    assert (whole["comparisons"], len(whole["pairs"]), whole["pairs"][1]["significant"]) == (3, 3, True)


# The randomised test


def every_permutation(scores: Numbers) -> Numbers:
    """The largest difference of means for every way to put the scores of each topic in an order."""
    orders = [list(itertools.permutations(row)) for row in scores]
    return np.array([np.ptp(np.sum(choice, axis=0)) for choice in itertools.product(*orders)]) / len(scores)


@pytest.mark.parametrize("seed", range(4))
def test_randomised_p_comes_close_to_all_permutations(seed: int) -> None:
    scores = np.random.default_rng(seed).integers(0, 6, (4, 3)).astype(np.float64)
    largest = every_permutation(scores)  # 6⁴
    found = randomised_tukey_hsd(scores, permutations=40_000, seed=seed)
    for difference, p in zip(found.difference, found.p, strict=True):
        exact = (largest >= abs(difference) - 1e-12).mean()
        assert p == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / 40_000) + 1e-4)


def test_the_same_seed_gives_the_same_number_everywhere() -> None:
    # Written out: the raw words of PCG64 are the same on every machine and in every version of NumPy. Topics and the
    # scores of each are sorted; the order of four words, their last two bits being 0, 1, 2, 3, is a permutation.
    scores = (np.arange(24).reshape(6, 4) * 7 % 11).tolist()
    words = iter(np.random.PCG64(7).random_raw(300 * 24).tolist())
    rows = sorted((sorted(row) for row in scores), key=lambda row: row[::-1])
    largest = []
    for _ in range(300):
        sums = [0, 0, 0, 0]
        for row in rows:
            order = sorted((next(words) >> 2 << 2) + place for place in range(4))
            sums = [total + row[word % 4] for total, word in zip(sums, order, strict=True)]
        largest.append(max(sums) - min(sums))
    totals = [sum(column) for column in zip(*scores, strict=True)]
    expected = [
        (1 + sum(one >= abs(a - b) for one in largest)) / 301 for a, b in itertools.combinations(totals, 2)
    ]  # fmt: skip
    assert randomised_tukey_hsd(scores, permutations=300, seed=7).p.tolist() == expected
    assert randomised_tukey_hsd(scores, permutations=300, seed=8).p.tolist() != expected


def test_p_is_never_zero_and_few_permutations_are_said() -> None:
    scores = np.column_stack([np.linspace(0, 0.1, 30), np.linspace(0.5, 0.6, 30)])
    found = randomised_tukey_hsd(scores, permutations=99)
    assert found.p[0] == 1 / 100
    few = randomised_tukey_hsd(scores, permutations=19)  # 1/20 is not below .05
    assert few.p[0] == 1 / 20
    assert not few.significant.any()
    assert math.isinf(few.critical)
    assert "with so few permutations no difference can be significant" in few.notes


def test_chunks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = made_up(6, 9, 5)
    expected = randomised_tukey_hsd(scores, permutations=500)
    monkeypatch.setattr("cranfield.stats.chunks.CELLS", 100)
    assert randomised_tukey_hsd(scores, permutations=500).p.tolist() == expected.p.tolist()


@pytest.mark.real_data
def test_a_track_by_both(real_data: Path) -> None:
    # Carterette (2012) and others find the two tests close to each other where errors are not far from normal.
    scores = trec(real_data, "adhoc6_ap")[:, :20]
    normal, randomised = tukey_hsd(scores), randomised_tukey_hsd(scores, permutations=2000)
    assert normal.comparisons == randomised.comparisons == 190
    assert np.corrcoef(normal.p, randomised.p)[0, 1] > 0.98


# Calibration: what the tests promise


def false_discoveries(trials: int, topics: int, systems: int) -> dict[str, float]:
    """The share of experiments with equal systems in which any pair is called different at .05, skewed scores."""
    rng = np.random.default_rng(1)
    first, second = np.triu_indices(systems, 1)
    found = dict.fromkeys(("t", "tukey", "randomised"), 0)
    for _ in range(trials):
        scores = rng.beta(0.4, 0.8, (topics, 1)) * 0.5 + rng.beta(0.5, 1.5, (topics, systems)) * 0.5
        t = scipy.stats.ttest_rel(scores[:, first], scores[:, second]).pvalue
        found["t"] += bool((t < 0.05).any())
        found["tukey"] += bool(tukey_hsd(scores).significant.any())
        found["randomised"] += bool(randomised_tukey_hsd(scores, permutations=399).significant.any())
    return {name: count / trials for name, count in found.items()}


def test_tukey_controls_the_family_wise_error_where_t_tests_do_not() -> None:
    # 8 equal systems, 28 pairs, 25 topics, 400 experiments: t-tests find something in 54 % of them, Tukey's test in
    # 4.8 % and the randomised one in 4.5 % (.0109 is the standard error of .05 in 400 experiments).
    found = false_discoveries(400, 25, 8)
    assert found["t"] > 0.45
    assert found["tukey"] == pytest.approx(0.05, abs=4 * 0.0109)
    assert found["randomised"] == pytest.approx(0.05, abs=4 * 0.0109)


@pytest.mark.slow
def test_family_wise_error_in_many_experiments() -> None:
    found = false_discoveries(4000, 50, 12)
    assert found["t"] > 0.5
    for name in ("tukey", "randomised"):
        assert found[name] == pytest.approx(0.05, abs=4 * math.sqrt(0.05 * 0.95 / 4000)), name
