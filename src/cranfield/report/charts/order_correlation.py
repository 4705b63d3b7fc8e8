"""How alike measures, judgments or slices of topics put systems in order: a heat map, or scatters."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from cranfield.errors import UsageError
from cranfield.evaluation.correlated import Correlated, Correlations
from cranfield.report.axes import around, where_figures_fit
from cranfield.report.captions import caption, count
from cranfield.report.charts.scatter_matrix import COEFFICIENT_NAMES, scatter_matrix, topics_of
from cranfield.report.drawing import AnyChart, alt, encoded, layered, plain, table
from cranfield.report.systems import Systems
from cranfield.report.theme import colour, if_narrow, on
from cranfield.stats import wording
from cranfield.stats.correlation.system_correlation import coefficient_names

MOST_RANKINGS = 60
MOST_IN_FIGURES = 16
SIDE = 400


def correlation(
    found: Correlations, coefficient: str = "tau_b", *, highlight: str | Iterable[str] = (), form: str | None = None
) -> AnyChart:
    """A coefficient for each two rankings of systems; two rankings alone as a scatter of the systems.

    `form` is `heat` or `scatter` where that is not what is wanted; a scatter of several rankings is one of each two.
    """
    (name,) = coefficient_names([coefficient])
    if name not in found[0].coefficients:
        raise UsageError(f"{name} was not computed; there are {', '.join(found[0].coefficients)}")
    if form not in (None, "heat", "scatter"):
        raise UsageError(f"a correlation is drawn as heat or scatter, not {form!r}")
    if form == "scatter" and len(found) > 1:
        return scatter_matrix(found, name, highlight=highlight)
    if form == "scatter" or (form is None and len(found) == 1):
        return _scatter(found[0], name, found.notes, highlight)
    return _heat_map(found, name)


def _heat_map(found: Correlations, name: str) -> AnyChart:
    labels = [ranking.label for ranking in found.rankings]
    if len(labels) > MOST_RANKINGS:
        raise UsageError(f"{len(labels)} rankings do not fit in a drawing; name {MOST_RANKINGS} or fewer")
    cells = [cell for pair in found for cell in _cells(pair, name)]
    order = [plain(label) for label in labels]
    step = 62 if len(labels) <= 8 else 40 if len(labels) <= MOST_IN_FIGURES else max(9.0, 600 / len(labels))
    axis: dict[str, Any] = {"title": None, "sort": order, "scale": alt.Scale(domain=order)}
    look: dict[str, Any] = {"ticks": False, "domain": False, "labelLimit": if_narrow(100, 190)}
    base = alt.Chart(table(cells)).encode(
        x=alt.X("column:N", **axis, axis=alt.Axis(**look, labelAngle=-90 if len(labels) > 3 else 0, orient="top")),
        y=alt.Y("row:N", **axis, axis=alt.Axis(**look)),
    )
    low = 0 if name == "rbo" else -1
    scale = alt.Scale(
        domain=[low, 0, 1] if low else [0, 1],
        range=[colour(hue) for hue in (("worse", "even", "better") if low else ("even", "better"))],
        interpolate="rgb",
    )
    tiles = base.mark_rect(stroke=colour("paper"), strokeWidth=1).encode(
        color=alt.Color(
            "value:Q", title=COEFFICIENT_NAMES[name], scale=scale, legend=alt.Legend(gradientLength=140, titleLimit=160)
        ),
        tooltip=[
            alt.Tooltip("row:N"),
            alt.Tooltip("column:N"),
            alt.Tooltip("value:Q", title="coefficient", format=".4f"),
            alt.Tooltip("said:N", title="in words"),
        ],
    )
    chart = layered(tiles)
    if len(labels) <= MOST_IN_FIGURES:
        strong = "abs(datum.value) > strong_from"
        ink = alt.condition(strong, alt.value(colour("on_colour")), alt.value(colour("ink")))
        chart = layered(
            tiles, base.mark_text(fontSize=11, opacity=where_figures_fit()).encode(text="text:N", color=ink)
        )
    systems = count(len(found[0].first.systems), "system")
    title = f"How alike {systems} are ordered: {COEFFICIENT_NAMES[name]}{topics_of(found[0])}"
    if any(cell["value"] is None for cell in cells):
        reasons = "; ".join(found.undefined)
        notes = [f"no value: {reasons}", *found.notes]
    else:
        notes = [*found.notes]
    width = max(step * len(labels) + 160, 460)
    chart = chart.properties(width=alt.Step(step), height=alt.Step(step), title=caption(title, notes, width=width))
    return on(chart, "light")


def _cells(pair: Correlated, name: str) -> list[dict[str, Any]]:
    value = pair.coefficients[name].value
    known = None if math.isnan(value) else value
    cell = {"value": known, "text": "–" if known is None else f"{value:.2f}", "said": pair.sentence}
    first, second = pair.first.label, pair.second.label
    return [{**cell, "row": first, "column": second}, {**cell, "row": second, "column": first}]


def _scatter(pair: Correlated, name: str, notes: Iterable[str], highlight: str | Iterable[str]) -> AnyChart:
    first, second = pair.first, pair.second
    systems = Systems.of(first.scores, more_is_better=first.more_is_better, highlight=highlight, what="system")
    rows = [
        {
            "run": run, "system": systems.label(run), "x": first.scores[run], "y": second.scores[run],
            "place_x": first.places[run], "place_y": second.places[run],
        }
        for run in (*systems.rest, *systems.named)
    ]  # fmt: skip
    points = encoded(
        alt.Chart(table(rows)).mark_point(filled=True, size=80, opacity=0.9),
        x=alt.X("x:Q", title=f"mean {plain(first.label)}", scale=around(first.scores.values())),
        y=alt.Y("y:Q", title=f"mean {plain(second.label)}", scale=around(second.scores.values())),
        color=systems.colour(),
        shape=systems.shape(),
        tooltip=[
            alt.Tooltip("run:N", title="system"),
            alt.Tooltip("x:Q", title="first mean", format=".4f"),
            alt.Tooltip("place_x:Q", title="first place"),
            alt.Tooltip("y:Q", title="second mean", format=".4f"),
            alt.Tooltip("place_y:Q", title="second place"),
        ],
    )
    title = f"{second.label} against {first.label}: {count(len(rows), 'system')}{topics_of(pair)}"
    said = [
        _coefficient(pair, name),
        f"{pair.alike} of {len(rows) * (len(rows) - 1) // 2} pairs of systems in the same order",
    ]
    whole = caption(title, [*said, *systems.notes(f"mean {first.label}"), *notes], width=SIDE + 160)
    return on(points.properties(width=SIDE, height=SIDE, title=whole), "light")


def _coefficient(pair: Correlated, name: str) -> str:
    found = pair.coefficients[name]
    if found.undefined:
        return f"{COEFFICIENT_NAMES[name]} is not defined: {found.undefined}"
    words = f"{COEFFICIENT_NAMES[name]} {wording.number(found.value)}"
    if found.interval is None:
        return words
    level, lower, upper = found.interval.level, found.interval.lower, found.interval.upper
    return f"{words} ({100 * level:g} % interval {wording.number(lower)} to {wording.number(upper)})"
