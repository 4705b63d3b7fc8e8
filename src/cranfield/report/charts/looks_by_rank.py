"""How far down people look: by rank, as click models have it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cranfield.data.strings import Floats
from cranfield.report.captions import caption
from cranfield.report.drawing import AnyChart
from cranfield.report.lines import Axis, Line, lines
from cranfield.report.systems import Systems
from cranfield.report.theme import on


def looks_by_rank(examination: Mapping[str, Floats], best: str) -> AnyChart:
    """The share of pages on which each rank is looked at, one line for each model; `best` is the one that foretells
    clicks best."""
    found = {name: _line(values) for name, values in examination.items()}
    systems = Systems.of({name: float(line.y.sum()) for name, line in found.items()}, what="model")
    depth = max(len(values) for values in examination.values())
    x = Axis("rank", 1.0, float(max(depth, 2)), format="d", ranks=True)
    notes = [f"{best} foretells clicks best"] if len(found) > 1 else []
    drawn = lines(found, systems, x, Axis("share of pages on which it is looked at", format=".1%", percent=True))
    return on(drawn.properties(title=caption("How far down people look, by click models", notes)), "light")


def _line(values: Floats) -> Line:
    known = ~np.isnan(values)
    return Line(np.flatnonzero(known).astype(np.float64) + 1, values[known])
