"""Scores topic by topic: sorted bars of one run, dumbbells of two, dots of several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from cranfield.curves.topic_scores import TopicScores
from cranfield.data.strings import Floats, Ints
from cranfield.errors import UsageError
from cranfield.report.axes import MOST_BARS, MOST_LABELS, bar_width, score_scale, topic_axis
from cranfield.report.captions import band_notes, caption, count, coverage_notes, settings_notes
from cranfield.report.drawing import MOST_ROWS, AnyChart, alt, encoded, layered, plain, table
from cranfield.report.findings import direction_notes, signed
from cranfield.report.systems import Systems
from cranfield.report.theme import WIDTH, colour, if_narrow, on
from cranfield.report.thinning import spread
from cranfield.stats.wording import number

MOST_DOTTED = 120
"""With more topics than that, dots are drawn of those alone on which runs lie farthest apart."""
KEPT = 60
_ORDERS = {
    "score": "by the first run",
    "mean": "by the mean of runs",
    "spread": "by how far runs lie apart",
    "topic": "by name",
}


def per_topic(scores: TopicScores, *, band: str | None = None, highlight: str | Iterable[str] = ()) -> AnyChart:
    """The score of each topic in the order of the scores: bars of a single run, otherwise a dot for each run.

    `band` says which of the bands is drawn, the first unless it is named.
    """
    if band is not None and band not in scores.band_names:
        raise UsageError(f"there is no band {band!r} here; there are: {', '.join(scores.band_names) or 'none'}")
    shown = band or next(iter(scores.band_names), None)
    return _bars(scores, shown) if len(scores.scores) == 1 else _dots(scores, shown, highlight)


def _notes(scores: TopicScores) -> list[str]:
    return [
        *direction_notes(scores.measure),
        *scores.open_ended,
        *settings_notes(scores.about.profile, scores.about.settings),
        *coverage_notes(scores.about.coverage),
    ]


def _bars(scores: TopicScores, band: str | None) -> AnyChart:
    ((run, values),) = scores.scores.items()
    mean = float(np.nanmean(values))
    kept = spread(len(values), MOST_BARS)
    rows = [
        {"topic": scores.topics[at], "value": _known(values[at]), **_edges(scores, run, band, at)}
        for at in kept.tolist()
    ]
    width = bar_width(len(values))
    order = "by name" if scores.order == "topic" else "by score"
    x = topic_axis(f"{count(len(values), 'topic')}, sorted {order}", scores.topics, len(rows))
    y = alt.Y("value:Q", title=plain(str(scores.measure)), scale=_scale(scores, band))
    tooltip = [alt.Tooltip("topic:N"), alt.Tooltip("value:Q", title="score", format=".4f"), *_edge_tips(band)]
    data = table(rows)
    layers = [encoded(alt.Chart(data).mark_bar(color=colour("hue1")), x=x, y=y, tooltip=tooltip)]
    if band is not None:
        range_ = alt.Chart(data).mark_rule(color=colour("ink"), strokeWidth=1.5)
        layers.append(encoded(range_, x=x, y="low:Q", y2="high:Q"))
    at_mean = alt.Chart(table([{"at": mean, "text": f"mean {number(mean)}"}]))
    layers.append(at_mean.mark_rule(color=colour("ink"), strokeDash=[5, 3]).encode(y="at:Q"))
    layers.append(
        at_mean.mark_text(align="left").encode(x=alt.value(alt.ExprRef("width + 5")), y="at:Q", text="text:N")
    )
    title = f"{scores.measure} by topic: {run}, {count(len(values), 'topic')}"
    notes = [*band_notes(band, [run], 1), *_notes(scores)]
    return on(layered(*layers).properties(width=width, height=300, title=caption(title, notes)), "light")


def _scale(scores: TopicScores, band: str | None) -> alt.Scale:
    """An axis that has all scores and the edges of their bands."""
    edges = [edge for bands in scores.bands.values() for name, both in bands.items() if name == band for edge in both]
    return score_scale(scores.measure, [*scores.scores.values(), *edges])


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(f"{value:.5g}")


def _edges(scores: TopicScores, run: str, band: str | None, at: int) -> dict[str, Any]:
    if band is None or band not in scores.bands.get(run, {}):
        return {}
    lower, upper = scores.bands[run][band]
    return {"low": _known(lower[at]), "high": _known(upper[at])}


def _edge_tips(band: str | None) -> list[alt.Tooltip]:
    if band is None:
        return []
    return [alt.Tooltip("low:Q", title="at least", format=".4f"), alt.Tooltip("high:Q", title="at most", format=".4f")]


def _dots(scores: TopicScores, band: str | None, highlight: str | Iterable[str]) -> AnyChart:
    columns = np.column_stack(list(scores.scores.values()))
    kept = _kept(columns)
    means = {name: float(np.nanmean(values)) for name, values in scores.scores.items()}
    systems = Systems.of(means, more_is_better=scores.measure.more_is_better, highlight=highlight)
    topics = [scores.topics[at] for at in kept.tolist()]
    order = [plain(topic) for topic in topics]
    step = 22.0 if len(topics) <= 12 else 15.0 if len(topics) <= MOST_LABELS else 8.0
    size = 10 if step > 10 else 7
    look: dict[str, Any] = {
        "labelLimit": if_narrow(110, 150),
        "labelPadding": 8,
        "ticks": False,
        "grid": True,
        "domain": False,
    }
    axis = alt.Axis(labelFontSize=size, **look)
    y = alt.Y("topic:N", title="topic", sort=order, scale=alt.Scale(domain=order), axis=axis)
    x = alt.X("value:Q", title=plain(str(scores.measure)), scale=_scale(scores, band))
    layers = [_ranges(scores, columns, kept, x, y)]
    shown = band if len(scores.scores) == 2 else None
    if shown is not None:
        layers += _bands(scores, systems.named, kept, shown, systems, y)
    if len(systems.rest) * len(topics) <= MOST_ROWS:
        layers.append(_points(scores, systems.rest, kept, systems, x, y, size=16))
    layers.append(_points(scores, systems.named, kept, systems, x, y, size=60))
    few = len(topics) < len(scores.topics)
    title = f"{scores.measure} by topic: {_runs(list(scores.scores))}, {count(len(scores.topics), 'topic')}"
    notes = [
        f"the {len(topics)} topics on which the runs lie farthest apart" if few else f"sorted {_ORDERS[scores.order]}",
        *_counts(scores),
        *(["grey lines: from the lowest run to the highest"] if len(scores.scores) > 2 else []),
        *systems.notes(f"mean {scores.measure}"),
        *band_notes(shown, systems.named, 2),
        *_notes(scores),
    ]
    chart = layered(*layers).properties(width=WIDTH - 60, height=alt.Step(step), title=caption(title, notes))
    return on(chart, "light")


def _runs(names: Sequence[str]) -> str:
    return " and ".join(names) if len(names) == 2 else f"{len(names)} runs"


def _counts(scores: TopicScores) -> list[str]:
    """Of two runs, who has the higher score how often."""
    if len(scores.scores) != 2:
        return []
    (first, old), (second, new) = scores.scores.items()
    difference = (new - old)[~np.isnan(new - old)]
    if not len(difference):
        return [f"{first} and {second} have no topic in common"]
    mean = signed(float(difference.mean()))
    higher, lower = int((difference > 1e-12).sum()), int((difference < -1e-12).sum())
    return [f"{second} is higher on {higher}, lower on {lower}, {mean} on average"]


def _kept(columns: Floats) -> Ints:
    """The places of the topics that are drawn, in their order."""
    there = np.flatnonzero(~np.isnan(columns).all(axis=1))
    if len(there) <= MOST_DOTTED:
        return there
    apart = np.nanmax(columns[there], axis=1) - np.nanmin(columns[there], axis=1)
    return np.sort(there[np.argsort(-apart, kind="stable")[:KEPT]])


def _ranges(scores: TopicScores, columns: Floats, kept: Ints, x: alt.X, y: alt.Y) -> alt.Chart:
    rows = [
        {
            "topic": scores.topics[at],
            "value": _known(float(np.nanmin(columns[at]))),
            "high": _known(float(np.nanmax(columns[at]))),
        }
        for at in kept.tolist()
    ]
    return encoded(alt.Chart(table(rows)).mark_rule(color=colour("rest"), strokeWidth=2), x=x, x2="high:Q", y=y)


def _bands(
    scores: TopicScores, runs: Sequence[str], kept: Ints, band: str, systems: Systems, y: alt.Y
) -> list[alt.Chart]:
    """Where the scores of two runs could lie: of the one above its point, of the other below."""
    layers = []
    for run, offset in zip(runs, (-3, 3), strict=True):
        rows = [
            {"topic": scores.topics[at], "system": systems.label(run), **_edges(scores, run, band, at)}
            for at in kept.tolist()
        ]
        marks = alt.Chart(table(rows)).mark_rule(strokeWidth=4, opacity=0.4, yOffset=offset)
        layers.append(marks.encode(x="low:Q", x2="high:Q", y=y, stroke=systems.stroke()))
    return layers


def _points(
    scores: TopicScores, runs: Sequence[str], kept: Ints, systems: Systems, x: alt.X, y: alt.Y, *, size: float
) -> alt.Chart:
    rows = [
        {"topic": scores.topics[at], "run": run, "system": systems.label(run), "value": _known(scores.scores[run][at])}
        for run in runs
        for at in kept.tolist()
    ]
    return encoded(
        alt.Chart(table(rows)).mark_point(filled=True, opacity=0.9, size=size),
        x=x,
        y=y,
        color=systems.colour(),
        shape=systems.shape(),
        tooltip=[alt.Tooltip("topic:N"), alt.Tooltip("run:N"), alt.Tooltip("value:Q", title="score", format=".4f")],
    )
