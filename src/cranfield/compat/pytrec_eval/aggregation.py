"""One number from the values of all queries, as pytrec_eval has it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def compute_aggregated_measure(measure: str, values: Iterable[float]) -> float:
    """The sum of counts (`num_...`), the geometric mean of `gm_...`, the mean of anything else.

    The values of `gm_...` are logarithms, as `evaluate` has them. Without values the sum is 0, and a mean is nan.

    >>> compute_aggregated_measure("num_rel", [3.0, 1.0]), compute_aggregated_measure("map", [0.5, 0.25])
    (4.0, 0.375)
    >>> round(compute_aggregated_measure("gm_map", [np.log(0.5), np.log(0.125)]), 4)  # the root of 0.5 · 0.125
    0.25
    """
    column = np.asarray(values if isinstance(values, np.ndarray) else list(values), dtype=np.float64)
    if measure.startswith("num_"):
        return float(np.sum(column))
    if not len(column):
        return float("nan")
    return float(np.exp(np.sum(column) / len(column)) if measure.startswith("gm_") else np.mean(column))
