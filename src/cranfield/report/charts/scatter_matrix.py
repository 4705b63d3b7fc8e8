"""Systems by each two measures: a small scatter for each pair, and beside it how alike the two put systems in order."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from cranfield.errors import UsageError
from cranfield.evaluation.correlated import Correlated, Correlations
from cranfield.evaluation.system_rankings import SystemRanking
from cranfield.report.axes import around
from cranfield.report.captions import caption, count
from cranfield.report.drawing import AnyChart, alt, encoded, layered, plain, table
from cranfield.report.systems import Systems
from cranfield.report.theme import colour, on
from cranfield.stats import wording

COEFFICIENT_NAMES = {
    "tau_a": "Kendall's tau a",
    "tau_b": "Kendall's tau b",
    "tau_ap_a": "AP correlation",
    "tau_ap_b": "AP correlation b",
    "spearman": "Spearman's rho",
    "pearson": "Pearson's r",
    "rbo": "rank-biased overlap",
}
MOST_RANKINGS = 8
_LETTER = 0.6
"""How wide a letter is, about, as a share of the size of the font."""


def scatter_matrix(found: Correlations, coefficient: str, *, highlight: str | Iterable[str] = ()) -> AnyChart:
    """Each two rankings against each other: points below the diagonal, the coefficient above it."""
    rankings = found.rankings
    if len(rankings) > MOST_RANKINGS:
        raise UsageError(
            f"{len(rankings)} rankings do not fit in scatters; name {MOST_RANKINGS} or fewer, or let a heat map show "
            f"them (--form heat)"
        )
    pairs = {frozenset((id(pair.first), id(pair.second))): pair for pair in found}
    first = rankings[0]
    systems = Systems.of(first.scores, more_is_better=first.more_is_better, highlight=highlight, what="system")
    side = 150.0 if len(rankings) <= 4 else 105.0
    rows = []
    for down, below in enumerate(rankings):
        row: list[alt.Chart | alt.LayerChart] = []
        for across, beside in enumerate(rankings):
            pair = pairs.get(frozenset((id(below), id(beside))))
            if down == across:
                row.append(_name(below, side))
            elif pair is None:
                row.append(_figure([], 0.0, side))
            elif down > across:
                outer = (down == len(rankings) - 1, across == 0)
                row.append(_points(beside, below, systems, side, outer))
            else:
                row.append(_coefficient(pair, coefficient, side))
        rows.append(alt.hconcat(*row, spacing=8, bounds="flush"))
    title = f"{count(len(first.systems), 'system')} by each two of {len(rankings)} rankings{topics_of(found[0])}"
    notes = [
        f"below the diagonal: a point for each system, its mean scores; above: {COEFFICIENT_NAMES[coefficient]}",
        *systems.notes(f"mean {first.label}"),
        *([f"no value: {'; '.join(found.undefined)}"] if found.undefined else []),
        *found.notes,
    ]
    whole = caption(title, notes, width=len(rankings) * (side + 8) + 200)
    return on(alt.vconcat(*rows, spacing=8).properties(title=whole), "light")


def topics_of(pair: Correlated) -> str:
    """Over how many topics the scores of two rankings are means, if that is known."""
    counts = {len(ranking.topics) for ranking in (pair.first, pair.second) if ranking.topics is not None}
    return f", {' and '.join(count(one, 'topic') for one in sorted(counts))}" if counts else ""


def _points(
    beside: SystemRanking, below: SystemRanking, systems: Systems, side: float, outer: tuple[bool, bool]
) -> alt.Chart:
    """A scatter, with axes where it is in the last row or in the first column."""
    rows = [
        {"run": run, "system": systems.label(run), "x": beside.scores[run], "y": below.scores[run]}
        for run in (*systems.rest, *systems.named)
    ]
    look: Mapping[str, Any] = {"title": None, "tickCount": 3, "labelFontSize": 10, "format": ".2~f"}
    x_axis, y_axis = (alt.Axis(**look, labels=shown, ticks=shown, domain=shown, grid=True) for shown in outer)
    return encoded(
        alt.Chart(table(rows)).mark_point(filled=True, size=36, opacity=0.9),
        x=alt.X("x:Q", axis=x_axis, scale=around(beside.scores.values())),
        y=alt.Y("y:Q", axis=y_axis, scale=around(below.scores.values())),
        color=systems.colour(),
        shape=systems.shape(),
        tooltip=[
            alt.Tooltip("run:N", title="system"),
            alt.Tooltip("x:Q", title=plain(beside.label), format=".4f"),
            alt.Tooltip("y:Q", title=plain(below.label), format=".4f"),
        ],
    ).properties(width=side, height=side)


def _name(ranking: SystemRanking, side: float) -> alt.LayerChart:
    """The measure whose row and column meet here: a long name smaller, in lines that end at its parameters."""
    size = 13 if len(ranking.label) * 13 * _LETTER <= side else 10
    lines = textwrap.wrap(re.sub(r"(?<=[(,)])", " ", ranking.label), int(side / (size * _LETTER)))
    return _figure(lines if size == 10 else [ranking.label], 0.0, side, size=size, weight="bold")


def _coefficient(pair: Correlated, name: str, side: float) -> alt.LayerChart:
    value = pair.coefficients[name].value
    known = not math.isnan(value)
    return _figure([wording.number(value) if known else "–"], value if known else 0.0, side, said=pair.sentence)


def _figure(
    lines: list[str], value: float, side: float, *, size: int = 16, weight: str = "normal", said: str = ""
) -> alt.LayerChart:
    """Words in the middle of a cell, which is the bluer the higher the value is, and the more orange the lower."""
    cell = {"lines": [plain(line) for line in lines], "value": value, "said": said}
    base = alt.Chart(table([cell]))
    scale = alt.Scale(domain=[-1, 0, 1], range=[colour("worse"), colour("even"), colour("better")], interpolate="rgb")
    ground = base.mark_rect(opacity=1.0 if said else 0.0).encode(fill=alt.Fill("value:Q", scale=scale, legend=None))
    if said:
        ground = ground.encode(tooltip=[alt.Tooltip("said:N", title="in words")])
    ink = alt.condition("abs(datum.value) > strong_from", alt.value(colour("on_colour")), alt.value(colour("ink")))
    look: dict[str, Any] = {
        "fontSize": size,
        "fontWeight": weight,
        "baseline": "middle",
        "dy": -0.6 * size * (len(lines) - 1),
    }
    words = base.mark_text(**look).encode(text="lines:N", color=ink)
    return layered(ground, words).properties(width=side, height=side)
