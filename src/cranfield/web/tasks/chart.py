"""Means and their intervals as a drawing: a dot and a line for each run, placed for a template to draw."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

LEFT, WIDTH, RIGHT = 16, 400, 16
TOP, STEP, BOTTOM = 8, 38, 24
_LONGEST = 50


@dataclass(frozen=True)
class Line:
    name: str
    mean: float
    interval: tuple[float, float] | None
    own: bool = False


@dataclass(frozen=True)
class Drawn:
    """A run with its places in the drawing."""

    name: str
    label: str
    mean: float
    own: bool
    x: float
    y: float
    low: float
    high: float


@dataclass(frozen=True)
class Chart:
    measure: str
    width: int
    height: int
    lines: list[Drawn]
    ticks: list[tuple[float, str]]
    left: int = LEFT
    right: int = LEFT + WIDTH
    axis: int = TOP

    @classmethod
    def of(cls, measure: str, lines: Sequence[Line]) -> Chart:
        """The drawing; its scale begins at 0, unless something is below.

        >>> chart = Chart.of("AP", [Line("a: one", 0.25, (0.0, 0.5)), Line("b: two", 0.5, None)])
        >>> [(line.x, line.low, line.high) for line in chart.lines], chart.ticks[-1]
        ([(216.0, 16.0, 416.0), (416.0, 416.0, 416.0)], (416.0, '0.5'))
        """
        ends = [end for line in lines for end in (line.mean, *(line.interval or ()))]
        low, high = min([0.0, *ends]), max([0.0, *ends])
        step = _step(high - low)
        first, last = math.floor(low / step), math.ceil(high / step - 1e-9)

        def place(value: float) -> float:
            return round(float(LEFT + WIDTH * (value / step - first) / max(1, last - first)), 1)

        drawn = []
        for number, line in enumerate(lines):
            start, end = line.interval or (line.mean, line.mean)
            label = line.name if len(line.name) <= _LONGEST else line.name[: _LONGEST - 1] + "…"
            y = TOP + STEP * (number + 1) - 10
            drawn.append(Drawn(line.name, label, line.mean, line.own, place(line.mean), y, place(start), place(end)))
        ticks = [(place(number * step), f"{number * step:g}") for number in range(first, last + 1)]
        bottom = TOP + STEP * len(lines)
        return cls(measure, LEFT + WIDTH + RIGHT, bottom + BOTTOM, drawn, ticks, axis=bottom)


def _step(span: float) -> float:
    """A round distance between four to ten ticks."""
    if span <= 0:
        return 0.25
    power: float = 10.0 ** math.floor(math.log10(span))
    return next(part * power for part in (0.1, 0.2, 0.25, 0.5, 1.0, 2.0) if span / (part * power) <= 6)
