"""Sums that start again with each query. Oracle: Python's own, one query after the other."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.query_sums import cumulative, reached, totals


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.floats(-1e6, 1e6)),
    ).map(lambda rows: sorted(rows, key=lambda row: row[0]))
)
def test_running_sums_are_those_of_each_query_alone(rows: list[tuple[int, float]]) -> None:
    query = np.array([q for q, _ in rows], dtype=np.int32)
    values = np.array([v for _, v in rows])
    expected: list[float] = []
    running = dict.fromkeys(range(4), 0.0)
    for number, value in rows:
        running[number] += value
        expected.append(running[number])
    assert cumulative(query, values, 4).tolist() == expected


def test_totals_of_queries_with_and_without_rows() -> None:
    assert totals(np.array([0, 0, 2], dtype=np.int32), np.array([1.5, 2.0, 4.0]), 4).tolist() == [3.5, 0, 4, 0]


def test_who_stops_for_certain_gets_no_further_but_in_the_next_query() -> None:
    query, stop = np.array([0, 0, 0, 1], dtype=np.int32), np.array([0.5, 1.0, 0.25, 0.5])
    chance = reached(query, stop, 2)
    np.testing.assert_allclose(chance, [1, 0.5, 0, 1], atol=1e-15)  # 1, 1 - .5, .5 * (1 - 1), 1
