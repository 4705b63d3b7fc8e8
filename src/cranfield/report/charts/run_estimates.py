"""A number for each run that was estimated, with its interval, and what is open about it besides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from cranfield.report.captions import caption
from cranfield.report.drawing import AnyChart, alt, encoded, layered, plain, table
from cranfield.report.theme import WIDTH, colour, if_narrow, on

LABEL = 220
"""So wide is a name at most where there is room."""


class Estimate(NamedTuple):
    """Of one run; bounds are None where there are none."""

    run: str
    value: float
    low: float | None
    high: float | None
    least: float | None = None
    most: float | None = None


def run_estimates(
    estimates: Sequence[Estimate],
    title: str,
    axis: str,
    notes: Sequence[str] = (),
    *,
    what: str = "run",
    percent: bool = False,
    usual: float | None = None,
    label: int = LABEL,
) -> AnyChart:
    """A diamond for each run, or `what` else there is an estimate of, in the order given, a line for its interval, and
    a wide bar from `least` to `most`. A thin line stands at the value that is `usual`."""
    data = table([{**one._asdict(), "run": plain(one.run)} for one in estimates])
    order = [plain(one.run) for one in estimates]
    look = alt.Axis(labelLimit=if_narrow(125, label), ticks=False, domain=False, labelPadding=8)
    y = alt.Y("run:N", title=None, sort=order, scale=alt.Scale(domain=order), axis=look)
    ticks = alt.Axis(tickCount=8, format="~%") if percent else alt.Axis(tickCount=8)
    along: dict[str, Any] = {"title": plain(axis), "scale": alt.Scale(zero=percent, nice=True), "axis": ticks}
    layers = []
    if usual is not None:
        edge = alt.Chart(table([{"usual": usual}])).mark_rule(strokeDash=[4, 4], color=colour("soft"))
        layers.append(encoded(edge, x=alt.X("usual:Q", **along)))
    for low, high, width, hue in (("least", "most", 10, "better_faint"), ("low", "high", 1.5, "ink")):
        if any(getattr(one, low) is not None for one in estimates):
            bar = alt.Chart(data).mark_rule(strokeWidth=width, color=colour(hue))
            layers.append(encoded(bar, x=alt.X(f"{low}:Q", **along), x2=f"{high}:Q", y=y))
    numbers = [alt.Tooltip(f"{name}:Q", format=".1%" if percent else ".4f") for name in ("value", "low", "high")]
    tips = [alt.Tooltip("run:N", title=what), *numbers]
    diamonds = alt.Chart(data).mark_point(shape="diamond", filled=True, size=70, opacity=1, color=colour("ink"))
    layers.append(diamonds.encode(x=alt.X("value:Q", **along), y=y, tooltip=tips))
    drawn = layered(*layers).properties(width=WIDTH - 40, height=alt.Step(24.0))
    return on(drawn.properties(title=caption(title, notes)), "light")
