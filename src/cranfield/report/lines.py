"""Lines of several systems in one drawing: what all curves are drawn with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.report.drawing import MOST_ROWS, alt, encoded, layered, plain, table
from cranfield.report.systems import Systems
from cranfield.report.theme import HEIGHT, WIDTH, colour
from cranfield.report.thinning import thin_all

FEW_POINTS = 25
"""A line of so few points shows all of them; others have marks at some places only, to be told apart."""
_MARKS = 8
_MARK = 6.5
"""How wide a mark is."""
_BANDS = 2
"""Where more than three systems stand out, so many have a band: the first."""
_SHARE_OF_ROWS = 0.8
"""Marks and bands need some of the rows."""


@dataclass(frozen=True)
class Axis:
    """An axis of quantities."""

    title: str
    lowest: float = 0.0
    highest: float = 1.0
    logarithmic: bool = False
    format: str = ".4~f"
    few: bool = False
    """Whether there is room for few labels only."""
    percent: bool = False
    """Whether its labels are in percent."""
    ranks: bool = False
    """Whether it is of ranks, of which the first has a label."""

    def places(self, values: Floats) -> Floats:
        """Where values stand on the axis, from 0 to 1."""
        low, high = self.lowest, self.highest
        if self.logarithmic:
            low, high, values = np.log(low), np.log(high), np.log(np.maximum(values, self.lowest))
        return (values - low) / ((high - low) or 1.0)

    @property
    def scale(self) -> alt.Scale:
        domain = [self.lowest, self.highest]
        if self.logarithmic:
            return alt.Scale(type="log", domain=domain, nice=False)
        return alt.Scale(type="linear", domain=domain, nice=False, zero=False)

    @property
    def axis(self) -> alt.Axis:
        if self.logarithmic:
            return alt.Axis(values=decades(self.highest, few=self.few), format="d")
        if self.ranks:
            return alt.Axis(values=rank_labels(int(self.highest)), format="d")
        return alt.Axis(tickCount=6, format="~%") if self.percent else alt.Axis(tickCount=6)


class Line(NamedTuple):
    """The points of one system, and between what values they could lie, where that is known."""

    x: Floats
    y: Floats
    lower: Floats | None = None
    upper: Floats | None = None


def decades(highest: float, *, few: bool = False) -> list[int]:
    """Ticks of a logarithmic axis from 1 on.

    >>> decades(100), decades(30), decades(1000, few=True)
    ([1, 2, 5, 10, 20, 50, 100], [1, 2, 5, 10, 20, 30], [1, 10, 100, 1000])
    """
    steps = [step * 10**power for power in range(8) for step in ((1,) if few else (1, 2, 5))]
    inside = [tick for tick in steps if tick < highest / 1.3]
    return [*inside, int(highest)] if highest > 1 else [1]


def rank_labels(last: int) -> list[int]:
    """Labels of ranks from 1 on, not more than some dozen.

    >>> rank_labels(5), rank_labels(20)
    ([1, 2, 3, 4, 5], [1, 5, 10, 15, 20])
    """
    step = next(step for step in (1, 5, 10, 20, 50, 100, last) if last <= 12 * step)
    return [1, *range(max(step, 2), last + 1, step)]


def lines(
    found: Mapping[str, Line],
    systems: Systems,
    x: Axis,
    y: Axis,
    *,
    width: float = WIDTH,
    height: float = HEIGHT,
    most: int = MOST_ROWS,
    name: str = "lines",
    rim: float = 0.0,
) -> alt.LayerChart:
    """One line for each system, thinned so that there are at most so many rows; grey ones below those in colour.

    With a `rim`, a mark is so much wider for each other that lies on it: for lines that have many points in common.
    """
    order = [*systems.rest, *systems.named]
    kept = thin_all([(x.places(found[run].x), y.places(found[run].y)) for run in order], int(most * _SHARE_OF_ROWS))
    rows = {run: _rows(found[run], run, systems, points) for run, points in zip(order, kept, strict=True)}
    hovered = alt.selection_point(name=f"{name}_hovered", on="pointerover", fields=["run"], empty=False)
    layers: list[alt.Chart] = [*_bands(found, systems, x, y)]
    for names, rule in ((systems.rest, 1.0), (systems.named, 2.0)):
        if names:
            encoded = (
                alt.Chart(table([row for run in names for row in rows[run]]))
                .mark_line()
                .encode(
                    **placed(x, y),
                    stroke=systems.stroke(),
                    strokeDash=systems.dash(),
                    detail="run:N",
                    order="at:Q",
                    size=alt.condition(hovered, alt.value(rule + 1.5), alt.value(rule)),
                    tooltip=_tooltip(systems, x, y),
                )
            )
            layers.append(encoded.properties(name=name).add_params(hovered) if names is systems.named else encoded)
    marks = [row for run in systems.named for row in _marks(found[run], run, systems, x)]
    points = table(_sized(marks, rim) if rim else marks)
    shapes = (
        alt.Chart(points)
        .mark_point(filled=True, size=round(_MARK**2), opacity=1)
        .encode(**placed(x, y), color=systems.colour(), shape=systems.shape(), tooltip=_tooltip(systems, x, y))
    )
    layers.append(shapes.encode(size=alt.Size("size:Q", scale=None, legend=None)) if rim else shapes)
    return layered(*layers).properties(width=width, height=height)


def placed(x: Axis, y: Axis) -> dict[str, Any]:
    """The places of marks by the fields `x` and `y`."""
    return {
        "x": alt.X("x:Q", title=x.title, scale=x.scale, axis=x.axis),
        "y": alt.Y("y:Q", title=y.title, scale=y.scale, axis=y.axis),
    }


def _tooltip(systems: Systems, x: Axis, y: Axis) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("run:N", title=systems.what),
        alt.Tooltip("x:Q", title=x.title, format="d" if x.logarithmic else x.format),
        alt.Tooltip("y:Q", title=y.title, format=y.format),
    ]


def _rows(line: Line, run: str, systems: Systems, points: Ints) -> list[dict[str, Any]]:
    label = systems.label(run)
    return [
        {"run": run, "system": label, "at": at, "x": x, "y": y}
        for at, (x, y) in enumerate(zip(_short(line.x[points]), _short(line.y[points]), strict=True))
    ]


def _marks(line: Line, run: str, systems: Systems, x: Axis) -> list[dict[str, Any]]:
    """Points of a line that are marked: all, if they are few, otherwise some in equal steps along the axis."""
    points = np.arange(len(line.x))
    if len(points) > FEW_POINTS:
        # Systems have their marks at different places, so that one does not hide the other.
        shift = systems.named.index(run) / len(systems.named)
        wanted = (np.arange(_MARKS) + shift) / _MARKS
        points = np.unique(np.searchsorted(x.places(line.x), wanted).clip(0, len(points) - 1))
    return _rows(line, run, systems, points)


def _sized(marks: Sequence[Mapping[str, Any]], rim: float) -> list[dict[str, Any]]:
    """Marks, each as much wider as others lie on it."""
    sized, above = [], Counter[tuple[float, float]]()
    for mark in reversed(marks):
        place = mark["x"], mark["y"]
        sized.append({**mark, "size": (_MARK + rim * above[place]) ** 2})
        above[place] += 1
    return sized[::-1]


def _bands(found: Mapping[str, Line], systems: Systems, x: Axis, y: Axis) -> Sequence[alt.Chart]:
    """Where values could lie, of systems that stand out."""
    rows = []
    for run in banded(systems):
        line = found[run]
        if line.lower is not None and line.upper is not None:
            label = systems.label(run)
            edges = zip(_short(line.x), _short(line.lower), _short(line.upper), strict=True)
            rows += [{"run": run, "system": label, "x": at, "y": low, "upper": high} for at, low, high in edges]
    if not rows:
        return []
    band = alt.Chart(table(rows)).mark_area(opacity=0.2, line=False)
    return [band.encode(**placed(x, y), y2="upper:Q", fill=systems.fill(), detail="run:N")]


def banded(systems: Systems) -> tuple[str, ...]:
    """The systems that have a band: with many of them one would see none."""
    return systems.named if len(systems.named) <= _BANDS + 1 else systems.named[:_BANDS]


def _short(values: Floats | Ints) -> list[float]:
    """As numbers with no more digits than a drawing can show."""
    return [float(f"{value:.5g}") for value in values.tolist()]


def reference(points: Sequence[tuple[float, float]], x: Axis, y: Axis, *, dash: Sequence[float] = (4, 4)) -> alt.Chart:
    """A thin line through some points, for what systems are compared with."""
    data = table([{"x": at, "y": value} for at, value in points])
    line = alt.Chart(data).mark_line(color=colour("soft"), strokeDash=list(dash), strokeWidth=1)
    return encoded(line, **placed(x, y))


def note(text: str, at: tuple[float, float], x: Axis, y: Axis, **mark: Any) -> alt.Chart:
    """A word or two in the drawing."""
    data = table([{"x": at[0], "y": at[1], "text": plain(text)}])
    return encoded(alt.Chart(data).mark_text(color=colour("soft"), **mark), **placed(x, y), text="text:N")
