"""What measures make of rank: the weight that each gives to a relevant document there."""

from __future__ import annotations

import numpy as np

from cranfield.curves.discounts import RankWeights
from cranfield.errors import UsageError
from cranfield.report.captions import caption
from cranfield.report.drawing import AnyChart
from cranfield.report.lines import Axis, Line, lines
from cranfield.report.systems import FEW, Systems
from cranfield.report.theme import on


def discount(weights: RankWeights) -> AnyChart:
    """The weight of each rank as a share of that of rank 1, one line for each measure."""
    if len(weights.values) > FEW:
        raise UsageError(
            f"at most {FEW} measures can be told apart in a drawing of their weights, found {len(weights.values)}"
        )
    depth = int(weights.ranks[-1])
    found = {
        str(measure): Line(weights.ranks.astype(np.float64), weights.relative(measure)) for measure in weights.values
    }
    # The order of the legend is that in which lines leave the drawing, highest first.
    systems = Systems.of({name: float(line.y.sum()) for name, line in found.items()}, what="measure")
    x = Axis("rank", 1.0, float(max(depth, 2)), logarithmic=True)
    y = Axis("weight, relative to rank 1", 0.0, max(1.0, *(float(line.y.max()) for line in found.values())))
    title = f"Weight of a relevant document by rank, to rank {depth}"
    notes = ["the value of a list whose only relevant document stands at the rank, divided by its value at rank 1"]
    return on(lines(found, systems, x, y).properties(title=caption(title, notes)), "light")
