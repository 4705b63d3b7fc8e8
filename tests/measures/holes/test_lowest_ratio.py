"""The lowest ratio of a convex sum to a concave one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.measures.holes.lowest_ratio import lowest_ratio

INCREMENTS = st.lists(st.integers(0, 20), max_size=12)


@given(st.lists(st.tuples(st.integers(0, 30), INCREMENTS, st.integers(0, 5), INCREMENTS), min_size=1, max_size=5))
def test_it_is_the_lowest_of_all(queries: list[tuple[int, list[int], int, list[int]]]) -> None:
    # Oracle: every ratio, one by one.
    above, below, steps = [], [], []
    for numerator, rising, denominator, falling in queries:
        size = min(len(rising), len(falling))
        start = numerator if denominator else 0  # 0/0 is 0, and nothing else is divided by 0
        above.append(np.cumsum([start, *sorted(rising)[:size]]).astype(float))
        below.append(np.cumsum([denominator, *sorted(falling, reverse=True)[:size]]).astype(float))
        steps.append(size)
    found = lowest_ratio(
        lambda x: np.array([one[at] for one, at in zip(above, x, strict=True)]),
        lambda x: np.array([one[at] for one, at in zip(below, x, strict=True)]),
        np.array(steps),
    )
    for query, value in enumerate(found):
        ratios = [a / b if b else 0.0 for a, b in zip(above[query], below[query], strict=True)]
        assert abs(value - min(ratios)) < 1e-12
