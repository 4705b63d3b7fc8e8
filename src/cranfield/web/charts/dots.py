"""Values in rows, one below the other, each with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString

from cranfield.web.charts.svg import CHARACTER, drawing, element, shortened

ROW = 24
LONGEST = 22


class Dot(NamedTuple):
    """A row; without a value it says why there is none."""

    name: str
    value: float | None
    lower: float | None = None
    upper: float | None = None
    why_not: str = ""
    said: str = ""
    """The numbers in words, when one points at it."""


def dot_plot(dots: Sequence[Dot], title: str, *, low: float, high: float, step: float) -> SafeString:
    """A row for each dot, on an axis from low to high; what lies below is drawn at its end."""
    left = 16 + CHARACTER * max((len(shortened(dot.name, LONGEST)) for dot in dots), default=0)
    right, top = left + 300, 24
    bottom = top + ROW * len(dots)

    def across(value: float) -> float:
        return left + (right - left) * (min(max(value, low), high) - low) / (high - low)

    ticks = [low + step * number for number in range(round((high - low) / step) + 1)]
    parts = [
        element("line", x1=across(tick), x2=across(tick), y1=top, y2=bottom, class_="grid" if tick else "grid zero")
        for tick in ticks
    ]
    parts += [
        element("text", f"{tick:g}", x=across(tick), y=top - 8, text_anchor="middle", class_="tick") for tick in ticks
    ]
    for number, dot in enumerate(dots):
        y = top + ROW * (number + 0.5)
        parts.append(element("text", shortened(dot.name, LONGEST), x=left - 8, y=y + 4, text_anchor="end"))
        parts += _row(dot, y, across)
    return drawing(right + 16, bottom + 8, title, parts)


def _row(dot: Dot, y: float, across: object) -> list[SafeString]:
    assert callable(across)
    if dot.value is None:
        reason = shortened(dot.why_not, 40)
        return [element("text", element("title", dot.why_not), reason, x=across(-10) + 4, y=y + 4, class_="tick why")]
    said = element("title", dot.said or f"{dot.name}: {dot.value:.4f}")
    drawn = [element("circle", said, cx=across(dot.value), cy=y, r=5, class_="dot")]
    if dot.lower is not None and dot.upper is not None:
        drawn.insert(0, element("line", x1=across(dot.lower), x2=across(dot.upper), y1=y, y2=y, class_="interval"))
    return drawn
