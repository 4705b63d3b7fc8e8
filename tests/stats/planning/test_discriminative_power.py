"""How many pairs a measure can tell apart, against scipy and against the tests it rests on."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

from cranfield.errors import DataError, ParameterError
from cranfield.stats import randomised_tukey_hsd
from cranfield.stats.planning.discriminative_power import TESTS, discriminative_power
from tests.stats.many_systems.test_anova import made_up
from tests.stats.significance.two_systems import trec


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["adhoc5_ap", "adhoc6_rr"])
def test_t_tests_of_all_pairs_agree_with_scipy(name: str, real_data: Path) -> None:
    scores = trec(real_data, name)
    first, second = np.triu_indices(scores.shape[1], 1)
    expected = scipy.stats.ttest_rel(scores[:, first], scores[:, second]).pvalue
    expected = np.where(np.isnan(expected), 1, expected)
    found = discriminative_power(scores, test="t")
    assert found.p == pytest.approx(np.sort(expected)[::-1], abs=1e-9)
    assert found.separated == np.count_nonzero(expected < 0.05)
    assert found.share == found.separated / len(first)
    far = np.abs(scores.mean(axis=0)[first] - scores.mean(axis=0)[second])
    assert found.needed == pytest.approx(far[expected >= 0.05].max())


@pytest.mark.real_data
def test_ap_tells_more_runs_apart_than_reciprocal_rank(real_data: Path) -> None:
    # Known from Buckley and Voorhees (2000) and Sakai (2006): AP separates more runs than measures that look at the
    # first relevant document alone.
    ap, rr = (discriminative_power(trec(real_data, f"adhoc6_{name}"), resamples=2000) for name in ("ap", "rr"))
    assert ap.share > rr.share > 0


def test_tukey_is_the_randomised_test() -> None:
    scores = made_up(2, 20, 6)
    found, expected = discriminative_power(scores, resamples=500), randomised_tukey_hsd(scores, permutations=500)
    assert found.p.tolist() == sorted(expected.p.tolist(), reverse=True)
    assert found.needed == expected.critical
    assert found.test == "randomised Tukey HSD"


@pytest.mark.parametrize("test", TESTS)
def test_the_curve(test: str) -> None:
    scores = made_up(3, 15, 5)
    found = discriminative_power({f"s{n}": scores[:, n] for n in range(5)}, test=test, resamples=300)
    assert found.comparisons == 10
    assert (np.diff(found.p) <= 0).all()
    means = scores.mean(axis=0)
    assert found.difference == pytest.approx(means[found.first] - means[found.second])
    assert (found.p[np.abs(found.difference) > found.needed + 1e-12] < 0.05).all()
    curve = found.to_dict()["curve"]
    assert [pair["p"] for pair in curve] == found.p.tolist()
    assert len({frozenset((pair["first"], pair["second"])) for pair in curve}) == 10
    mixed = np.random.default_rng(1).permutation(5)
    other = discriminative_power({f"s{n}": scores[::-1, n] for n in mixed}, test=test, resamples=300)
    assert other.p == pytest.approx(found.p, rel=1e-9)
    assert other.needed == pytest.approx(found.needed, rel=1e-12)


def test_systems_with_the_same_scores_are_not_told_apart() -> None:
    scores = made_up(4, 10, 2)
    found = discriminative_power(np.column_stack([scores[:, 0], scores[:, 0], scores[:, 1]]), test="t")
    assert found.p[0] == 1
    assert found.difference[0] == 0


def test_all_told_apart() -> None:
    scores = np.column_stack([np.linspace(0, 0.1, 9) ** 2, np.linspace(0.5, 0.6, 9)])
    found = discriminative_power(scores, test="t")
    assert (found.separated, found.share, found.needed) == (1, 1.0, 0.0)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    ("scores", "reason"),
    [([[0.1, 0.2]], "there are fewer than two topics"), ([[0.1], [0.2]], "there are fewer than two systems")],
)
def test_undefined(test: str, scores: Any, reason: str) -> None:
    found = discriminative_power(scores, test=test)
    assert found.undefined == reason
    assert math.isnan(found.share)
    assert math.isnan(found.needed)
    assert found.sentence == f"No discriminative power ({test}): {reason}."
    assert found.to_dict()["share"] is None


def test_wrong_input() -> None:
    with pytest.raises(
        ParameterError, match="test must be one of tukey, t, wilcoxon, sign, randomisation, bootstrap, not 'F'"
    ):
        discriminative_power(made_up(1, 5, 2), test="F")
    with pytest.raises(DataError, match="scores, topic 1, column 1: inf is not a score"):
        discriminative_power([[math.inf, 0.1], [0.2, 0.3]])
