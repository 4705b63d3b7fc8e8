"""Sums over more ranks than anybody adds up."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import digamma, expi

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.data.subtopics import SubtopicRankings
from cranfield.measures import evaluate_one, parse_one
from cranfield.measures.long_sums import sums_to


def one_by_one(value: Callable[[Floats], Floats], last: int) -> float:
    """The same sum, a million ranks at a time."""
    million = 1_000_000
    starts = range(1, last + 1, million)
    return float(
        sum(value(np.arange(start, min(start + million, last + 1), dtype=np.float64)).sum() for start in starts)
    )


@pytest.mark.parametrize("alpha", [0, 1e-7, 3e-6, 1e-5, 0.5])
def test_as_if_added_up_one_by_one(alpha: float) -> None:
    def value(rank: Floats) -> Floats:
        discounted: Floats = (1.0 - alpha) ** (rank - 1.0) / np.log2(rank + 1.0)
        return discounted

    depths = np.array([0, 1, 999_999, 1_000_000, 1_000_001, 1_500_000, 6_000_000])
    expected = [one_by_one(value, depth) for depth in depths.tolist()]
    assert sums_to(value, depths) == pytest.approx(expected, rel=1e-12)


def test_against_closed_forms() -> None:
    depths = np.array([1e7, 1e9, 1e12])
    # 1 + 1/2 + ... + 1/n = digamma(n + 1) + Euler's gamma
    harmonic = digamma(depths + 1) + np.euler_gamma
    assert sums_to(lambda rank: 1.0 / rank, depths) == pytest.approx(harmonic, rel=1e-13)
    # Between two depths that are far down, 1/ln(i + 1) adds up to the logarithmic integral, here by scipy's Ei(ln x).
    sums = sums_to(lambda rank: 1.0 / np.log(rank + 1.0), depths)
    integral = np.diff(expi(np.log(depths + 1.5)))
    assert np.diff(sums) == pytest.approx(integral, rel=1e-12)


@pytest.mark.parametrize("name", ["alpha_DCG", "ERR_IA"])
def test_measures_at_depths_that_no_memory_holds(name: str) -> None:
    # Beyond some 60 ranks nothing is gained any more, where half of the gain is lost with each document.
    ranking = SubtopicRankings.from_subtopics(["ab", "a", "c"])
    deep, shallow = (parse_one(f"{name}@{k}").compute(ranking) for k in (10**12, 1000))
    assert deep == pytest.approx(shallow, rel=1e-14)
    # With alpha 0 the divisor goes on growing: M = 1 for a single relevant document, 1/1 over 1 + 1/2 + ... + 1/k.
    assert evaluate_one("ERR_IA(alpha=0)@1000000000000", ["a"]) == round(1 / (12 * np.log(10) + np.euler_gamma), 4)


def test_expected_depth_at_a_deep_cutoff() -> None:
    # Nothing is found: rank i is read with the chance 1/i, down to the cutoff.
    expected = 12 * np.log(10) + np.euler_gamma
    assert evaluate_one("ERR(value=ED)@1000000000000", [0]) == pytest.approx(expected, abs=5e-5)
    # The first is found: SDCG is 1 over the sum of 1/log2(i + 1).
    whole = one_by_one(lambda rank: 1.0 / np.log2(rank + 1.0), 3_000_000)
    assert parse_one("SDCG@3000000").compute(Rankings.from_grades([1])) == pytest.approx(1 / whole)
