"""Click-through by rank, with its intervals."""

from __future__ import annotations

import numpy as np

from cranfield.logs.clicks import ClicksByRank
from cranfield.report.captions import caption
from cranfield.report.drawing import AnyChart
from cranfield.report.lines import Axis, Line, lines
from cranfield.report.systems import Systems
from cranfield.report.theme import on

_NAME = "all documents"


def click_through(found: ClicksByRank) -> AnyChart:
    """The share of documents shown at each rank that were clicked, and the band of its interval."""
    line = Line(found.rank.astype(np.float64), found.expected, found.interval.lower, found.interval.upper)
    last = float(max(found.rank.max(), 2))
    x = Axis("rank", 1.0, last, logarithmic=last > 100, format="d", ranks=True)
    highest = float(min(1.0, 1.05 * found.interval.upper.max()))
    y = Axis("share clicked", highest=highest, format=".2%", percent=True)
    drawn = lines({_NAME: line}, Systems.of({_NAME: 1.0}, what="of"), x, y)
    notes = [f"{int(found.shown.sum()):,} documents shown, {int(found.clicked.sum()):,} clicked", "band: 95 % (Wilson)"]
    return on(drawn.properties(title=caption("Click-through by rank", notes)), "light")
