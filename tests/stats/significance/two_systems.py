"""Scores that tests for two systems are tried on."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from cranfield.stats.arguments import Alternative

Numbers = npt.NDArray[np.float64]

# The five-query example of the notes.
A = [0.61, 0.52, 0.12, 0.73, 0.22]
B = [0.32, 0.55, 0.13, 0.32, 0.12]


def hundredths(least: int = 2, most: int = 30, highest: int = 100) -> st.SearchStrategy[tuple[list[int], list[int]]]:
    """Scores of two systems in hundredths: whole numbers, in which equal differences are equal."""
    pair = st.tuples(st.integers(0, highest), st.integers(0, highest))
    return st.lists(pair, min_size=least, max_size=most).map(
        lambda pairs: ([x for x, _ in pairs], [y for _, y in pairs])
    )


def as_scores(whole: list[int]) -> Numbers:
    """Hundredths as fractions, of which .06 - .05 and .03 - .02 are not quite the same number."""
    return np.array(whole) / 100


def share_as_extreme(whole: Numbers, alternative: Alternative) -> float:
    """The share of all signs of whole numbers whose sum is as extreme, by counting how often each sum comes about.

    An oracle for many topics: sums of whole numbers are few, and equal ones are equal.
    """
    sizes = np.abs(whole).astype(int)
    ways = {0: 1}
    for size in sizes.tolist():
        then: dict[int, int] = {}
        for total, count in ways.items():
            for signed in (size, -size):
                then[total + signed] = then.get(total + signed, 0) + count
        ways = then
    observed = int(whole.sum())
    as_extreme = {
        "two-sided": lambda total: abs(total) >= abs(observed),
        "greater": lambda total: total >= observed,
        "less": lambda total: total <= observed,
    }[alternative]
    return math.ldexp(sum(count for total, count in ways.items() if as_extreme(total)), -len(sizes))


def trec(real_data: Path, name: str) -> Numbers:
    """Topics x systems of a TREC ad hoc track; AP has four decimals, P@10 one."""
    return np.loadtxt(real_data / "topic_score_matrices" / f"{name}.csv", delimiter=",", skiprows=1)
