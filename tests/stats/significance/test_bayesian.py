"""Bayesian readings against scipy's distribution, the definition written out, and what must hold for any data."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.errors import ParameterError
from cranfield.stats.significance.bayesian import bayesian_signed_rank_test, bayesian_t_test
from cranfield.stats.significance.t_test import paired_t_test
from tests.stats.significance.two_systems import A, B, Numbers


def numbers(size: int, seed: int) -> Numbers:
    return np.random.PCG64(seed).random_raw(size) / 2**63 - 0.9


@settings(max_examples=40)
@given(st.integers(2, 40), st.integers(0, 10**6), st.floats(0, 0.5), st.sampled_from([0.0, 0.1]))
def test_t_agrees_with_scipys_distribution(size: int, seed: int, rope: float, rho: float) -> None:
    d = numbers(size, seed)
    found = bayesian_t_test(d, 0 * d, rope, correlation=rho)
    scale = d.std(ddof=1) * math.sqrt(1 / size + rho / (1 - rho))
    posterior = scipy.stats.t(size - 1, d.mean(), scale)
    assert (found.worse, found.better) == pytest.approx((posterior.cdf(-rope), posterior.sf(rope)), abs=1e-9)
    assert found.worse + found.equivalent + found.better == pytest.approx(1)
    assert found.interval is not None
    assert (found.interval.lower, found.interval.upper) == pytest.approx(posterior.interval(0.95), abs=1e-9)


def test_t_with_a_flat_prior_mirrors_the_one_sided_test() -> None:
    # Without a region of equivalence the posterior of being worse is the p of the one-sided t-test.
    assert bayesian_t_test(A, B, 0).worse == pytest.approx(paired_t_test(A, B, alternative="greater").p)


def by_definition(d: Numbers, rope: float, weights: Numbers) -> tuple[float, float, float]:
    """Worse, as good and better, from all pairs of differences, d_0 = 0 being the first."""
    seen = np.concatenate(([0.0], d))
    sums = seen[:, np.newaxis] + seen
    wins = np.zeros(3)
    for w in weights:
        both = np.outer(w, w)
        worse, better = both[sums < -2 * rope].sum(), both[sums > 2 * rope].sum()
        wins[np.argmax([worse, 1 - worse - better, better])] += 1
    worse, equivalent, better = wins / len(weights)
    return worse, equivalent, better


@pytest.mark.parametrize(("size", "seed", "rope"), [(6, 1, 0.2), (10, 2, 0.1), (15, 3, 0.05), (15, 4, 0.0)])
def test_signed_rank_agrees_with_the_definition(size: int, seed: int, rope: float) -> None:
    d = numbers(size, seed)
    # NumPy's own Dirichlet variables; both sides are estimates, within five standard deviations of their difference.
    weights = np.random.default_rng(0).dirichlet([0.5, *[1] * size], 4000)
    expected = by_definition(d, rope, weights)
    found = bayesian_signed_rank_test(d, 0 * d, rope)
    assert (found.worse, found.equivalent, found.better) == pytest.approx(expected, abs=5 * 0.5 / math.sqrt(4000))
    assert found.worse + found.equivalent + found.better == pytest.approx(1)


def test_signed_rank_with_the_same_weights_is_the_definition() -> None:
    # The weights from PCG64's words: uniform numbers u, -ln u for each sorted difference, and for the prior a Gamma
    # variable of shape 1/2, of which -ln u = Γ(1/2, x)/Γ(1/2) has the inverse 1/2 · (the normal quantile of (1 + u)/2)².
    d = np.sort(numbers(9, 6))
    assert d.sum() > 0
    u = ((np.random.PCG64(4).random_raw(200 * 10) >> np.uint64(11)).astype(float) + 0.5).reshape(200, 10) / 2**53
    weights = -np.log(u)
    weights[:, 0] = scipy.stats.norm.ppf((1 + u[:, 0]) / 2) ** 2 / 2
    expected = by_definition(d, 0.1, weights / weights.sum(axis=1, keepdims=True))
    found = bayesian_signed_rank_test(d, 0 * d, 0.1, samples=200, seed=4)
    assert (found.worse, found.equivalent, found.better) == pytest.approx(expected)


@pytest.mark.parametrize("test", [bayesian_t_test, bayesian_signed_rank_test])
def test_order_of_topics_and_of_systems(test: Any) -> None:
    new, baseline = numbers(20, 1), numbers(20, 2)
    order = np.argsort(numbers(20, 3))
    plain, mixed, other = (
        test(new, baseline, 0.1), test(new[order], baseline[order], 0.1), test(baseline, new, 0.1)
    )  # fmt: skip
    assert plain == mixed
    assert (plain.better, plain.worse) == pytest.approx((other.worse, other.better), abs=1e-15)


def test_nothing_but_ties_is_equivalent() -> None:
    assert bayesian_signed_rank_test([1, 2, 3], [1, 2, 3], 0.01).equivalent == 1
    undefined = bayesian_t_test([1, 2, 3], [1, 2, 3], 0.01)
    assert undefined.undefined == "all differences are zero"
    assert undefined.sentence == "No posterior (Bayesian t-test): all differences are zero."
    assert undefined.to_dict()["better"] is None


@pytest.mark.parametrize("test", [bayesian_t_test, bayesian_signed_rank_test])
@pytest.mark.parametrize("scores", [[], [0.5]])
def test_too_few_topics(test: Any, scores: list[float]) -> None:
    assert test(scores, scores, 0.01).undefined == "there are fewer than two topics"


def test_in_words_and_as_json() -> None:
    # Mean .2, s .1 over three topics: Pr(T > (.01 - .2) / .05774) and Pr(T < (-.01 - .2) / .05774), two degrees of freedom.
    reading = bayesian_t_test([0.6, 0.7, 0.9], [0.5, 0.5, 0.6], 0.01)
    assert reading.sentence == (
        "Given these topics, the new run is better than the baseline by more than .010 with probability .959, worse by more "
        "than .010 with probability .034, and practically as good with probability .007 (Bayesian t-test; prior: flat for "
        "the mean and for the logarithm of the standard deviation)."
    )
    assert reading.describe("rm3", "bm25").startswith("Given these topics, rm3 is better than bm25 by")
    ranks = bayesian_signed_rank_test(A, B, 0.01)
    assert json.loads(json.dumps(ranks.to_dict(), allow_nan=False))["notes"] == ["from 50,000 draws, seed 0"]


@pytest.mark.parametrize(
    ("test", "wrong", "message"),
    [
        (bayesian_t_test, {"rope": -1}, "rope must be a number of at least 0, not -1"),
        (bayesian_t_test, {"rope": 0, "correlation": 1}, "correlation must be a number from 0 to below 1, not 1"),
        (bayesian_signed_rank_test, {"rope": math.nan}, "rope must be a number of at least 0, not nan"),
        (bayesian_signed_rank_test, {"rope": 0, "strength": 0}, "strength must be a number above 0, not 0"),
    ],
)
def test_wrong_arguments(test: Any, wrong: dict[str, float], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        test(A, B, **wrong)
