"""Bounds for measures of which no more is known than the range of their values, where a query has holes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.data.holes import Holes
from cranfield.measures.holes.case import Bounds, Case


def bounds(cases: Sequence[Case]) -> list[Bounds]:
    """Outer."""
    return [_bounds(case) for case in cases]


def _bounds(case: Case) -> Bounds:
    known = Holes.of(case.rankings).count == 0
    low, high = case.measure.bounds
    return Bounds(np.where(known, case.values, low), np.where(known, case.values, high))
