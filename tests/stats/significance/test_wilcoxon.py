"""The signed-rank test against scipy, against all signs written out, and against the notes."""

from __future__ import annotations

import itertools
import math
import warnings
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cranfield.errors import ParameterError
from cranfield.stats.arguments import ALTERNATIVES, Alternative
from cranfield.stats.significance.differences import Differences
from cranfield.stats.significance.signed_ranks import SignedRanks, Zeros
from cranfield.stats.significance.wilcoxon import wilcoxon_test
from tests.stats.significance.two_systems import A, B, as_scores, hundredths

close: dict[str, Any] = {"rel": 1e-9, "abs": 1e-12}
ZEROS: list[Zeros] = ["wilcox", "pratt", "zsplit"]


def test_the_notes_example() -> None:
    # The notes' five-query example, B - A: W -9, sigma 7.416, z -1.146.
    outcome = wilcoxon_test(B, A)
    assert outcome.statistic == -9
    assert round(outcome.details["sigma"], 3) == 7.416
    assert round(outcome.details["z"], 3) == -1.146
    # Ranks 1 and 2 are positive, 3, 4 and 5 negative.
    assert (outcome.details["positive_ranks"], outcome.details["negative_ranks"]) == (3, 12)
    assert wilcoxon_test(B, A, method="normal").p == pytest.approx(math.erfc(8.5 / math.sqrt(55) / math.sqrt(2)))


@pytest.mark.parametrize("zeros", ZEROS)
@pytest.mark.parametrize("correction", [False, True])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(max_examples=25)
@given(scores=hundredths(highest=12))
def test_normal_approximation_agrees_with_scipy(
    zeros: Zeros, correction: bool, alternative: Alternative, scores: tuple[list[int], list[int]]
) -> None:
    d = np.subtract(*scores)
    assume(d.any())
    found = wilcoxon_test(
        as_scores(scores[0]), as_scores(scores[1]),
        zeros=zeros, method="normal", correction=float(correction), alternative=alternative,
    )  # fmt: skip
    expected = scipy.stats.wilcoxon(
        d, zero_method=zeros, method="asymptotic", correction=correction, alternative=alternative
    )
    assert found.p == pytest.approx(expected.pvalue, **close)
    z = -abs(found.details["z"]) if alternative == "two-sided" else found.details["z"]
    assert z == pytest.approx(expected.zstatistic, **close)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(max_examples=40)
@given(size=st.integers(2, 50), seed=st.integers(0, 10**6))
def test_exact_without_ties_agrees_with_scipy(alternative: Alternative, size: int, seed: int) -> None:
    d = np.random.PCG64(seed).random_raw(size) / 2**63 - 0.8
    found = wilcoxon_test(d, np.zeros(size), alternative=alternative)
    expected = scipy.stats.wilcoxon(d, method="exact", alternative=alternative)
    assert found.p == pytest.approx(expected.pvalue, **close)
    smaller = min(found.details["positive_ranks"], found.details["negative_ranks"])
    assert expected.statistic == (smaller if alternative == "two-sided" else found.details["positive_ranks"])


@pytest.mark.parametrize("zeros", ZEROS)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(max_examples=15)
@given(scores=hundredths(most=8, highest=4))
def test_exact_with_ties_and_zeros_agrees_with_scipys_permutations(
    zeros: Zeros, alternative: Alternative, scores: tuple[list[int], list[int]]
) -> None:
    d = np.subtract(*scores)
    assume(d.any())
    found = wilcoxon_test(as_scores(scores[0]), as_scores(scores[1]), zeros=zeros, alternative=alternative)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = scipy.stats.wilcoxon(
            d, zero_method=zeros, method=scipy.stats.PermutationMethod(n_resamples=np.inf), alternative=alternative
        )
    assert found.p == pytest.approx(expected.pvalue, **close)


def test_exact_with_ties_agrees_with_all_signs() -> None:
    # |d| = 1 1 2 3 3 3 has the ranks 1.5 1.5 3 5 5 5; W = 1.5 - 1.5 + 3 + 5 + 5 + 5 = 18.
    ranks = [1.5, 1.5, 3, 5, 5, 5]
    sums = [sum(s * r for s, r in zip(signs, ranks, strict=True)) for signs in itertools.product((-1, 1), repeat=6)]
    outcome = wilcoxon_test([1, -1, 2, 3, 3, 3], [0] * 6)
    assert outcome.statistic == 18
    assert outcome.p == sum(abs(s) >= 18 for s in sums) / 64
    assert outcome.details["sigma"] == pytest.approx(math.sqrt(2 * 1.5**2 + 9 + 75))
    assert "tied differences share the mean of their ranks" in outcome.notes


def test_the_whole_distribution_is_that_of_all_signs() -> None:
    ranks = SignedRanks.of(Differences.of_pair([1, 2, 2, 4, 5, 5, 7, 8], [0] * 8), "wilcox")
    values = ranks.signed[:, 0]
    sums = np.array([np.dot(signs, values) for signs in itertools.product((-1, 1), repeat=8)])
    for W in range(-37, 38):
        assert ranks.exact_tail(0, W) == np.count_nonzero(sums >= W) / 256


def test_zeros_are_stated() -> None:
    outcomes = [wilcoxon_test([0, 0, 1, 2, -4], [0] * 5, zeros=zeros) for zeros in ZEROS]
    # Ranks of 1 2 4 alone: 1 2 3, W = 1 + 2 - 3; with the zeros before them: 3 4 5, W = 3 + 4 - 5.
    assert [outcome.statistic for outcome in outcomes] == [0, 2, 2]
    # √(1 + 4 + 9); √(9 + 16 + 25); the zeros share the rank 1.5, √(2 · 1.5² + 50).
    assert [outcome.details["sigma"] for outcome in outcomes] == pytest.approx([14**0.5, 50**0.5, 54.5**0.5])
    assert [outcome.notes[0] for outcome in outcomes] == [
        "differences of zero: 2, left out before ranking",
        "differences of zero: 2, ranked, then left out (pratt)",
        "differences of zero: 2, ranked, half of their ranks counting for each side (zsplit)",
    ]


def test_exact_up_to_fifty_differences_then_approximate() -> None:
    fifty, more = np.arange(1.0, 51), np.arange(1.0, 52)
    assert wilcoxon_test(fifty, 0 * fifty).notes == ("p is exact, over all signs of the ranks",)
    assert wilcoxon_test(fifty, 0 * fifty).p == 2 / 2**50  # all positive, or all negative
    approximate = wilcoxon_test(more, 0 * more)
    assert approximate.notes == ("p is approximate, from z and the normal distribution (correction 0.5)",)
    assert wilcoxon_test(more, 0 * more, method="exact").p == 2 / 2**51


def test_rank_biserial() -> None:
    # R+ = 1 + 2 + 3 + 5, R- = 4: (11 - 4) / 15.
    assert wilcoxon_test([1, 2, 3, -4, 5], [0] * 5).effects == {"rank_biserial": pytest.approx(7 / 15)}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"zeros": "drop"}, "zeros must be one of wilcox, pratt, zsplit, not 'drop'"),
        ({"method": "asymptotic"}, "method must be one of auto, exact, normal, not 'asymptotic'"),
        ({"correction": 2}, "correction must be a number from 0 to 1, not 2"),
        ({"alternative": "better"}, "alternative must be one of two-sided, greater, less, not 'better'"),
        ({"level": 95}, "level must be a number above 0 and below 1, not 95"),
    ],
)
def test_wrong_arguments(wrong: dict[str, str], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        wilcoxon_test(A, B, **wrong)  # type: ignore[arg-type]
