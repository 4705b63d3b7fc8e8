"""All tests for two systems together: on the systems of TREC, calibration, and that many at once are as one alone."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.stats

from cranfield.errors import UsageError
from cranfield.stats.arguments import ALTERNATIVES, Alternative
from cranfield.stats.significance.bootstrap import bootstrap_test, bootstrap_tests, resampled_means
from cranfield.stats.significance.differences import Differences
from cranfield.stats.significance.equivalence import equivalence_tests, non_inferiority_tests
from cranfield.stats.significance.paired_tests import PAIRED_TESTS, all_pairs, run_paired_tests
from cranfield.stats.significance.randomisation import randomisation_test, randomisation_tests
from cranfield.stats.significance.sign_test import sign_test, sign_tests
from cranfield.stats.significance.t_test import paired_t_test, paired_t_tests
from cranfield.stats.significance.wilcoxon import wilcoxon_test, wilcoxon_tests
from tests.stats.significance.two_systems import Numbers, share_as_extreme, trec

ALONE = {
    "t": paired_t_test,
    "wilcoxon": wilcoxon_test,
    "sign": sign_test,
    "randomisation": randomisation_test,
    "bootstrap": bootstrap_test,
}
TRACKS = ["adhoc5", "adhoc6", "adhoc7"]

close: dict[str, Any] = {"rtol": 1e-9, "atol": 1e-12}


def whole_differences(scores: Numbers, scale: int) -> Numbers:
    """The differences of all pairs in whole numbers of the last decimal, in which ties and zeros are exact."""
    whole = np.rint(scores * scale)
    first, second = np.triu_indices(scores.shape[1], 1)
    return whole[:, first] - whole[:, second]


@pytest.mark.real_data
@pytest.mark.parametrize("track", TRACKS)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_t_wilcoxon_and_sign_agree_with_scipy_on_trec(real_data: Path, track: str, alternative: Alternative) -> None:
    scores = trec(real_data, f"{track}_ap")
    differences, _, _ = Differences.all_pairs(scores)
    whole = whole_differences(scores, 10_000)
    assert differences.pairs >= 1000
    t = scipy.stats.ttest_1samp(whole / 10_000, 0, alternative=alternative)
    found = paired_t_tests(differences, alternative=alternative)
    np.testing.assert_allclose(found.statistic, t.statistic, **close)
    np.testing.assert_allclose(found.p, t.pvalue, **close)
    lower, upper = t.confidence_interval()
    np.testing.assert_allclose(found.interval.lower, lower, **close)
    np.testing.assert_allclose(found.interval.upper, upper, **close)

    zeros, method = {"adhoc5": "wilcox", "adhoc6": "pratt", "adhoc7": "zsplit"}[track], "normal"
    normal = scipy.stats.wilcoxon(
        whole, zero_method=zeros, method="asymptotic", correction=True, alternative=alternative
    )
    ranks = wilcoxon_tests(differences, zeros=zeros, method=method, correction=1, alternative=alternative)  # type: ignore[arg-type]
    np.testing.assert_allclose(ranks.p, normal.pvalue, **close)

    wins, losses = (whole > 0).sum(axis=0), (whole < 0).sum(axis=0)
    tails = {
        "greater": scipy.stats.binom.sf(wins - 1, wins + losses, 0.5),
        "less": scipy.stats.binom.cdf(wins, wins + losses, 0.5),
        "two-sided": np.minimum(1, 2 * scipy.stats.binom.cdf(np.minimum(wins, losses), wins + losses, 0.5)),
    }
    np.testing.assert_allclose(sign_tests(differences, alternative=alternative).p, tails[alternative], **close)


@pytest.mark.real_data
@pytest.mark.parametrize("track", TRACKS)
def test_exact_ranks_agree_with_scipy_on_trec_where_nothing_is_tied(real_data: Path, track: str) -> None:
    scores = trec(real_data, f"{track}_ap")
    differences, _, _ = Differences.all_pairs(scores)
    whole = whole_differences(scores, 10_000)
    sizes = np.sort(np.abs(whole), axis=0)
    untied = (np.diff(sizes, axis=0) > 0).all(axis=0) & (sizes[0] > 0)
    assert untied.sum() > 40
    exact = scipy.stats.wilcoxon(whole[:, untied], method="exact")
    np.testing.assert_allclose(wilcoxon_tests(differences).p[untied], exact.pvalue, **close)


@pytest.mark.real_data
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_randomisation_agrees_with_scipy_on_ten_topics_of_trec(real_data: Path, alternative: Alternative) -> None:
    scores = trec(real_data, "adhoc5_ap")[:10]
    differences, _, _ = Differences.all_pairs(scores)
    assert differences.pairs >= 1000
    expected = scipy.stats.permutation_test(
        (whole_differences(scores, 10_000),), lambda d, axis: d.sum(axis=axis),
        permutation_type="samples", n_resamples=np.inf, alternative=alternative, vectorized=True, axis=0,
    )  # fmt: skip
    defined = ~differences.all_zero
    for resamples in (10_000, 1):  # all subsets at once, and by meeting in the middle
        found = randomisation_tests(differences, alternative=alternative, resamples=resamples)
        np.testing.assert_allclose(found.p[defined], expected.pvalue[defined], **close)


@pytest.mark.real_data
def test_exact_randomisation_agrees_with_counting_sums_on_trec(real_data: Path) -> None:
    # P@10 has one decimal: sums of differences are few, and counted exactly.
    scores = trec(real_data, "adhoc5_p10")[:25]
    differences, _, _ = Differences.all_pairs(scores)
    assert differences.pairs >= 1000
    found = randomisation_tests(differences, resamples=100, exact_up_to=25)
    expected = [share_as_extreme(column[column != 0], "two-sided") for column in whole_differences(scores, 10).T]
    np.testing.assert_allclose(found.p[~differences.all_zero], np.array(expected)[~differences.all_zero], **close)


@pytest.mark.real_data
def test_random_signs_come_close_to_counting_sums_on_trec(real_data: Path) -> None:
    scores = trec(real_data, "adhoc6_p10")[:, :12]
    whole = whole_differences(scores, 10)
    found = randomisation_tests(Differences.all_pairs(scores)[0], resamples=20_000, exact_up_to=0)
    expected = np.array([share_as_extreme(column[column != 0], "two-sided") for column in whole.T])
    assert np.all(np.abs(found.p - expected) < 5 * np.sqrt(expected * (1 - expected) / 20_000) + 1e-4)


@pytest.mark.real_data
@pytest.mark.parametrize("track", TRACKS)
def test_bootstrap_intervals_agree_with_scipy_on_trec(real_data: Path, track: str) -> None:
    scores = trec(real_data, f"{track}_ap")[:, :47]  # 1081 pairs
    differences, _, _ = Differences.all_pairs(scores)
    upright, turned = differences.one_way_round()
    # Whole numbers again, and sums in place of means, so that samples with the mean of all topics are seen to have it.
    sums = np.rint(resampled_means(upright, 400, 0) * 50 * 10_000) * np.where(turned, -1, 1)[:, np.newaxis]
    expected = scipy.stats.bootstrap(
        (whole_differences(scores, 10_000).T,), np.sum, axis=-1, n_resamples=0,
        bootstrap_result=SimpleNamespace(bootstrap_distribution=sums),
    ).confidence_interval  # fmt: skip
    found = bootstrap_tests(differences, resamples=400).interval
    np.testing.assert_allclose(found.lower * 500_000, expected.low, rtol=1e-9, atol=1e-6)
    np.testing.assert_allclose(found.upper * 500_000, expected.high, rtol=1e-9, atol=1e-6)


@pytest.mark.real_data
def test_order_of_topics_and_systems_on_trec(real_data: Path) -> None:
    scores = trec(real_data, "adhoc5_ap")[:, :15]
    topics = np.argsort(np.random.PCG64(1).random_raw(50))
    plain, mixed = all_pairs(scores, resamples=500), all_pairs(scores[topics][:, ::-1], resamples=500)
    # With the systems in the opposite order a pair has its systems swapped, and stands elsewhere.
    place = {(14 - b, 14 - a): i for i, (a, b) in enumerate(zip(mixed.first, mixed.second, strict=True))}
    there = [place[pair] for pair in zip(plain.first, plain.second, strict=True)]
    for name, outcomes in plain.by_test.items():
        np.testing.assert_allclose(outcomes.p, mixed.by_test[name].p[there], rtol=1e-12, err_msg=name)
        np.testing.assert_allclose(outcomes.interval.lower, -mixed.by_test[name].interval.upper[there], atol=1e-12)


# How often each test rejects at .05 where there is nothing to find, in 4,000 experiments: for a true rate of .05 the
# standard deviation is √(.05 · .95 / 4000) = .0034. Limits are four of these away from what is known of the test.


def null_experiments(shape: str, topics: int) -> Differences:
    random = np.random.default_rng(1)
    d = {
        "normal": random.normal(size=(topics, 4000)),
        "heavy": random.standard_t(3, size=(topics, 4000)),
        "ties": np.rint(3 * random.normal(size=(topics, 4000))),
    }[shape]
    return Differences.between(d, 0)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(
    ("name", "shape", "low", "high"),
    [
        ("t", "normal", 0.036, 0.064),
        ("t", "heavy", 0.030, 0.064),  # heavy tails make it cautious
        ("wilcoxon", "normal", 0.034, 0.064),  # .0484 is the highest level below .05 that 25 ranks can have
        ("wilcoxon", "heavy", 0.034, 0.064),
        ("wilcoxon", "ties", 0.034, 0.064),
        ("randomisation", "normal", 0.036, 0.064),
        ("randomisation", "heavy", 0.036, 0.064),
        ("randomisation", "ties", 0.034, 0.064),
        ("bootstrap", "normal", 0.045, 0.085),  # without Student's correction: the normal level of t with 24 degrees
    ],
)
def test_rejects_at_close_to_alpha_under_the_null(
    name: str, shape: str, low: float, high: float, alternative: Alternative
) -> None:
    outcomes = run_paired_tests(null_experiments(shape, 25), [name], alternative=alternative, resamples=1000)[name]
    assert low < outcomes.significant.mean() < high


def test_the_sign_test_rejects_as_often_as_a_coin_can() -> None:
    # 18 heads or more of 25: Σ C(25, k) / 2^25 over k = 18..25 is .02164; 17 or more would be .0539, above .05.
    level = sum(math.comb(25, k) for k in range(18, 26)) / 2**25
    experiments = null_experiments("normal", 25)
    for alternative, expected in (("greater", level), ("less", level), ("two-sided", 2 * level)):
        rejected = sign_tests(experiments, alternative=alternative).significant.mean()  # type: ignore[arg-type]
        assert rejected == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / 4000))


@pytest.mark.parametrize("name", ["t", "randomisation", "bootstrap"])
def test_intervals_hold_the_true_mean_as_often_as_they_say(name: str) -> None:
    interval = run_paired_tests(null_experiments("normal", 25), [name], level=0.9, resamples=1000)[name].interval
    held = np.mean((interval.lower <= 0) & (interval.upper >= 0))
    # Four standard deviations are .019; the bootstrap's quantiles know nothing of Student's correction.
    assert (0.86 if name == "bootstrap" else 0.881) < held < 0.919


def test_equivalence_is_rarely_claimed_at_the_margin() -> None:
    at_the_margin = Differences(null_experiments("normal", 25).values + 1, np.full(4000, 1e-12))
    # Hardly ever is the other side in doubt, so both tests reject at their level.
    assert 0.036 < equivalence_tests(at_the_margin, 1).significant.mean() < 0.064
    below = Differences(at_the_margin.values - 2, at_the_margin.tolerance)
    assert 0.036 < non_inferiority_tests(below, 1).significant.mean() < 0.064


@pytest.mark.parametrize("name", PAIRED_TESTS)
def test_many_at_once_are_as_one_alone(name: str) -> None:
    scores = np.random.PCG64(3).random_raw(15 * 8).reshape(15, 8) / 2**64
    together = all_pairs(scores, [name])
    outcomes = together.by_test[name]
    assert len(outcomes) == 28
    for outcome, a, b in zip(outcomes, together.first, together.second, strict=True):
        alone = ALONE[name](scores[:, a], scores[:, b])
        assert outcome.p == pytest.approx(alone.p, rel=1e-12)
        assert (outcome.n, outcome.wins, outcome.undefined) == (15, alone.wins, None)


def test_one_undefined_pair_leaves_the_others_alone() -> None:
    scores = [[0.1, 0.1, 0.5], [0.2, 0.2, 0.1], [0.3, 0.3, 0.9]]
    for name, outcomes in all_pairs(scores).by_test.items():
        assert [outcome.undefined for outcome in outcomes] == ["all differences are zero", None, None], name
        assert math.isnan(outcomes.p[0])
        assert np.all(outcomes.p[1:] > 0)


def test_no_such_test() -> None:
    with pytest.raises(UsageError, match=r"unknown test 'bootstrp'\. Did you mean bootstrap\?"):
        all_pairs([[1, 2], [2, 3]], ["bootstrp"])
