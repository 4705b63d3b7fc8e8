"""What share of queries a cache would have answered, by its size."""

from __future__ import annotations

import numpy as np

from cranfield.logs.caching import Caching
from cranfield.report.captions import caption
from cranfield.report.drawing import AnyChart
from cranfield.report.lines import Axis, Line, lines, note, reference
from cranfield.report.systems import Systems
from cranfield.report.theme import on

_DRAWN = ("best", "lfu", "lru", "personal")
"""Policies that have a size."""


def cache_hit_rates(found: Caching) -> AnyChart:
    """A line for each policy that has a size; no cache gets above the line of one with room for everything."""
    drawn = dict[str, Line]()
    for policy in _DRAWN:
        points = [(row.size, row.hit_rate) for row in found.results if row.policy == policy and row.size is not None]
        if policy == "lru" and points:
            points = list(zip(found.lru_sizes, found.lru_rates, strict=True)) or points
        if points:
            drawn[policy] = Line(*(np.array(column, np.float64) for column in zip(*points, strict=True)))
    most = 1 - found.texts / found.queries
    # A personal cache is asked for sizes of its own, which a log of few queries does not reach.
    largest = max([2.0, found.texts, *(line.x.max() for line in drawn.values())])
    x = Axis("results kept (by a personal cache: for each user)", 1.0, float(largest), logarithmic=True)
    y = Axis("share of queries answered by the cache", format=".1%", percent=True)
    systems = Systems.of({name: float(line.y.max()) for name, line in drawn.items()}, what="policy")
    edge = [(1.0, most), (float(largest), most)]
    chart = lines(drawn, systems, x, y) + reference(edge, x, y)
    chart += note("room for everything", edge[0], x, y, align="left", dx=4, dy=10)
    notes = [f"{found.queries:,} queries, {found.texts:,} different ones", "the cache is empty in the beginning"]
    if "best" in drawn:
        notes.append("best: as if it knew what will be asked")
    return on(chart.properties(title=caption("What a cache would have answered", notes)), "light")
