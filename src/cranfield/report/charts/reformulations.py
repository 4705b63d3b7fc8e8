"""From which query people go to which: the heaviest edges of the reformulation graph."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Literal

from cranfield.logs.reformulation_graph import KINDS, Edge, ReformulationGraph
from cranfield.report.captions import caption
from cranfield.report.drawing import AnyChart, alt, encoded, layered, plain, table
from cranfield.report.theme import HUES, WIDTH, colour, on

MOST = 30
"""More lines are a thicket."""
_HUES = dict(zip(KINDS, (*HUES[: len(KINDS) - 1], "rest"), strict=True))
_ROW = 22
"""Pixels from one query to the next below it."""
_LEFT, _RIGHT = 0.4, 0.6
"""Where lines begin and end; there the names of queries have their place."""
_LONGEST = 36
"""Letters of a query that are shown."""


def reformulations_drawn(found: ReformulationGraph, most: int = MOST) -> AnyChart:
    """Lines from queries on the left to those on the right, as thick as they are frequent, in the colour of their
    kind. A query that is both begun with and gone to stands on both sides."""
    edges = found.edges[:most]
    left, right = sides(edges)
    heaviest = max((edge.times for edge in edges), default=1)
    rows = [
        {
            "from": edge.text,
            "to": edge.next_text,
            "times": edge.times,
            "kind": edge.kind,
            "x": _LEFT,
            "y": left[edge.text],
            "x2": _RIGHT,
            "y2": right[edge.next_text],
        }
        for edge in edges
    ]
    tall = max(len(left), len(right), 2)
    place = {
        "x": alt.X("x:Q", axis=None, scale=alt.Scale(domain=[0, 1], nice=False)),
        "y": alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[tall - 0.5, -0.5], nice=False, zero=False)),
    }
    kinds = [kind for kind in KINDS if any(edge.kind == kind for edge in edges)]
    hues = alt.Scale(domain=kinds, range=[colour(_HUES[kind]) for kind in kinds])
    shafts = encoded(
        alt.Chart(table(rows)).mark_rule(opacity=0.8),
        **place,
        x2="x2:Q",
        y2="y2:Q",
        stroke=alt.Stroke(
            "kind:N", title="kind of change", scale=hues, legend=alt.Legend(symbolType="stroke", symbolStrokeWidth=4)
        ),
        strokeWidth=alt.StrokeWidth("times:Q", legend=None, scale=alt.Scale(domain=[0, heaviest], range=[1, 7])),
        tooltip=[alt.Tooltip(f"{name}:N") for name in ("from", "to", "times", "kind")],
    )
    names = [_names(left, _LEFT, "right", -8, place), _names(right, _RIGHT, "left", 8, place)]
    notes = [
        f"the {len(edges)} most frequent changes, {sum(edge.times for edge in edges):,} of {found.changes:,}",
        f"from a query (left) to the next of its session (right) within {found.minutes:g} minutes",
    ]
    drawn = layered(shafts, *names).properties(width=WIDTH, height=_ROW * tall)
    return on(drawn.properties(title=caption("How queries are said anew", notes)), "light")


def sides(edges: tuple[Edge, ...]) -> tuple[dict[str, float], dict[str, float]]:
    """The places of queries on the left, the most frequent first, and on the right, each near those that lead to it;
    the shorter side stands in the middle."""
    begun, led = defaultdict[str, int](int), defaultdict[str, list[tuple[str, int]]](list)
    for edge in edges:
        begun[edge.text] += edge.times
        led[edge.next_text].append((edge.text, edge.times))
    left = sorted(begun, key=lambda name: (-begun[name], name))
    place = {name: at for at, name in enumerate(left)}

    def middle(name: str) -> tuple[float, str]:
        return sum(place[one] * times for one, times in led[name]) / sum(times for _, times in led[name]), name

    right = sorted(led, key=middle)
    tall = max(len(left), len(right))

    def spread(side: list[str]) -> dict[str, float]:
        return {name: at + (tall - len(side)) / 2 for at, name in enumerate(side)}

    return spread(left), spread(right)


def _names(
    side: dict[str, float], x: float, align: Literal["left", "right"], shift: int, place: dict[str, Any]
) -> alt.Chart:
    rows = [{"query": name, "label": _short(name), "x": x, "y": y} for name, y in side.items()]
    texts = alt.Chart(table(rows)).mark_text(align=align, dx=shift, color=colour("ink"))
    return encoded(texts, **place, text="label:N", tooltip=[alt.Tooltip("query:N")])


def _short(name: str) -> str:
    return plain(name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…")
