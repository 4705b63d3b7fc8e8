"""Sums over rows that stand query by query, each query for itself."""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Bools, Codes, Floats, Ints

_NEARLY_CERTAIN = float(np.nextafter(1.0, 0.0))
"""The highest chance below 1: one that rounding made 1 still has a logarithm of what is left of it."""


def totals(query: Codes, values: Floats | Ints | Bools, queries: int) -> Floats:
    """For each query, its values added up one after the other, in the order of the rows."""
    return np.bincount(query, weights=values, minlength=queries).astype(np.float64, copy=False)


def cumulative(query: Codes, values: Floats, queries: int) -> Floats:
    """Running sums that start again with each query, exactly as if each were summed alone.

    After the rows of a query its total is taken off again, which brings the running sum back to exactly zero.
    """
    total = totals(query, values, queries)
    size = np.bincount(query, minlength=queries)
    place = np.arange(len(values)) + query
    padded = np.zeros(len(values) + queries)
    padded[place] = values
    padded[np.cumsum(size) + np.arange(queries)] = -total
    running: Floats = np.cumsum(padded)[place]
    return running


def row_sums(rows: Floats) -> Floats:
    """For each row of a table that has columns, its values added up one after the other.

    So zeros at the end make no difference, and a query has the same sum whatever others stand beside it.
    """
    sums: Floats = np.cumsum(rows, axis=1)[:, -1]
    return sums


def reached(query: Codes, stop: Floats, queries: int) -> Floats:
    """For each row, the chance that a reader of its query gets to it, who stopped at none above."""
    going_on = np.log1p(-np.minimum(stop, _NEARLY_CERTAIN))
    chance: Floats = np.exp(cumulative(query, going_on, queries) - going_on)
    return chance
