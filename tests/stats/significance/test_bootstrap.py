"""The paired bootstrap against scipy's intervals for the same samples, all samples written out, and other orders."""

from __future__ import annotations

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.errors import ParameterError
from cranfield.stats.arguments import ALTERNATIVES, Alternative
from cranfield.stats.random_stream import RandomStream
from cranfield.stats.significance.bootstrap import Method, bootstrap_test, bootstrap_tests, resampled_means
from cranfield.stats.significance.differences import Differences
from tests.stats.significance.two_systems import A, B


@pytest.mark.parametrize("interval", ["bca", "percentile"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(max_examples=20)
@given(size=st.integers(3, 60), seed=st.integers(0, 10**6))
def test_intervals_agree_with_scipy_for_the_same_samples(
    interval: Method, alternative: Alternative, size: int, seed: int
) -> None:
    d = np.random.PCG64(seed).random_raw(size) / 2**63 - 0.6
    d = d**3 if seed % 2 else d  # skewed, or not
    found = bootstrap_test(d, 0 * d, alternative=alternative, interval=interval, resamples=800, level=0.9)
    upright, turned = Differences.of_pair(d, 0 * d).one_way_round()
    means = resampled_means(upright, 800, 0)[0] * (-1 if turned[0] else 1)
    means[np.isclose(means, d.mean(), rtol=0, atol=1e-12)] = d.mean()  # samples that are the topics in another order
    expected = scipy.stats.bootstrap(
        (d,), np.mean, n_resamples=0, bootstrap_result=SimpleNamespace(bootstrap_distribution=means),
        confidence_level=0.9, alternative=alternative, method={"bca": "BCa", "percentile": "percentile"}[interval],
    ).confidence_interval  # fmt: skip
    assert found.interval is not None
    bounds = (found.interval.lower, found.interval.upper)
    assert bounds == pytest.approx((expected.low, expected.high), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_p_comes_close_to_all_samples(alternative: Alternative) -> None:
    # All 5^5 samples of five topics, shifted by the mean: how many are as extreme as the mean found.
    d = [3, -1, 2, 4, -2]
    sums = [sum(sample) for sample in itertools.product(d, repeat=5)]
    shifted = np.array(sums) - 6
    p = {"two-sided": np.abs(shifted) >= 6, "greater": shifted >= 6, "less": shifted <= 6}[alternative].mean()
    found = bootstrap_test(np.array(d) / 10, np.zeros(5), alternative=alternative, resamples=100_000)
    assert found.p == pytest.approx(p, abs=5 * math.sqrt(p * (1 - p) / 100_000) + 1e-5)


def test_draws_are_fair() -> None:
    # Of 200,000 draws of ten items each item has a tenth, within five standard deviations.
    drawn = RandomStream(0).draws(20_000, 10)
    assert drawn.sum(axis=1).tolist() == [10] * 20_000
    assert np.abs(drawn.sum(axis=0) / 200_000 - 0.1).max() < 5 * math.sqrt(0.09 / 200_000)
    # The number of draws of an item is binomial: variance 10 · .1 · .9.
    assert drawn.var() == pytest.approx(0.9, abs=0.01)


def test_uniform_numbers_are_open_and_even() -> None:
    numbers = RandomStream(0).uniform((1000, 100))
    assert 0 < numbers.min() < 1e-4
    assert 1 - 1e-4 < numbers.max() < 1
    assert np.abs(np.bincount((numbers * 10).astype(int).ravel()) / 1e5 - 0.1).max() < 5 * math.sqrt(0.09 / 1e5)


def test_parts_of_the_stream_join() -> None:
    whole, parts = RandomStream(3), RandomStream(3)
    assert whole.draws(7, 5).tolist() == [*parts.draws(3, 5).tolist(), *parts.draws(4, 5).tolist()]


def test_the_stream_is_that_of_numpy() -> None:
    # The first two numbers of default_rng(0).random() in NumPy's documentation.
    assert RandomStream(0).uniform((2,)).tolist() == pytest.approx([0.6369616873214543, 0.2697867137638703], abs=2**-53)


def test_same_seed_same_number() -> None:
    # The definition one draw after the other: half a word of PCG64's stream, the lower first, says which of the sorted
    # differences is drawn; an odd number of topics leaves half a word over.
    d = list(range(-4, 7))
    words = np.random.PCG64(9).random_raw(300 * 6).tolist()
    halves = [half for word in words for half in (word & 0xFFFFFFFF, word >> 32)]
    samples = [halves[start : start + 11] for start in range(0, len(halves), 12)]
    sums = [sum(d[(half * 11) >> 32] for half in sample) for sample in samples]
    count = sum(abs(total - 11) >= 11 for total in sums)  # the sum of d is 11
    assert bootstrap_test(np.array(d) / 10, np.zeros(11), resamples=300, seed=9).p == (count + 1) / 301


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(max_examples=20)
@given(order=st.permutations(range(30)))
def test_order_of_topics_and_of_systems(alternative: Alternative, order: list[int]) -> None:
    new, baseline = np.random.PCG64(7).random_raw(60).reshape(2, 30) / 2**64
    swapped: dict[Alternative, Alternative] = {"two-sided": "two-sided", "greater": "less", "less": "greater"}
    plain = bootstrap_test(new, baseline, alternative=alternative, resamples=500)
    mixed = bootstrap_test(new[order], baseline[order], alternative=alternative, resamples=500)
    other = bootstrap_test(baseline, new, alternative=swapped[alternative], resamples=500)
    assert plain == mixed
    assert plain.p == other.p
    assert plain.interval is not None
    assert other.interval is not None
    assert (plain.interval.lower, plain.interval.upper) == (-other.interval.upper, -other.interval.lower)


def test_many_pairs_at_once_are_as_each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    # Parts of five pairs at a time, and of a few samples at a time.
    monkeypatch.setattr("cranfield.stats.chunks.CELLS", 1500)
    scores = np.random.PCG64(2).random_raw(20 * 7).reshape(20, 7) / 2**64
    differences, first, second = Differences.all_pairs(scores)
    together = bootstrap_tests(differences, resamples=300)
    monkeypatch.undo()
    for pair, outcome in enumerate(together):
        alone = bootstrap_test(scores[:, first[pair]], scores[:, second[pair]], resamples=300)
        assert outcome.p == alone.p
        assert outcome.interval is not None
        assert alone.interval is not None
        assert outcome.interval.upper == pytest.approx(alone.interval.upper, rel=1e-12)


def test_wrong_arguments() -> None:
    with pytest.raises(ParameterError, match="interval must be one of bca, percentile, not 'basic'"):
        bootstrap_test(A, B, interval="basic")  # type: ignore[arg-type]
