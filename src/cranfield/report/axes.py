"""Axes of scores and of topics, as several charts have them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from cranfield.data.strings import Floats
from cranfield.measures import Measure
from cranfield.report.drawing import alt
from cranfield.report.theme import WIDTH, if_narrow

MOST_LABELS = 60
"""With more topics than that, their names do not fit below an axis."""
MOST_BARS = 560
"""With more topics than that, a bar would be thinner than a pixel: not all are drawn."""
_ROOM_FOR_A_BAR = 70
_ROOM_FOR_FIGURES = 30
_NARROW = 240
"""How wide a chart is on a telephone, about."""
_LETTER = 5.9
"""How wide a letter of a label is, about, in pixels."""

_STEPS = ((10, math.sqrt(50)), (5, math.sqrt(10)), (2, math.sqrt(2)), (1, 0.0))
"""From what share of a power of ten on a step is so many of them, as the axes of Vega have it."""


def score_scale(measure: Measure, values: Iterable[Floats]) -> alt.Scale:
    """From 0, or the lowest score if that is less; to 1 where scores come near it and cannot be higher."""
    known = np.concatenate([one[np.isfinite(one)] for one in values])
    low, high = float(known.min(initial=0.0)), float(known.max(initial=0.0))
    if high == low == 0.0 or (measure.bounds[1] == 1.0 and high > 0.6):
        high = 1.0
    return alt.Scale(domain=[low, high], nice=True, zero=False)


def around(values: Collection[float]) -> alt.Scale:
    """An axis that has all values and some room around them, but nothing below 0 where no value is."""
    low, high = min(values), max(values)
    room = 0.06 * (high - low) or 0.5
    return alt.Scale(domain=[low - room if low < 0 else max(low - room, 0.0), high + room], nice=False, zero=False)


def bar_width(topics: int) -> float:
    """How wide a chart of bars is: bars of few topics need not fill a page.

    >>> bar_width(2), bar_width(50)
    (200, 560)
    """
    return min(WIDTH, max(200, _ROOM_FOR_A_BAR * topics))


def topic_axis(title: str | None, topics: Sequence[str], drawn: int, *, labelled: bool = True) -> alt.X:
    """Topics side by side in the order of the data, of which so many are drawn, with their names if these fit."""
    if title and drawn < len(topics):
        title += f" (one in {len(topics) / drawn:.3g} drawn)"
    labels = labelled and len(topics) <= MOST_LABELS
    width = bar_width(len(topics))
    angles = 0 if label_angle(topics, min(width, _NARROW)) == 0 else 270, label_angle(topics, width)
    overlap = alt.ExprRef("narrow ? 'parity' : false")
    axis = alt.Axis(labels=labels, ticks=labels, **turned(*angles), labelLimit=110, labelOverlap=overlap, grid=False)
    return alt.X("topic:N", title=title, sort=None, axis=axis, scale=alt.Scale(padding=0.15 if drawn < 150 else 0))


def label_angle(labels: Sequence[str], width: float) -> int:
    """How labels below an axis of this width stand: upright if they fit, slanted if they are few, or turned.

    >>> label_angle(["1", "2"], 500), label_angle(["a long name of a topic"] * 5, 500), label_angle(["topic"] * 50, 500)
    (0, 315, 270)
    """
    room = width / max(len(labels), 1)
    if max(map(len, labels), default=0) * _LETTER < room:
        return 0
    return 315 if len(labels) <= 12 else 270


def turned(narrow: int, wide: int, *, above: bool = False) -> dict[str, Any]:
    """How labels below an axis, or above one, stand at these angles: each ends at its own tick, or lies centred on it.

    Vega-Lite finds that out by itself only where the angle is the same on every screen.
    """
    ends, side = ("left", "bottom") if above else ("right", "top")
    align = {0: "center", 315: ends, 270: ends}
    baseline = {0: side, 315: side, 270: "middle"}
    return {
        "labelAngle": if_narrow(narrow, wide),
        "labelAlign": alt.ExprRef(f"narrow ? '{align[narrow]}' : '{align[wide]}'"),
        "labelBaseline": alt.ExprRef(f"narrow ? '{baseline[narrow]}' : '{baseline[wide]}'"),
    }


def round_end(highest: float, steps: int = 6) -> float:
    """The first tick at or above the highest value, on an axis from 0 of about so many steps of 1, 2 or 5.

    >>> round_end(0.87), round_end(0.327), round_end(41.0)
    (1.0, 0.35, 50.0)
    """
    end, before = highest, 0.0
    while end > before:  # A longer axis may have longer steps.
        before = end
        power = 10.0 ** math.floor(math.log10(end / steps))
        step = power * next(size for size, least in _STEPS if end / steps / power >= least)
        end = round(math.ceil(end / step - 1e-9) * step, 12)
    return end


def where_figures_fit() -> alt.ExprRef:
    """The opacity of figures in the cells of a matrix: on a narrow screen cells are too small for them."""
    return alt.ExprRef(f"x_step < {_ROOM_FOR_FIGURES} ? 0 : 1")
