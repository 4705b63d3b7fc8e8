"""The randomisation test against scipy, against all signs written out, and against itself in other orders."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cranfield.errors import ParameterError
from cranfield.stats.arguments import ALTERNATIVES, Alternative
from cranfield.stats.significance.differences import Differences
from cranfield.stats.significance.randomisation import randomisation_test, randomisation_tests
from cranfield.stats.significance.sign_flips import Subsets, count_subsets_up_to
from tests.stats.significance.two_systems import A, B, Numbers, as_scores, hundredths, share_as_extreme


def numbers(size: int, seed: int) -> Numbers:
    """Differences without ties, mostly positive."""
    return np.random.PCG64(seed).random_raw(size) / 2**63 - 0.8


def test_the_notes_example_by_all_signs() -> None:
    d = [29, -3, -1, 41, 10]
    sums = [sum(s * x for s, x in zip(signs, d, strict=True)) for signs in itertools.product((-1, 1), repeat=5)]
    assert randomisation_test(A, B).p == sum(abs(s) >= 76 for s in sums) / 32
    assert randomisation_test(A, B, alternative="greater").p == sum(s >= 76 for s in sums) / 32
    assert randomisation_test(A, B, alternative="less").p == sum(s <= 76 for s in sums) / 32
    assert randomisation_test(A, B).notes == ("p is exact, over all 2^5 choices of signs",)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(max_examples=25)
@given(size=st.integers(2, 9), seed=st.integers(0, 10**6))
def test_exact_agrees_with_scipy(alternative: Alternative, size: int, seed: int) -> None:
    d = numbers(size, seed)
    expected = scipy.stats.permutation_test(
        (d,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative=alternative
    )
    # Through all subsets at once, and by meeting in the middle.
    for resamples in (100_000, 1):
        found = randomisation_test(d, 0 * d, alternative=alternative, resamples=resamples)
        assert found.p == pytest.approx(expected.pvalue, abs=1e-12)
        assert found.statistic == pytest.approx(expected.statistic)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(max_examples=40)
@given(scores=hundredths(most=40, highest=10))
def test_exact_for_many_topics_with_ties_and_zeros(
    alternative: Alternative, scores: tuple[list[int], list[int]]
) -> None:
    d = np.subtract(*scores)
    assume(d.any())
    assume(np.count_nonzero(d) <= 30)
    found = randomisation_test(
        as_scores(scores[0]), as_scores(scores[1]), alternative=alternative, resamples=1, exact_up_to=30
    )
    assert found.p == pytest.approx(share_as_extreme(d, alternative), abs=1e-12)
    assert found.notes == (f"p is exact, over all 2^{np.count_nonzero(d)} choices of signs",)


def test_exact_for_forty_topics() -> None:
    d = np.rint(1000 * numbers(40, 3))
    found = randomisation_test(d / 1000, 0 * d)
    assert found.p == pytest.approx(share_as_extreme(d, "two-sided"), rel=1e-9)
    assert found.notes == ("p is exact, over all 2^40 choices of signs",)


@given(st.lists(st.integers(-9, 9), max_size=10), st.integers(-20, 20))
def test_counting_subsets_without_going_through_them(whole: list[int], limit: int) -> None:
    sums = [sum(itertools.compress(whole, chosen)) for chosen in itertools.product((0, 1), repeat=len(whole))]
    assert count_subsets_up_to(np.array(whole, dtype=float), limit) == sum(s <= limit for s in sums)


@pytest.mark.parametrize("topics", [1, 7, 8, 9, 63, 64, 65, 130])
def test_tables_and_products_of_matrices_are_the_same(topics: int) -> None:
    subsets = Subsets.random(topics, 200, seed=1)
    columns = np.random.PCG64(0).random_raw(topics * 9).reshape(topics, 9) / 2**64
    chosen = np.unpackbits(subsets.bits, axis=1, bitorder="little")
    assert not chosen[:, topics:].any()
    assert len(subsets) + subsets.empty == 200
    expected = columns.T @ chosen[:, :topics].T
    np.testing.assert_allclose(subsets.sums(columns), expected, rtol=1e-12)
    np.testing.assert_allclose(subsets.sums(columns[:, :2]), expected[:2], rtol=1e-12)
    assert subsets.sizes().tolist() == chosen.sum(axis=1).tolist()


def test_random_subsets_are_fair() -> None:
    # Each topic is in half of the subsets, each two topics together in a quarter: within five standard deviations.
    subsets = Subsets.random(20, 40_000, seed=0)
    chosen = np.unpackbits(subsets.bits, axis=1, bitorder="little")[:, :20].astype(float)
    together = chosen.T @ chosen / 40_000
    single = np.diag(together)
    assert np.abs(single - 1 / 2).max() < 5 * 0.5 / 200
    assert np.abs(together - np.diag(single) - 1 / 4 * (1 - np.eye(20))).max() < 5 * math.sqrt(3 / 16) / 200


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_random_signs_come_close_to_all_signs(alternative: Alternative) -> None:
    for seed in range(5):
        d = np.rint(100 * (numbers(60, seed) + 0.05))
        p = share_as_extreme(d, alternative)
        found = randomisation_test(d / 100, 0 * d, alternative=alternative)
        # Five standard deviations of a share of 100,000.
        assert found.p == pytest.approx(p, abs=5 * math.sqrt(p * (1 - p) / 100_000) + 1e-5)
        assert found.notes == (
            "p is an estimate from 100,000 random choices of signs, seed 0; it cannot be below 1/100,001",
        )


def test_p_is_never_zero() -> None:
    # All 100 differences are positive: no random choice comes near, and the observed one counts.
    assert randomisation_test(np.arange(1, 101), np.zeros(100), resamples=999).p == 1 / 1000


def test_same_seed_same_number() -> None:
    # The definition bit by bit: two words of PCG64's stream for each choice, a bit for each of the sorted differences.
    d = list(range(-30, 40))
    words = np.random.PCG64(9).random_raw(500 * 2).tolist()
    choices = [words[start] | words[start + 1] << 64 for start in range(0, len(words), 2)]
    sums = [sum(-x if choice >> i & 1 else x for i, x in enumerate(d)) for choice in choices]
    count = sum(abs(total) >= sum(d) for total in sums)
    assert 5 < count < 495
    assert randomisation_test(np.array(d) / 100, np.zeros(70), resamples=500, seed=9).p == (count + 1) / 501


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(max_examples=20)
@given(order=st.permutations(range(50)))
def test_order_of_topics_and_of_systems(alternative: Alternative, order: list[int]) -> None:
    new, baseline = np.random.PCG64(7).random_raw(100).reshape(2, 50) / 2**64
    swapped: dict[Alternative, Alternative] = {"two-sided": "two-sided", "greater": "less", "less": "greater"}
    plain = randomisation_test(new, baseline, alternative=alternative, resamples=500)
    mixed = randomisation_test(new[order], baseline[order], alternative=alternative, resamples=500)
    other = randomisation_test(baseline, new, alternative=swapped[alternative], resamples=500)
    assert plain == mixed
    assert plain.p == other.p
    assert plain.interval is not None
    assert other.interval is not None
    assert (plain.interval.lower, plain.interval.upper) == (-other.interval.upper, -other.interval.lower)


def test_many_pairs_at_once_are_as_each_alone() -> None:
    scores = np.random.PCG64(2).random_raw(30 * 12).reshape(30, 12) / 2**64
    differences, first, second = Differences.all_pairs(scores)
    together = randomisation_tests(differences, resamples=2000)
    assert len(together) == 66
    for pair, outcome in enumerate(together):
        alone = randomisation_test(scores[:, first[pair]], scores[:, second[pair]], resamples=2000, exact_up_to=24)
        assert outcome.p == alone.p
        assert outcome.interval is not None
        assert alone.interval is not None
        assert outcome.interval.lower == pytest.approx(alone.interval.lower, rel=1e-12)


def test_interval_of_few_topics_by_all_subsets() -> None:
    # Differences 1 2 4 8 16 have 31 subsets. A true mean of m is not rejected at .10 (.05 on each side) unless at most
    # one choice of signs in 32 is as extreme: the identity. So the bounds are the smallest and the greatest subset mean.
    d = [1, 2, 4, 8, 16]
    at_90 = randomisation_test(d, [0] * 5, level=0.9).interval
    assert at_90 is not None
    assert (at_90.lower, at_90.upper) == (1, 16)
    # With .125 on each side four choices are too few: the fourth smallest of 1 1.5 2 7/3 ... is the lower bound.
    means = sorted(np.mean(s) for k in range(1, 6) for s in itertools.combinations(d, k))
    at_75 = randomisation_test(d, [0] * 5, level=0.75).interval
    assert at_75 is not None
    assert (at_75.lower, at_75.upper) == pytest.approx((means[3], means[-4]))
    # 2.5 % of 32 is less than one: no bound can be had from five topics.
    at_95 = randomisation_test(d, [0] * 5)
    assert at_95.interval is not None
    assert (at_95.interval.lower, at_95.interval.upper) == (-math.inf, math.inf)
    assert "too few topics for a 95 % interval" in at_95.sentence


@pytest.mark.parametrize("size", [10, 40])
def test_interval_is_where_the_test_does_not_reject(size: int) -> None:
    d = numbers(size, 11)
    interval = randomisation_test(d, 0 * d, level=0.9).interval
    assert interval is not None
    sides: list[tuple[float, int, Alternative]] = [(interval.lower, -1, "greater"), (interval.upper, 1, "less")]
    for bound, outwards, towards in sides:
        # The p-values of the one-sided tests just outside and just inside, of which about .05 must be the border.
        p = [
            randomisation_test(d, np.full(size, bound + outwards * step), alternative=towards, exact_up_to=0).p
            for step in (0.02, -0.02)
        ]
        assert p[0] < 0.05 < p[1]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"resamples": 0}, "resamples must be a whole number of at least 1, not 0"),
        ({"resamples": 1.5}, "resamples must be a whole number of at least 1, not 1.5"),
        ({"seed": -1}, "seed must be a whole number of at least 0, not -1"),
        ({"exact_up_to": 60}, "exact_up_to must be at most 48, not 60"),
    ],
)
def test_wrong_arguments(wrong: dict[str, int], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        randomisation_test(A, B, **wrong)  # type: ignore[arg-type]
