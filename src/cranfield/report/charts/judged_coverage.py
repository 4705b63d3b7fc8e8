"""How far judgments reach by rank: the share of the documents that are judged, and of the pool that is found."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cranfield.curves.judged_shares import JudgedByRank
from cranfield.report.captions import caption, coverage_notes, mean_of, settings_notes
from cranfield.report.drawing import MOST_ROWS, AnyChart, alt
from cranfield.report.lines import Axis, Line, lines
from cranfield.report.systems import Systems
from cranfield.report.theme import on

WIDTH, HEIGHT = 330, 300


def coverage(curves: JudgedByRank, *, highlight: str | Iterable[str] = ()) -> AnyChart:
    """Two panels, a line for each run: how much of what it returns is judged, and what share of that it finds."""
    ranks = curves.ranks.astype(np.float64)
    at = int(np.searchsorted(curves.ranks, 10, side="right")) - 1
    shallow = int(curves.ranks[at])
    systems = Systems.of({name: float(run.judged[at]) for name, run in curves.runs.items()}, highlight=highlight)
    x = Axis("rank", 1.0, float(max(ranks[-1], 2.0)), logarithmic=True, few=ranks[-1] > 300)
    judged, found = (
        {name: Line(ranks, getattr(run, part)) for name, run in curves.runs.items()} for part in ("judged", "found")
    )
    size = {"width": WIDTH, "height": HEIGHT, "most": MOST_ROWS // 2}
    panels = [
        lines(judged, systems, x, Axis("share of the documents to this rank"), **size, name="judged").properties(
            title=_small("documents that are judged")
        ),
        lines(found, systems, x, Axis("share of the judged documents"), **size, name="found").properties(
            title=_small("judged documents that are found")
        ),
    ]
    over = mean_of(run.topics for run in curves.runs.values())
    title = f"How far judgments reach, {over}"
    notes = [
        f"judged documents: {curves.pool:.4g} a topic on average",
        *systems.notes(f"judged documents to rank {shallow}"),
        *settings_notes(curves.about.profile, curves.about.settings),
        *coverage_notes(curves.about.coverage),
    ]
    chart = alt.concat(*panels, columns=2, spacing=30)
    return on(chart.properties(title=caption(title, notes, width=2 * WIDTH + 180)), "light")


def _small(text: str) -> alt.TitleParams:
    return alt.TitleParams(text=text, fontSize=12, offset=6)
