"""The one look of all drawings, on light and on dark ground: colours by name, type, lines.

Colours are those of Okabe and Ito (Color Universal Design, 2008), which readers with any kind of colour vision tell
apart. Charts name them (`colour("better")`) and never say what they are, so that one specification serves both grounds:
the values are in its `config`. Systems differ in shape and dash too, for print without colour.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

from cranfield.errors import UsageError, did_you_mean
from cranfield.report.drawing import AnyChart, alt

Ground = Literal["light", "dark"]
GROUNDS: tuple[Ground, ...] = get_args(Ground)

COLOURS: dict[Ground, dict[str, str]] = {
    "light": {
        "paper": "#ffffff",
        "ink": "#1f2328",
        "soft": "#57606a",
        "grid": "#e4e7eb",
        "rest": "#b3b9c1",
        "hue1": "#0072b2",
        "hue2": "#d55e00",
        "hue3": "#009e73",
        "hue4": "#cc79a7",
        "hue5": "#000000",
        "hue6": "#e69f00",
        "hue7": "#56b4e9",
        "better": "#0072b2",
        "better_soft": "#7fb8d8",
        "better_faint": "#cfe3ef",
        "worse": "#c24e00",
        "worse_soft": "#eaae7f",
        "worse_faint": "#f6dfcc",
        "even": "#eceef1",
        "on_colour": "#ffffff",
    },
    "dark": {
        "paper": "#16191d",
        "ink": "#e6e8eb",
        "soft": "#a4abb3",
        "grid": "#31363c",
        "rest": "#646c75",
        "hue1": "#56b4e9",
        "hue2": "#e69f00",
        "hue3": "#00b386",
        "hue4": "#cc79a7",
        "hue5": "#ffffff",
        "hue6": "#f0e442",
        "hue7": "#d55e00",
        "better": "#3f9fd8",
        "better_soft": "#27648a",
        "better_faint": "#1c3d52",
        "worse": "#d9681a",
        "worse_soft": "#8a4513",
        "worse_faint": "#4d2f1b",
        "even": "#2b3036",
        "on_colour": "#0b0e11",
    },
}
"""What each colour is on each ground."""
STRONG_FROM: dict[Ground, float] = {"light": 0.82, "dark": 0.65}
"""Text is better read in `on_colour` than in `ink` where a mixture with `even` has more of `better` or `worse`."""

HUES = tuple(f"hue{number}" for number in range(1, 8))
"""The colours of systems, in the order in which they are given out."""
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [10, 4], [4, 2, 1, 2], [1, 3])
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")

WIDTH, HEIGHT = 560, 360
"""Of the plotting area, unless a chart has reasons of its own."""
_FONT = "Helvetica, Arial, Liberation Sans, sans-serif"


def colour(name: str) -> alt.ExprRef:
    """The colour of this name, whatever the ground."""
    assert name in COLOURS["light"], name
    return alt.ExprRef(name)


def if_narrow(narrow: float, wide: float) -> alt.ExprRef:
    """A number of a chart that depends on the room: a page says so on a narrow screen, and files are never narrow."""
    return alt.ExprRef(f"narrow ? {narrow:g} : {wide:g}")


def ground_named(name: str) -> Ground:
    """The ground of this name; an error that offers the nearest if there is none."""
    for ground in GROUNDS:
        if ground == name:
            return ground
    raise UsageError(f"there is no theme {name!r}; there are {', '.join(GROUNDS)}{did_you_mean(name, GROUNDS)}")


def config(ground: Ground) -> dict[str, Any]:
    """What Vega-Lite is told about the look of a chart."""
    ink, soft, grid = (COLOURS[ground][name] for name in ("ink", "soft", "grid"))
    return {
        "params": [
            *({"name": name, "value": value} for name, value in COLOURS[ground].items()),
            {"name": "strong_from", "value": STRONG_FROM[ground]},
            {"name": "narrow", "value": False},
        ],
        "background": COLOURS[ground]["paper"],
        "font": _FONT,
        "padding": 12,
        "view": {"stroke": None, "continuousWidth": WIDTH, "continuousHeight": HEIGHT},
        "title": {
            "anchor": "start",
            "frame": "group",
            "color": ink,
            "fontSize": 15,
            "fontWeight": "bold",
            "subtitleColor": soft,
            "subtitleFontSize": 12,
            "subtitlePadding": 5,
            "offset": 14,
        },
        "axis": {
            "labelColor": soft,
            "titleColor": ink,
            "titleFontWeight": "normal",
            "titleFontSize": 12,
            "labelFontSize": 11,
            "domainColor": soft,
            "tickColor": soft,
            "gridColor": grid,
            "labelLimit": 200,
            "labelFlush": False,
            "titlePadding": 8,
        },
        "legend": {
            "labelColor": ink,
            "titleColor": soft,
            "titleFontWeight": "normal",
            "titleFontSize": 11,
            "labelFontSize": 11,
            "labelLimit": 220,
            "titleLimit": 260,
            "symbolSize": 80,
            "symbolStrokeWidth": 0,
        },
        "header": {"labelColor": ink, "titleColor": soft, "labelFontSize": 11, "labelLimit": 240},
        "line": {"strokeWidth": 2, "strokeCap": "round"},
        "rule": {"color": soft},
        "text": {"color": ink, "fontSize": 11},
        "point": {"size": 45, "strokeWidth": 1.5},
        "range": {"category": [COLOURS[ground][name] for name in HUES]},
    }


def on(chart: AnyChart, ground: Ground) -> AnyChart:
    """The chart on this ground."""
    dressed = chart.copy(deep=False)
    dressed["config"] = alt.Config(**config(ground))
    return dressed
