"""The surface that tuning searched: what each value of the parameters scored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from cranfield.experiments.parameter_space import Choice, Parameter
from cranfield.experiments.tuned import Trial, Tuning, shown
from cranfield.report.axes import around, where_figures_fit
from cranfield.report.captions import caption, count
from cranfield.report.drawing import MOST_ROWS, AnyChart, alt, layered, plain, table
from cranfield.report.theme import HEIGHT, WIDTH, colour, on

MOST_IN_FIGURES = 12
"""Up to so many columns, tiles have room for figures."""
ROW = 64
"""How high a row of tiles is, where there are few."""
LEGEND = 140
PANEL = 250
"""How wide the panel of one of many parameters is."""


def surface(found: Tuning) -> AnyChart:
    """One parameter: scores against its values. Two: tiles of a grid, or points in the plane. More: a panel for each.

    Scores are those by which the best trial was chosen, which is marked.
    """
    trials = found.best_first[:MOST_ROWS]
    parameters = list(found.parameters)
    if len(parameters) == 1:
        chart: AnyChart = _against(found, trials, parameters[0], WIDTH, HEIGHT)
    elif len(parameters) > 2:
        panels = [_against(found, trials, parameter, PANEL, PANEL * 0.8) for parameter in parameters]
        chart = alt.concat(*panels, columns=3)
    elif found.method == "grid":
        chart = _tiles(found, trials)
    else:
        chart = _plane(found, trials)
    return on(chart.properties(title=_caption(found, len(trials))), "light")


def _caption(found: Tuning, drawn: int) -> alt.TitleParams:
    best = found.best
    values = ", ".join(f"{name} = {shown(value)}" for name, value in best.values.items())
    crossed = found.cross_validation
    notes = [
        f"best: {values}, {found.measure} {best.scores[found.chosen_by]:.4f}",
        f"{found.method}, seed {found.seed}" if found.method != "grid" else "grid",
        f"{crossed.mean:.4f} in {len(crossed.folds)}-fold cross-validation" if crossed else "",
        f"the best {drawn} are drawn" if drawn < len(found.trials) else "",
        "no test topic was looked at",
    ]
    title = f"{found.system}: {found.measure} on {found.topics_in_words}, {count(len(found.trials), 'trial')}"
    return caption(title, notes)


def _rows(found: Tuning, trials: Sequence[Trial]) -> list[dict[str, Any]]:
    """Named by place: what parameters are called is data, and no name of a field."""
    scores = [trial.scores[found.chosen_by] for trial in trials]
    worst, room = min(scores, key=found.goodness), abs(max(scores) - min(scores)) or 1.0
    return [
        {
            **{f"p{at}": trial.values[name] for at, name in enumerate(found.parameters.names)},
            **{f"text{at}": shown(trial.values[name]) for at, name in enumerate(found.parameters.names)},
            "score": score,
            "share": abs(score - worst) / room,
            "figure": f"{score:.3f}",
            "trial": trial.number,
            "best": trial is found.best,
        }
        for trial, score in zip(trials, scores, strict=True)
    ]


def _tooltip(found: Tuning) -> list[alt.Tooltip]:
    parts = [alt.Tooltip(f"text{at}:N", title=plain(name)) for at, name in enumerate(found.parameters.names)]
    return [*parts, alt.Tooltip("score:Q", title=str(found.measure), format=".4f"), alt.Tooltip("trial:Q")]


def _against(
    found: Tuning, trials: Sequence[Trial], parameter: Parameter, width: float, height: float
) -> alt.LayerChart:
    """Scores against the values of one parameter."""
    base = alt.Chart(table(_rows(found, trials))).encode(
        x=_place(alt.X, found, parameter),
        y=alt.Y("score:Q", title=str(found.measure), scale=around([trial.scores[found.chosen_by] for trial in trials])),
    )
    points = base.mark_point(filled=True, opacity=0.75, size=50, color=colour("better"))
    layers = [points.encode(tooltip=_tooltip(found)), _ring(base)]
    if len(found.parameters.names) == 1 and not isinstance(parameter, Choice):
        layers.insert(0, base.mark_line(color=colour("better_soft"), strokeWidth=1.5))
    return layered(*layers).properties(width=width, height=height)


def _plane(found: Tuning, trials: Sequence[Trial]) -> alt.LayerChart:
    """Two parameters as coordinates, and the score as colour."""
    across, up = found.parameters
    base = alt.Chart(table(_rows(found, trials))).encode(x=_place(alt.X, found, across), y=_place(alt.Y, found, up))
    points = base.mark_point(filled=True, opacity=1, size=110, stroke=colour("soft"), strokeWidth=0.5)
    return layered(points.encode(color=_shade(found), tooltip=_tooltip(found)), _ring(base)).properties(
        width=WIDTH, height=HEIGHT
    )


def _tiles(found: Tuning, trials: Sequence[Trial]) -> alt.LayerChart:
    """Two parameters of a grid: a tile for each point of it."""
    across, up = (_values(found, parameter) for parameter in found.parameters)
    names = [plain(name) for name in found.parameters.names]
    look: dict[str, Any] = {"ticks": False, "domain": False}
    base = alt.Chart(table(_rows(found, trials))).encode(
        x=alt.X("text0:N", title=names[0], sort=across, axis=alt.Axis(labelAngle=0, **look)),
        y=alt.Y("text1:N", title=names[1], sort=up[::-1], axis=alt.Axis(**look)),
    )
    row = max(min(HEIGHT / len(up), ROW), 12)
    shade = _shade(found, min(LEGEND, row * len(up)))
    tiles = base.mark_rect(stroke=colour("paper"), strokeWidth=1).encode(color=shade, tooltip=_tooltip(found))
    best = base.transform_filter("datum.best").mark_rect(fillOpacity=0, stroke=colour("worse"), strokeWidth=2.5)
    layers = [tiles, best]
    if len(across) <= MOST_IN_FIGURES:
        ink = alt.condition("datum.share > strong_from", alt.value(colour("on_colour")), alt.value(colour("ink")))
        layers.append(base.mark_text(fontSize=11, opacity=where_figures_fit()).encode(text="figure:N", color=ink))
    return layered(*layers).properties(width=alt.Step(max(WIDTH / len(across), 12)), height=alt.Step(row))


def _values(found: Tuning, parameter: Parameter) -> list[str]:
    """The values of a parameter that were tried, in their order."""
    tried = {trial.values[parameter.name] for trial in found.trials}
    known = parameter.values if isinstance(parameter, Choice) else sorted(tried)
    return [shown(value) for value in known if value in tried]


def _place(channel: Any, found: Tuning, parameter: Parameter) -> Any:
    """Where a value of a parameter stands on an axis."""
    at, name = found.parameters.names.index(parameter.name), plain(parameter.name)
    if isinstance(parameter, Choice):
        return channel(f"text{at}:N", title=name, sort=_values(found, parameter), axis=alt.Axis(labelAngle=0))
    kind: Literal["log", "linear"] = "log" if parameter.logarithmic else "linear"
    scale = alt.Scale(type=kind, domain=[parameter.low, parameter.high], nice=False, zero=False, padding=10)
    return channel(f"p{at}:Q", title=name, scale=scale)


def _shade(found: Tuning, length: float = LEGEND) -> alt.Color:
    """The better, the stronger; the legend has this length."""
    hues = [colour(hue) for hue in ("even", "better")]
    return alt.Color(
        "score:Q",
        title=str(found.measure),
        scale=alt.Scale(
            range=hues if found.measure.more_is_better is not False else hues[::-1], interpolate="rgb", zero=False
        ),
        legend=alt.Legend(gradientLength=length, format=".3f"),
    )


def _ring(base: alt.Chart) -> alt.Chart:
    """Around the best trial."""
    ring: alt.Chart = base.transform_filter("datum.best").mark_point(
        size=320, filled=False, strokeWidth=2.5, color=colour("worse"), opacity=1
    )
    return ring
