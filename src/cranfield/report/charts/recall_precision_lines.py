"""Recall-precision curves: averaged over topics, or raw and interpolated for one topic."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cranfield.curves.recall_precision_curve import RecallPrecision, RecallPrecisionCurves
from cranfield.data.strings import Floats
from cranfield.errors import UsageError, did_you_mean
from cranfield.report.captions import band_notes, caption, count, coverage_notes, mean_of, settings_notes
from cranfield.report.drawing import AnyChart
from cranfield.report.lines import Axis, Line, banded, lines
from cranfield.report.systems import Systems
from cranfield.report.theme import on

FORMS = ("averaged", "interpolated", "raw")


def recall_precision(
    curves: RecallPrecisionCurves,
    *,
    form: str | None = None,
    topic: str | None = None,
    band: str | None = None,
    highlight: str | Iterable[str] = (),
) -> AnyChart:
    """Precision against recall, one line for each run.

    `averaged` is the mean of interpolated precision at the recall levels of the curves. Of one `topic` it is the
    `interpolated` curve, which falls in steps, or the `raw` one, a point for each rank. `band` says which of the bands
    of the averages is drawn, the first unless it is named.
    """
    form = form or ("averaged" if topic is None else "interpolated")
    if form not in FORMS:
        raise UsageError(f"recall-precision curves are {', '.join(FORMS)}, not {form!r}{did_you_mean(form, FORMS)}")
    if form == "averaged" and topic is not None:
        raise UsageError("an average is over all topics; of one topic there are the raw and the interpolated curve")
    if form != "averaged" and topic is None:
        raise UsageError(f"the {form} curve is that of one topic: name it (--topic, topic=)")
    if topic is not None:
        curves.check_topic(topic)
        return _of_topic(curves, topic, form, highlight)
    return _averaged(curves, band, highlight)


def _averaged(curves: RecallPrecisionCurves, band: str | None, highlight: str | Iterable[str]) -> AnyChart:
    runs = curves.runs
    if band is not None and band not in curves.bands:
        raise UsageError(f"there is no band {band!r} here; there are: {', '.join(curves.bands) or 'none'}")
    shown = band or next(iter(curves.bands), None)
    found = {}
    for name, run in runs.items():
        edges = run.bands.get(shown or "")
        found[name] = Line(curves.levels, run.mean, *(edges or (None, None)))
    systems = Systems.of({name: float(run.mean.mean()) for name, run in runs.items()}, highlight=highlight)
    y = Axis("interpolated precision", 0.0, _top([line.y for line in found.values()]))
    over = mean_of(len(run.queries) for run in runs.values())
    title = f"Recall-precision, {over}"
    notes = [
        f"interpolated precision at {count(len(curves.levels), 'recall level')}",
        *systems.notes("mean precision at these levels"),
        *band_notes(shown, banded(systems), len(curves.runs)),
        *curves.open_ended,
        *settings_notes(curves.about.profile, curves.about.settings),
        *coverage_notes(curves.about.coverage),
    ]
    return on(lines(found, systems, Axis("recall"), y).properties(title=caption(title, notes)), "light")


def _of_topic(curves: RecallPrecisionCurves, topic: str, form: str, highlight: str | Iterable[str]) -> AnyChart:
    there = {name: run for name, run in curves.runs.items() if topic in run.queries}
    found = {name: _raw(run, topic) if form == "raw" else _steps(run, topic) for name, run in there.items()}
    places = {name: run.queries.index(topic) for name, run in there.items()}
    systems = Systems.of(
        {name: float(run.interpolated[places[name]].mean()) for name, run in there.items()}, highlight=highlight
    )
    run = next(iter(there.values()))
    relevant = int(run.rankings.relevant(None)[run.rankings.qrels.queries.index(topic)])
    label = "precision" if form == "raw" else "interpolated precision"
    title = f"Recall-precision of topic {topic}, {form}; {count(relevant, 'relevant document')}"
    missing = [name for name in curves.runs if name not in there]
    empty = [name for name, line in found.items() if not line.y.any()]
    notes = [
        *([f"nothing relevant found by {', '.join(empty[:3])}{', ...' * (len(empty) > 3)}"] if empty else []),
        *([f"not in {', '.join(missing[:3])}"] if missing else []),
        *systems.notes("interpolated precision"),
        *settings_notes(curves.about.profile, curves.about.settings),
    ]
    y = Axis(label, 0.0, _top([line.y for line in found.values()]))
    return on(lines(found, systems, Axis("recall"), y).properties(title=caption(title, notes)), "light")


def _raw(run: RecallPrecision, topic: str) -> Line:
    curve = run.raw(topic)
    if not len(curve.rank):
        return Line(np.zeros(1), np.zeros(1))
    return Line(curve.recall, curve.precision)


def _steps(run: RecallPrecision, topic: str) -> Line:
    """The corners of the interpolated curve: precision holds to its recall, then falls to that of the next."""
    recall, precision = run.steps(topic)
    if not len(recall):
        return Line(np.array([0.0, 1.0]), np.zeros(2))
    x = np.concatenate([[0.0], np.repeat(recall, 2), [1.0] if recall[-1] < 1.0 else []])
    after: Floats = np.append(precision[1:], 0.0)
    y = np.concatenate([precision[:1], np.column_stack([precision, after]).ravel(), [0.0] if recall[-1] < 1.0 else []])
    if recall[-1] >= 1.0:
        x, y = x[:-1], y[:-1]
    return Line(x, y)


def _top(values: Iterable[Floats]) -> float:
    """The end of the axis of precision: 1, or less where all curves are low."""
    highest = max((float(one.max(initial=0.0)) for one in values), default=0.0)
    return 1.0 if highest > 0.5 or not highest else float(np.ceil(highest * 20) / 20)
