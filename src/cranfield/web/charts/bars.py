"""Upright bars, one for each day or part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString

from cranfield.web.charts.svg import CHARACTER, drawing, element

HEIGHT = 120
NARROWEST, WIDEST, WHOLE = 14, 72, 400


class Bar(NamedTuple):
    name: str
    value: float
    said: str


def bar_chart(bars: Sequence[Bar], title: str, unit: str) -> SafeString:
    """A bar for each value, from zero up; names below them as far as there is room."""
    highest = max((bar.value for bar in bars), default=0) or 1
    width = min(max(WHOLE / max(len(bars), 1), NARROWEST), WIDEST)
    left, top = 24 + CHARACTER * len(f"{highest:,.0f}"), 28
    bottom = top + HEIGHT
    parts = [element("text", unit, x=4, y=14, class_="tick")]
    for share in (0, 0.5, 1):
        y = bottom - HEIGHT * share
        parts.append(element("line", x1=left, x2=left + width * len(bars), y1=y, y2=y, class_="grid"))
        value = highest * share
        said = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
        parts.append(element("text", said, x=left - 6, y=y + 4, text_anchor="end", class_="tick"))
    every = max(1, round(CHARACTER * max((len(bar.name) for bar in bars), default=1) / width + 0.5))
    for number, bar in enumerate(bars):
        x, height = left + width * number, HEIGHT * bar.value / highest
        said = element("title", f"{bar.name}: {bar.said}")
        parts.append(
            element(
                "rect", said, x=x + 2, y=bottom - height, width=width - 4, height=height, rx=2, class_="bar-of-chart"
            )
        )
        if number % every == 0:
            parts.append(element("text", bar.name, x=x + width / 2, y=bottom + 18, text_anchor="middle", class_="tick"))
    overhang = CHARACTER * max((len(bar.name) for bar in bars), default=0) / 2
    return drawing(left + width * len(bars) + overhang + 8, bottom + 28, title, parts)
