"""Bounds for RBP with gains that are scaled by the highest of their topic.

A document of a grade that the topic did not have yet changes the scale, and all other gains shrink. If the highest gain
was s and becomes S, the value is at least s/S of what it was. It is never more than with the gain 1 in all holes and
below the list, and the scale as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.measures.gains import gain_of
from cranfield.measures.holes.case import Bounds, Case
from cranfield.measures.holes.reading import reader_of


def bounds(cases: Sequence[Case]) -> list[Bounds]:
    """Outer."""
    return [_bounds(case) for case in cases]


def _bounds(case: Case) -> Bounds:
    r, gains = case.rankings, case.measure.parameters["gains"]
    scale = np.full(len(r), max([1.0, *(worth for _, worth in gains or ())]))
    np.maximum.at(scale, r.qrels.query, gain_of(r.qrels.grade, "linear", gains))
    low = case.values * scale / np.maximum(scale, case.stakes.most)
    return Bounds(low, case.values + np.maximum(reader_of(case).value("residual"), 0.0))
