"""Any measure with bounds of its own: each run by itself, the best that one could have less the worst of the other.

The two need not go together, so that these bounds hold but need not be reached. That the one run is at its best takes
no relevant document that it did not return: these raise no value. For the other to be at its worst all of them are
relevant, and have the best grade: so they are set down as judged.
"""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Bools, Floats
from cranfield.measures.completion import knowledge
from cranfield.measures.holes.case import Bounds
from cranfield.pooling.flip.ways.case import Case, Highest


def highest(case: Case) -> Highest:
    """Outer, but where nothing is open."""
    return Highest(of_run(case, 0).high - of_run(case, 1).low, _settled(case))


def of_run(case: Case, side: int) -> Bounds:
    """For each topic, between what values one run could lie if the documents of both could be relevant."""
    both = case.both
    if knowledge(case.measure).way == "whole_range":
        low, high = case.measure.bounds
        some = both.open_count > 0
        return Bounds(np.where(some, low, case.values[side]), np.where(some, high, case.values[side]))
    missed = both.open[both.rank(side)[both.open] == 0]
    with_others = case.of(both.with_grades(missed, case.stakes.best)).bounds(side).low
    bounds = case.bounds(side)
    lowest: Floats = np.minimum(with_others, bounds.low)
    return Bounds(lowest, bounds.high)


def _settled(case: Case) -> Bools:
    settled: Bools = (case.both.open_count == 0) & np.bool_(not case.reads_on)
    return settled
