"""Bounds for readers who look at what they read and may turn away from the better of two lists: BPM, BPMD, IFT.

Whatever makes them leave, no rank is read more often than the one above it. So the gain for each document read is a
mean of the mean gains of the beginnings of the list, some of them counting more than others, and lies between the
lowest of these, with nothing in the holes, and the highest, with the highest gain in all of them. The list goes on
below its end as far as the reader can get; if that is without end, all that is known is that the value is from 0 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cranfield.data.holes import Holes
from cranfield.measures.holes.case import Bounds, Case
from cranfield.measures.holes.reading import reader_of
from cranfield.measures.registry import ratio


def bounds(cases: Sequence[Case]) -> list[Bounds]:
    """Outer."""
    return [_bounds(case) for case in cases]


def _bounds(case: Case) -> Bounds:
    reader, reach = reader_of(case), _reach(case)
    if reach is None:
        return Bounds(np.zeros(len(case.values)), np.full(len(case.values), reader.most))
    longer = replace(case.rankings, retrieved=np.maximum(case.rankings.retrieved, reach))
    holes = Holes.of(longer, reach)
    gain = holes.above(reader.gain[holes.rows])
    # The mean falls along a stretch without gains, and rises along one of the highest gain: its two ends will do.
    low, high = np.full(len(holes), reader.most), np.zeros(len(holes))
    for rank, passed in ((holes.first - 1, holes.to - holes.size), (holes.last, holes.to)):
        least = np.divide(gain, rank, out=np.full(len(gain), reader.most), where=rank > 0)
        low = np.minimum(low, -holes.highest(-least))
        high = np.maximum(high, holes.highest(ratio(gain + reader.most * passed, rank)))
    known = holes.count == 0
    return Bounds(np.where(known, case.values, low), np.where(known, case.values, high))


def _reach(case: Case) -> int | None:
    """How many documents are read at most; None if there is no end to it."""
    parameters = case.measure.parameters
    if "cutoff" in parameters:
        return int(parameters["cutoff"])
    fixed_budget = case.rankings.costs is None and not parameters.get("hc")
    return math.ceil(parameters["K"]) if fixed_budget else None
