"""What unjudged documents could make of precision at R, or at a multiple of it: Rprec, and BreakEven on the raw curve.

If m of the holes are relevant, the most that the first c documents can hold of them is the smaller of m and the number
of holes there, and the least is what the other holes have no room for. Since c follows from R, and R from m, every m is
looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.data.completions import parts
from cranfield.data.holes import Holes
from cranfield.data.rankings import Rankings
from cranfield.measures.holes.case import Bounds, Case
from cranfield.measures.r_precision import depth_at
from cranfield.measures.registry import ratio


def bounds(cases: Sequence[Case]) -> list[Bounds]:
    """Exact."""
    found = [Bounds(case.values.copy(), case.values.copy()) for case in cases]
    for case, (low, high) in zip(cases, found, strict=True):
        for queries, part in parts(case.rankings):
            parameters = case.measure.parameters
            low[queries], high[queries] = _bounds(part, parameters["rel"], parameters.get("multiple", 1))
    return found


def _bounds(r: Rankings, rel: float | None, multiple: float) -> Bounds:
    holes = Holes.of(r).count
    begin = np.cumsum(holes + 1) - (holes + 1)
    query = np.repeat(np.arange(len(r)), holes + 1)
    m = np.arange(len(query)) - begin[query]
    depth = depth_at(multiple, r.relevant(rel)[query] + m)
    # How many documents of each kind stand in the first ranks: running sums over all ranks, one more for rank 0.
    place = np.cumsum(r.retrieved + 1) - (r.retrieved + 1)
    relevant, judged = (np.zeros(int((r.retrieved + 1).sum()), dtype=np.int64) for _ in range(2))
    relevant[place[r.query] + r.rank], judged[place[r.query] + r.rank] = r.at_least(rel), 1
    relevant, judged = np.cumsum(relevant), np.cumsum(judged)
    last = place[query] + np.minimum(depth, r.retrieved[query])
    found = relevant[last] - relevant[place[query]]
    inside = np.minimum(depth, r.retrieved[query]) - (judged[last] - judged[place[query]])
    highest = ratio((found + np.minimum(m, inside)).astype(np.float64), depth)
    lowest = ratio((found + np.maximum(m - (holes[query] - inside), 0)).astype(np.float64), depth)
    return Bounds(np.minimum.reduceat(lowest, begin), np.maximum.reduceat(highest, begin))
