"""Two runs against each other: a point for each topic, above the diagonal where the second is higher."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.evaluation.compared import Compared
from cranfield.evaluation.comparison import Comparison
from cranfield.evaluation.identical_runs import identical_notes
from cranfield.measures import Measure
from cranfield.report.captions import caption, count, coverage_notes, settings_notes
from cranfield.report.drawing import AnyChart, alt, layered, plain, table
from cranfield.report.findings import direction_notes, finding, rows_of, topic_verdicts, verdicts
from cranfield.report.theme import colour, on

SIDE = 420
MOST_POINTS = 2000
"""With more topics than that, points are put together in cells."""
_CELLS = 50


def scatter(comparison: Comparison, measure: str | Measure | None = None, *, run: str | None = None) -> AnyChart:
    """The values of a run against those of the baseline, topic by topic.

    Of several runs it is the first, unless it is named; so with the measure. Topics at the same place are one point,
    the larger the more they are.
    """
    rows = rows_of(comparison, measure)
    row = next((one for one in rows if run in (None, one.run)), None)
    if row is None:
        raise KeyError(f"there is no run {run!r}; there are: {', '.join(one.run for one in rows)}")
    first = next(iter(comparison.evaluation.values()))
    coverage = {name: comparison.evaluation[name].coverage for name in (row.baseline, row.run)}
    points, together = _points(row)
    title = f"{row.measure}: {row.run} against {row.baseline}, {count(len(row.topics), 'topic')}"
    notes = [
        *identical_notes(comparison.evaluation, [(row.baseline, row.run)]),
        *(words.replace("grey: ", "") for words in finding(row)),
        *direction_notes(row.measure),
        *([f"{len(row.topics)} topics in {count(len(points), 'cell')}"] if together else []),
        *settings_notes(first.profile, first.settings),
        *coverage_notes(coverage),
    ]
    chart = _drawn(row, points)
    return on(chart.properties(width=SIDE, height=SIDE, title=caption(title, notes, width=SIDE + 120)), "light")


def _points(row: Compared) -> tuple[list[dict[str, Any]], bool]:
    """Places with the topics that are there; and whether places are cells rather than values."""
    together = len(row.topics) > MOST_POINTS
    places: dict[tuple[float, float, str], list[str]] = {}
    high = max(float(row.scores.max()), float(row.baseline_scores.max()))
    low = min(float(row.scores.min()), float(row.baseline_scores.min()))
    size = (high - low) / _CELLS or 1.0
    for topic, x, y, verdict in zip(row.topics, row.baseline_scores, row.scores, topic_verdicts(row), strict=True):
        if together:
            x, y = (low + (np.floor((value - low) / size) + 0.5) * size for value in (x, y))
        places.setdefault((float(x), float(y), verdict), []).append(topic)
    points = []
    for (x, y, verdict), topics in places.items():
        names = ", ".join(topics[:5]) + (", ..." if len(topics) > 5 else "")
        points.append({"x": x, "y": y, "verdict": _label(row, verdict), "topics": len(topics), "names": names})
    return points, together


def _drawn(row: Compared, points: list[dict[str, Any]]) -> alt.LayerChart:
    low, high = _extent(row)
    scale = alt.Scale(domain=[low, high], nice=False, padding=6)
    measure = plain(str(row.measure))
    words = verdicts(row)
    labels = [_label(row, word) for word in words]
    hues = [
        colour(hue) for hue in (("worse", "soft", "better") if words[0] == "worse" else ("better", "soft", "worse"))
    ]
    several = any(point["topics"] > 1 for point in points)
    size = alt.Size(
        "topics:Q",
        title="topics at a place",
        scale=alt.Scale(type="sqrt", domainMin=0, range=[0, 400]),
        legend=alt.Legend(format="d", values=_sizes(points), symbolFillColor=colour("soft"), symbolStrokeWidth=0),
    )
    verdict: dict[str, Any] = {"field": "verdict", "type": "nominal", "title": f"{plain(row.run)} is"}
    shapes = ["triangle-up", "circle", "triangle-down"]
    marks = alt.Chart(table(points)).mark_point(filled=True, opacity=0.85, stroke=colour("paper"), strokeWidth=0.5)
    marks = marks.encode(
        x=alt.X("x:Q", title=f"{measure} of {plain(row.baseline)}", scale=scale),
        y=alt.Y("y:Q", title=f"{measure} of {plain(row.run)}", scale=scale),
        color=alt.Color(**verdict, scale=alt.Scale(domain=labels, range=hues)),
        shape=alt.Shape(**verdict, scale=alt.Scale(domain=labels, range=shapes)),
        size=size if several else alt.value(70),
        tooltip=[
            alt.Tooltip("names:N", title="topic"),
            alt.Tooltip("x:Q", title="baseline", format=".4f"),
            alt.Tooltip("y:Q", title="run", format=".4f"),
            alt.Tooltip("topics:Q"),
        ],
    )
    ends = table([{"x": low, "y": low}, {"x": high, "y": high}])
    diagonal = (
        alt.Chart(ends).mark_line(color=colour("soft"), strokeDash=[4, 4], strokeWidth=1).encode(x="x:Q", y="y:Q")
    )
    return layered(diagonal, marks)


def _label(row: Compared, verdict: str) -> str:
    counts = dict(zip(verdicts(row), (row.higher, row.equal, row.lower), strict=True))
    return f"{verdict} on {counts[verdict]}"


def _sizes(points: list[dict[str, Any]]) -> list[int]:
    most = max(point["topics"] for point in points)
    return sorted({1, max(2, round(most / 2)), most})


def _extent(row: Compared) -> tuple[float, float]:
    """The same for both axes: from 0 to the highest value, or to 1 where that is not far."""
    values = np.concatenate([row.scores, row.baseline_scores])
    low, high = min(0.0, float(values.min())), float(values.max())
    if row.measure.bounds[1] == 1.0 and high > 0.5:
        high = 1.0
    if high <= low:
        high = low + 1.0
    return low, high
