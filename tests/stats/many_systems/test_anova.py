"""Two-way analysis of variance against statsmodels, and against the paired t-test."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from cranfield.errors import DataError
from cranfield.stats import TwoWayAnova, two_way_anova
from tests.stats.significance.two_systems import Numbers, trec


def made_up(seed: int, topics: int, systems: int) -> Numbers:
    """Scores with effects of topics and of systems."""
    rng = np.random.default_rng(seed)
    return rng.normal(0, 0.2, (topics, 1)) + rng.normal(0, 0.05, systems) + rng.normal(0.4, 0.1, (topics, systems))


def statsmodels_table(scores: Numbers) -> Any:
    topics, systems = scores.shape
    frame = pandas.DataFrame(
        {
            "score": scores.ravel(),
            "topic": np.repeat(np.arange(topics), systems),
            "system": np.tile(np.arange(systems), topics),
        }
    )
    return anova_lm(ols("score ~ C(topic) + C(system)", frame).fit())


def agrees(found: TwoWayAnova, table: Any) -> None:
    for effect, row in ((found.system, "C(system)"), (found.topic, "C(topic)")):
        expected = table.loc[row]
        assert effect.sum_of_squares == pytest.approx(expected["sum_sq"], rel=1e-9)
        assert effect.mean_square == pytest.approx(expected["mean_sq"], rel=1e-9)
        assert effect.df == expected["df"]
        assert pytest.approx(expected["F"], rel=1e-9) == effect.F
        assert effect.p == pytest.approx(expected["PR(>F)"], rel=1e-7, abs=1e-12)
        squares, error = expected["sum_sq"], table.loc["Residual", "sum_sq"]
        assert effect.partial_eta_squared == pytest.approx(squares / (squares + error), abs=1e-9)
        mean_square = table.loc["Residual", "mean_sq"]
        omega = (squares - expected["df"] * mean_square) / (table["sum_sq"].sum() + mean_square)
        assert effect.omega_squared == pytest.approx(omega, abs=1e-9)
    assert found.residual_sum_of_squares == pytest.approx(table.loc["Residual", "sum_sq"], rel=1e-9)
    assert found.residual_mean_square == pytest.approx(table.loc["Residual", "mean_sq"], rel=1e-9)
    assert found.residual_df == table.loc["Residual", "df"]


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), topics=st.integers(2, 20), systems=st.integers(2, 8))
def test_statsmodels_has_the_same_table(seed: int, topics: int, systems: int) -> None:
    scores = made_up(seed, topics, systems)
    agrees(two_way_anova(scores), statsmodels_table(scores))


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["adhoc5_ap", "adhoc6_p10", "adhoc7_rr"])
def test_statsmodels_has_the_same_table_of_a_track(name: str, real_data: Path) -> None:
    scores = trec(real_data, name)[:, ::3]  # statsmodels takes long for more
    agrees(two_way_anova(scores), statsmodels_table(scores))


@given(seed=st.integers(0, 10**6), topics=st.integers(2, 50))
def test_with_two_systems_it_is_the_paired_t_test(seed: int, topics: int) -> None:
    scores = made_up(seed, topics, 2)
    t = scipy.stats.ttest_rel(scores[:, 0], scores[:, 1])
    found = two_way_anova(scores)
    assert pytest.approx(t.statistic**2, rel=1e-8) == found.system.F
    assert found.system.p == pytest.approx(t.pvalue, rel=1e-8)


def test_order_and_names_make_no_difference() -> None:
    scores = made_up(1, 12, 4)
    rng = np.random.default_rng(2)
    mixed = scores[np.ix_(rng.permutation(12), rng.permutation(4))]
    by_name = {f"system {column}": scores[:, column].tolist() for column in range(4)}
    for other in (mixed, by_name):
        assert pytest.approx(two_way_anova(scores).system.F, rel=1e-12) == two_way_anova(other).system.F


def test_in_words() -> None:
    assert two_way_anova([[1, 2], [3, 5], [2, 2]]).sentence == (
        "Systems explain .600 of the variance that topics leave; differences at least this large would be seen 23 times in 100 if "
        "all systems were equal (2 systems on 3 topics, two-way ANOVA, F(1, 2) = 3.000, p = .225)."
    )


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ([[0.1, 0.2]], "there are fewer than two topics"),
        ([[0.1], [0.2]], "there are fewer than two systems"),
        ({}, "there are fewer than two systems"),
        (np.empty((0, 3)), "there are fewer than two topics"),
        # .1 apart on every topic, but for the computer's arithmetic
        ([[0.1, 0.2], [0.2, 0.3], [0.6, 0.7]], "the residual variance is zero: on every topic the systems differ by the"),
        ([[0.3, 0.3], [0.3, 0.3]], "the residual variance is zero"),
    ],
)  # fmt: skip
def test_undefined(scores: Any, reason: str) -> None:
    found = two_way_anova(scores)
    assert found.undefined is not None
    assert found.undefined.startswith(reason)
    assert math.isnan(found.system.F)
    assert math.isnan(found.system.p)
    assert reason in found.sentence
    assert found.to_dict()["system"]["p"] is None


def test_scores_that_are_none() -> None:
    with pytest.raises(DataError, match="scores, topic 2, column 1: nan is not a score"):
        two_way_anova([[0.1, 0.2], [math.nan, 0.3]])
    with pytest.raises(DataError, match="a has 2, b has 3"):
        two_way_anova({"a": [0.1, 0.2], "b": [0.1, 0.2, 0.3]})
