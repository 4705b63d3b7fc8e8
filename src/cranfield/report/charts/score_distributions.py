"""How the scores of topics are distributed in each run: boxes or violins, with the topics as points."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.curves.topic_scores import TopicScores
from cranfield.data.strings import Floats
from cranfield.errors import DataError
from cranfield.report.axes import score_scale
from cranfield.report.captions import caption, count, coverage_notes, settings_notes
from cranfield.report.density import Box, density
from cranfield.report.drawing import AnyChart, alt, encoded, layered, plain, table
from cranfield.report.findings import direction_notes
from cranfield.report.systems import Systems
from cranfield.report.theme import WIDTH, colour, if_narrow, on

MOST_RUNS = 60
"""With more runs than that, only the best are drawn, and those that are highlighted."""
MOST_POINTS = 4000
_GRID = 64
_GOLDEN = (5**0.5 - 1) / 2


@dataclass(frozen=True, eq=False)
class _Rows:
    """The runs of a drawing, from the top down, and their scores."""

    scores: TopicScores
    names: tuple[str, ...]
    highlighted: tuple[str, ...]

    def values(self, name: str) -> Floats:
        values = self.scores.scores[name]
        return values[~np.isnan(values)]

    def common(self, name: str) -> dict[str, Any]:
        """What every row of data about a run has."""
        return {"run": name, "place": self.names.index(name), "hue": "other" if self._plain(name) else "chosen"}

    def _plain(self, name: str) -> bool:
        return name not in self.highlighted

    @property
    def with_points(self) -> bool:
        """Whether topics are few enough to be drawn one by one."""
        return len(self.names) * len(self.scores.topics) <= MOST_POINTS

    @property
    def x(self) -> dict[str, Any]:
        scale = score_scale(self.scores.measure, [self.values(name) for name in self.names])
        return {"title": plain(str(self.scores.measure)), "scale": scale, "axis": alt.Axis(tickCount=8)}

    @property
    def y(self) -> dict[str, Any]:
        scale = alt.Scale(domain=[-0.5, len(self.names) - 0.5], reverse=True, nice=False, zero=False)
        return {"axis": None, "scale": scale}

    @property
    def hue(self) -> alt.Scale:
        return alt.Scale(domain=["other", "chosen"], range=[colour("hue1"), colour("hue2")])


Marks = Callable[[_Rows], list[alt.Chart]]


def box(scores: TopicScores, *, highlight: str | Iterable[str] = ()) -> AnyChart:
    """A box for each run, the best first: quartiles, whiskers, the mean as a diamond, every topic as a point."""
    meaning = "box: quartiles and median; whiskers: to the last topic within 1.5 box lengths"
    return _drawn(scores, highlight, _boxes, meaning)


def violin(scores: TopicScores, *, highlight: str | Iterable[str] = ()) -> AnyChart:
    """A violin for each run, the best first: the density of scores, the median as a bar, the mean as a diamond."""
    return _drawn(
        scores, highlight, _violins, "width: density of topics, the same at the widest place of each run; bar: median"
    )


def _drawn(scores: TopicScores, highlight: str | Iterable[str], marks: Marks, meaning: str) -> AnyChart:
    there = {name: float(np.nanmean(values)) for name, values in scores.scores.items() if not np.isnan(values).all()}
    if not there:
        raise DataError("no run has a score on any topic, so there is nothing to draw")
    systems = Systems.of(there, more_is_better=scores.measure.more_is_better, highlight=highlight)
    highlighted = systems.named if systems.chosen else ()
    best = systems.names[:MOST_RUNS]
    names = tuple(name for name in systems.names if name in best or name in highlighted)
    rows = _Rows(scores, names, highlighted)
    title = f"{scores.measure} over topics: {count(len(systems.names), 'run')}, {count(len(scores.topics), 'topic')}"
    notes = [
        meaning,
        "diamond: mean",
        "points: topics" if rows.with_points else "topics are too many to be drawn one by one",
        *(["a single topic has no distribution"] if len(scores.topics) == 1 else []),
        *([f"the best {len(best)} of {len(systems.names)} runs are drawn"] if len(names) < len(systems.names) else []),
        *direction_notes(scores.measure),
        *settings_notes(scores.about.profile, scores.about.settings),
        *coverage_notes(scores.about.coverage),
    ]
    step = 36.0 if len(names) <= 8 else 26.0 if len(names) <= 20 else 15.0
    layers = [*marks(rows), _means(rows), _labels(rows)]
    chart = layered(*layers).properties(width=WIDTH - 40, height=step * len(names), title=caption(title, notes))
    return on(chart, "light")


def _boxes(rows: _Rows) -> list[alt.Chart]:
    known = []
    for name in rows.names:
        numbers = Box.of(rows.values(name))._asdict()
        place = rows.names.index(name)
        known.append({**rows.common(name), **numbers, "top": place - 0.32, "bottom": place + 0.32})
    chart = alt.Chart(table(known))
    tooltip = [
        alt.Tooltip("run:N"),
        alt.Tooltip("first:Q", title="first quartile", format=".4f"),
        alt.Tooltip("median:Q", format=".4f"),
        alt.Tooltip("third:Q", title="third quartile", format=".4f"),
        alt.Tooltip("mean:Q", format=".4f"),
    ]
    at = {"y": alt.Y("place:Q", **rows.y)}
    whiskers = [
        chart.mark_rule(color=colour("soft")).encode(x=alt.X(f"{start}:Q", **rows.x), x2=f"{end}:Q", **at)
        for start, end in (("low", "first"), ("third", "high"))
    ]
    span = {"y": alt.Y("top:Q", **rows.y), "y2": "bottom:Q"}
    boxes = chart.mark_rect(fillOpacity=0.22, strokeWidth=1.2).encode(
        x=alt.X("first:Q", **rows.x),
        x2="third:Q",
        **span,
        fill=alt.Fill("hue:N", scale=rows.hue, legend=None),
        stroke=alt.Stroke("hue:N", scale=rows.hue, legend=None),
        tooltip=tooltip,
    )
    medians = chart.mark_rule(color=colour("ink"), strokeWidth=2).encode(x=alt.X("median:Q", **rows.x), **span)
    return [*whiskers, boxes, *_points(rows, lambda name: 0.3), medians]


def _violins(rows: _Rows) -> list[alt.Chart]:
    every = np.concatenate([rows.values(name) for name in rows.names])
    low, high = rows.scores.measure.bounds
    low = low if every.min() < 0 else max(low, 0.0)
    room = 0.1 * float(np.ptp(every)) or 0.1
    grid = np.linspace(max(low, float(every.min()) - room), min(high, float(every.max()) + room), _GRID)
    shapes = {name: density(rows.values(name), grid, (low, high)) for name in rows.names}
    known = []
    for name, shape in shapes.items():
        if shape is not None:
            place = rows.names.index(name)
            half = 0.45 * shape / shape.max()
            inside = np.flatnonzero(half > 0.002)
            known += [
                {**rows.common(name), "x": grid[at], "top": place - half[at], "bottom": place + half[at]}
                for at in inside.tolist()
            ]
    medians = [
        {**rows.common(name), "median": float(np.median(rows.values(name))), "top": place - 0.2, "bottom": place + 0.2}
        for place, name in enumerate(rows.names)
    ]
    areas = alt.Chart(table([_short(row) for row in known])).mark_area(fillOpacity=0.25, strokeWidth=1, line=False)
    areas = areas.encode(
        x=alt.X("x:Q", **rows.x),
        y=alt.Y("top:Q", **rows.y),
        y2="bottom:Q",
        detail="run:N",
        fill=alt.Fill("hue:N", scale=rows.hue, legend=None),
        stroke=alt.Stroke("hue:N", scale=rows.hue, legend=None),
        tooltip=alt.Tooltip("run:N"),
    )
    bars = alt.Chart(table(medians)).mark_rule(color=colour("ink"), strokeWidth=2)
    span = {"y": alt.Y("top:Q", **rows.y), "y2": "bottom:Q"}

    def width(name: str) -> Floats | float:
        shape = shapes[name]
        return 0.0 if shape is None else 0.4 * np.interp(rows.values(name), grid, shape) / shape.max()

    return [areas, *_points(rows, width), bars.encode(x=alt.X("median:Q", **rows.x), **span)]


def _short(row: dict[str, Any]) -> dict[str, Any]:
    """With no more digits than a drawing can show."""
    return {name: float(f"{value:.4g}") if isinstance(value, float) else value for name, value in row.items()}


def _points(rows: _Rows, width: Callable[[str], Floats | float]) -> list[alt.Chart]:
    """A point for each topic, moved up or down a little so that points do not hide each other."""
    if not rows.with_points:
        return []
    known = []
    for name in rows.names:
        scores = rows.scores.scores[name]
        there = np.flatnonzero(~np.isnan(scores))
        # The multiples of the golden ratio are spread evenly, however many there are.
        shift = (2.0 * ((np.arange(len(there)) * _GOLDEN) % 1.0) - 1.0) * width(name)
        known += [
            _short({**rows.common(name), "x": float(scores[at]), "y": rows.names.index(name) + float(move)})
            | {"topic": rows.scores.topics[at]}
            for at, move in zip(there.tolist(), shift.tolist(), strict=True)
        ]
    chart = alt.Chart(table(known)).mark_point(filled=True, size=14, opacity=0.55, color=colour("soft"))
    tooltip = [alt.Tooltip("topic:N"), alt.Tooltip("run:N"), alt.Tooltip("x:Q", title="score", format=".4f")]
    return [chart.encode(x=alt.X("x:Q", **rows.x), y=alt.Y("y:Q", **rows.y), tooltip=tooltip)]


def _means(rows: _Rows) -> alt.Chart:
    known = [{**rows.common(name), "mean": float(rows.values(name).mean())} for name in rows.names]
    marks = alt.Chart(table(known)).mark_point(
        shape="diamond", size=55, filled=True, opacity=1, color=colour("ink"), stroke=colour("paper"), strokeWidth=1
    )
    tooltip = [alt.Tooltip("run:N"), alt.Tooltip("mean:Q", format=".4f")]
    return encoded(marks, x=alt.X("mean:Q", **rows.x), y=alt.Y("place:Q", **rows.y), tooltip=tooltip)


def _labels(rows: _Rows) -> alt.Chart:
    """The names of the runs, left of the drawing."""
    known = [rows.common(name) for name in rows.names]
    text = alt.Chart(table(known)).mark_text(align="right", limit=if_narrow(110, 200), color=colour("ink"))
    return encoded(text, x=alt.value(-8), y=alt.Y("place:Q", **rows.y), text="run:N")
