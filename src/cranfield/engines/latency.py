"""How long answers took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Latency:
    """Of so many answers, in seconds; a percentile lies between the two answers around it, as NumPy has it."""

    answers: int
    mean: float
    median: float
    p95: float
    p99: float
    longest: float


def summarised(seconds: Sequence[float]) -> Latency | None:
    """The summary; None where nothing was measured.

    >>> summarised([0.2, 0.1, 0.3]).median
    0.2
    """
    if not seconds:
        return None
    values = np.array(seconds, dtype=np.float64)
    median, p95, p99 = np.percentile(values, (50, 95, 99)).tolist()
    return Latency(len(values), float(values.mean()), median, p95, p99, float(values.max()))
