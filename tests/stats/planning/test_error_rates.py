"""Type I and II errors by simulation, against theory where differences are normal."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

from cranfield.errors import DataError, ParameterError, UsageError
from cranfield.stats import power_of_test
from cranfield.stats.planning.error_rates import error_rates
from cranfield.stats.significance.paired_tests import PAIRED_TESTS
from tests.stats.many_systems.test_anova import made_up
from tests.stats.significance.two_systems import Numbers, trec


def normal_pilot() -> Numbers:
    """Two systems whose differences are as normal as 400 numbers can be, with standard deviation .1."""
    differences = scipy.stats.norm.ppf((np.arange(400) + 0.5) / 400)
    differences *= 0.1 / differences.std(ddof=1)
    return np.column_stack([np.full(400, 0.5), 0.5 + differences])


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign"])
def test_rates_of_normal_differences_are_those_of_theory(test: str) -> None:
    found = error_rates(normal_pilot(), 0.05, topics=30, test=test)
    theory = power_of_test(0.05, 0.1, 30, test=test).power
    assert found.power == pytest.approx(theory, abs=0.01 + 4 * found.standard_error(theory))
    level = power_of_test(0.0, 0.1, 30, test=test).power
    assert found.type_1 == pytest.approx(level, abs=0.005 + 4 * found.standard_error(0.05))


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_resampling_tests_do_about_as_well_as_t(test: str) -> None:
    found = error_rates(normal_pilot(), 0.05, topics=30, test=test, trials=1000, resamples=400)
    assert found.power == pytest.approx(power_of_test(0.05, 0.1, 30).power, abs=0.06)
    assert found.type_1 == pytest.approx(0.05, abs=0.03)


def test_one_sided() -> None:
    found = error_rates(normal_pilot(), 0.05, topics=20, alternative="greater")
    theory = power_of_test(0.05, 0.1, 20, alternative="greater").power
    assert found.power == pytest.approx(theory, abs=0.01 + 4 * found.standard_error(theory))
    assert error_rates(normal_pilot(), 0.05, topics=20, alternative="less").type_2 > 0.99


def test_written_out() -> None:
    # The words of PCG64 as numbers between 0 and 1: the first of a trial chooses a pair, the others topics. With two
    # systems there is one pair; its differences are sorted, shifted and stretched by √(5/4).
    scores = np.array([[0.2, 0.3], [0.5, 0.4], [0.6, 0.9], [0.3, 0.3], [0.7, 0.8]])
    differences = np.sort(scores[:, 1] - scores[:, 0])  # .08 on average; the way round that is chosen is this or -this
    words = np.random.PCG64(3).random_raw(40 * 7).reshape(40, 7)
    chance = ((words >> np.uint64(11)).astype(np.float64) + 0.5) / 2**53
    place = (chance[:, 1:] * 5).astype(np.int64)
    rates = []
    for sign in (1, -1):
        turned = np.sort(sign * differences)
        drawn = ((turned - turned.mean()) * math.sqrt(5 / 4))[place]
        p = [scipy.stats.ttest_1samp(drawn + shift, 0, axis=1).pvalue for shift in (0, 0.1)]
        rates.append(((p[0] < 0.05).mean(), (p[1] >= 0.05).mean()))
    found = error_rates(scores, 0.1, topics=6, trials=40, seed=3)
    assert any(np.allclose((found.type_1, found.type_2), expected) for expected in rates)


@pytest.mark.parametrize("test", PAIRED_TESTS)
def test_the_order_of_topics_and_systems_makes_no_difference(test: str) -> None:
    scores = made_up(1, 12, 5)
    rng = np.random.default_rng(2)
    mixed = scores[np.ix_(rng.permutation(12), rng.permutation(5))]
    one, other = (error_rates(given, 0.1, test=test, trials=60, resamples=100) for given in (scores, mixed))
    assert (one.type_1, one.type_2) == (other.type_1, other.type_2)
    assert one.pairs == 10


def test_chunks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = made_up(1, 12, 5)
    expected = error_rates(scores, 0.1, trials=50)
    monkeypatch.setattr("cranfield.stats.chunks.CELLS", 100)
    assert error_rates(scores, 0.1, trials=50) == expected
    assert error_rates(scores, 0.1, trials=50, seed=1) != expected


@pytest.mark.real_data
def test_the_t_test_keeps_its_level_on_a_track(real_data: Path) -> None:
    # Differences in AP are far from normal; the t-test is known to be robust (Urbano, Lima, Hanjalic 2019).
    found = error_rates(trec(real_data, "adhoc7_ap"), 0.05)
    assert found.type_1 == pytest.approx(0.05, abs=0.02)
    assert found.topics == 50
    assert found.pairs > 5000


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ([[0.1, 0.2]], "there are fewer than two topics"),
        ([[0.1], [0.2]], "there are fewer than two systems"),
        ({}, "there are fewer than two systems"),
        ([[0.1, 0.2], [0.2, 0.3], [0.6, 0.7]], "no pair of systems has differences that vary"),
    ],
)
def test_undefined(scores: Any, reason: str) -> None:
    found = error_rates(scores, 0.1)
    assert found.undefined == reason
    assert math.isnan(found.type_1)
    assert reason in found.sentence
    assert found.to_dict()["type_2"] is None


def test_wrong_input() -> None:
    with pytest.raises(UsageError, match=r"unknown test 'z'"):
        error_rates(made_up(1, 5, 2), 0.1, test="z")
    with pytest.raises(ParameterError, match="trials must be a whole number of at least 1, not 0"):
        error_rates(made_up(1, 5, 2), 0.1, trials=0)
    with pytest.raises(DataError, match="a, topic 1: nan is not a score"):
        error_rates({"a": [math.nan, 0.1], "b": [0.2, 0.3]}, 0.1)


def test_in_words() -> None:
    assert error_rates(normal_pilot(), 0.05, topics=30, trials=10).sentence.startswith(
        "In 10 simulated experiments with 30 topics each, the paired t-test at alpha 0.05 found a difference that was not there in "
    )
