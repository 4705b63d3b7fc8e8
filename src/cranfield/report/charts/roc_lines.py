"""ROC curves: true against false positive rate, with the chance line, equal error rates and the convex hull."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cranfield.curves.convex_hull import Hull
from cranfield.curves.ranking_roc import RocCurves
from cranfield.curves.roc_averages import AVERAGES, HULL_AVERAGE
from cranfield.curves.roc_counts import Population
from cranfield.curves.roc_curve import RocCurve
from cranfield.errors import UsageError
from cranfield.report.captions import caption, count, coverage_notes, settings_notes, topics_of
from cranfield.report.drawing import AnyChart, alt, encoded, layered, table
from cranfield.report.lines import Axis, Line, lines, note, placed, reference
from cranfield.report.systems import Systems
from cranfield.report.theme import colour, on
from cranfield.stats.wording import number

SIDE = 420
_WHY = ", as a hull is of ways to run systems (--average vertical: the curves whose area is the mean over topics)"


def roc(
    curves: RocCurves, *, hull: Hull | None = None, topic: str | None = None, highlight: str | Iterable[str] = ()
) -> AnyChart:
    """The ROC curves of runs, averaged over topics, or of one `topic`; the legend has areas and equal error rates.

    With a `hull` the curves are those that it is the hull of, and the points are drawn that were asked of it.
    """
    if hull is not None and topic is not None:
        raise UsageError("the hull is that of averages over all topics; of one topic there are the curves alone")
    if topic is not None:
        shown = _of_topic(curves, topic)
        title = f"ROC of topic {topic}"
        how = ""
    else:
        shown = {name: run.average for name, run in curves.runs.items()} if hull is None else dict(hull.curves)
        topics = [len(run.queries) for run in curves.runs.values()] if hull is None else [hull.topics]
        average = curves.averaged if hull is None else HULL_AVERAGE
        title = f"ROC, {average} average of {topics_of(topics)}"
        how = f"{average}: {AVERAGES[average]}{_WHY if hull is not None else ''}"
    told = {name: f"AUC {number(one.area)}, EER {number(one.equal_error_rate)}" for name, one in shown.items()}
    systems = Systems.of({name: one.area for name, one in shown.items()}, highlight=highlight, told=told)
    x, y = Axis(f"false positive rate ({_of(curves.population)})"), Axis("true positive rate (recall)")
    found = {name: Line(one.fpr, one.tpr) for name, one in shown.items()}
    layers: list[alt.Chart | alt.LayerChart] = [
        reference([(0, 0), (1, 1)], x, y),
        note("chance", (0.84, 0.8), x, y, angle=315, baseline="top"),
    ]
    layers += _hull(hull, x, y) if hull is not None else []
    layers += [lines(found, systems, x, y), _equal_errors(shown, systems, x, y)]
    layers += _mixtures(hull, x, y) if hull is not None else []
    notes = [
        how,
        *([f"thick and grey: the convex hull, area {number(hull.area)}"] if hull is not None else []),
        "open circles: equal error rate",
        *systems.notes("area"),
        *([f"crosses: {count(len(hull.targets), 'mixture')} by the flip of a coin"] if hull and hull.targets else []),
        *_without(curves, topic),
        *settings_notes(curves.about.profile, curves.about.settings),
        *coverage_notes(curves.about.coverage),
    ]
    chart = layered(*layers).properties(width=SIDE, height=SIDE, title=caption(title, notes, width=SIDE + 210))
    return on(chart, "light")


def _of(population: Population) -> str:
    if population.over == "collection":
        return f"collection of {count(population.documents or 0, 'document')}"
    return f"{population.over} documents"


def _of_topic(curves: RocCurves, topic: str) -> dict[str, RocCurve]:
    curves.check_topic(topic)
    return {name: run.of(topic) for name, run in curves.runs.items() if topic in run.queries}


def _without(curves: RocCurves, topic: str | None) -> list[str]:
    """Topics that have no curve."""
    most = max((len(run.without) for run in curves.runs.values()), default=0)
    if topic is not None or not most:
        return []
    return [f"{count(most, 'topic')} without relevant or without non-relevant documents left out"]


def _hull(hull: Hull, x: Axis, y: Axis) -> list[alt.Chart]:
    corners = [{"x": point.fpr, "y": point.tpr, "what": str(point)} for point in hull.points]
    base = alt.Chart(table(corners)).encode(
        **placed(x, y),
    )
    tooltip = [
        alt.Tooltip("what:N", title="corner of the hull: return"),
        alt.Tooltip("x:Q", title="false positive rate", format=".4f"),
        alt.Tooltip("y:Q", title="true positive rate", format=".4f"),
    ]
    return [
        base.mark_line(color=colour("rest"), strokeWidth=5, strokeCap="round", opacity=0.7),
        base.mark_point(filled=True, color=colour("soft"), size=22, opacity=1).encode(tooltip=tooltip),
    ]


def _mixtures(hull: Hull, x: Axis, y: Axis) -> list[alt.Chart]:
    """The points of the hull that were asked for, each with what to do to get there."""
    if not hull.targets:
        return []
    wanted = [{"x": one.fpr, "y": one.tpr, "what": one.sentence()} for one in hull.targets]
    marks = alt.Chart(table(wanted)).mark_point(shape="cross", size=130, angle=45, filled=True, opacity=1)
    return [
        marks.encode(
            **placed(x, y),
            color=alt.value(colour("ink")),
            tooltip=[alt.Tooltip("what:N", title="mixture")],
        )
    ]


def _equal_errors(shown: Mapping[str, RocCurve], systems: Systems, x: Axis, y: Axis) -> alt.Chart:
    """Where each curve of a system that stands out has as many false alarms as misses."""
    rows = [
        {"run": name, "system": systems.label(name), "x": rate, "y": 1.0 - rate}
        for name in systems.named
        for rate in [shown[name].equal_error_rate]
    ]
    return encoded(
        alt.Chart(table(rows)).mark_point(filled=False, size=110, strokeWidth=2, opacity=1),
        **placed(x, y),
        stroke=systems.stroke(),
        tooltip=[alt.Tooltip("run:N"), alt.Tooltip("x:Q", title="equal error rate", format=".4f")],
    )
