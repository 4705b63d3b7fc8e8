"""Curves as tables for people and as lines for programs."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

import numpy as np

from cranfield.cli.tables import render, wrapped
from cranfield.curves.bands import Band
from cranfield.curves.convex_hull import Hull
from cranfield.curves.parameter_roc import RocPoints
from cranfield.curves.rank_curves import RankCurves
from cranfield.curves.ranking_roc import RocCurves, readable_levels
from cranfield.curves.recall_precision_curve import RecallPrecisionCurves
from cranfield.curves.result import AVERAGE, Cell, Curves
from cranfield.curves.score_thresholds import ThresholdCurves
from cranfield.curves.scores_by_rank import MILESTONES
from cranfield.curves.topic_differences import DifferenceCurves
from cranfield.curves.topic_scores import TopicScores
from cranfield.data.strings import Ints
from cranfield.measures import Measure

Show = Callable[[float | None], str]
"""How a value is written."""
_MOST_PLACES = 9


def tsv(columns: Sequence[str], rows: Iterator[tuple[Cell, ...]], topics: Collection[str]) -> Iterator[str]:
    """A line for each point, of some topics if any are named, and of all together."""
    yield "\t".join(columns)
    place = columns.index("query")
    for row in rows:
        if not topics or row[place] in topics or row[place] == AVERAGE:
            yield "\t".join(
                "" if cell is None else repr(cell) if isinstance(cell, float) else str(cell) for cell in row
            )


def tables(curves: Curves, *, topics: Collection[str], every_point: bool, digits: int) -> Iterator[str]:
    """The points that are worth reading, of some topics if any are named; what they say; and what they rest on."""
    show = partial(_value, digits=digits)
    match curves:
        case RankCurves():
            yield from _rank_tables(curves, topics, every_point, show)
        case RecallPrecisionCurves():
            yield from _recall_tables(curves, topics, show)
        case RocCurves():
            yield from _roc_tables(curves, topics, every_point, show)
        case Hull():
            rates = _rates([point.fpr for point in curves.points], digits)
            rows = [[str(point), rate, show(point.tpr)] for point, rate in zip(curves.points, rates, strict=True)]
            yield render(["return", "FPR", "TPR"], rows)
        case RocPoints():
            rates = _rates([point.fpr for point in curves.points.values()], digits)
            rows = [
                [name, rate, show(point.tpr)] for (name, point), rate in zip(curves.points.items(), rates, strict=True)
            ]
            yield render(["run", "FPR", "TPR"], rows)
        case ThresholdCurves():
            yield from _threshold_tables(curves, show)
        case TopicScores():
            yield _topic_table(curves, topics, show)
        case DifferenceCurves():
            yield from _difference_tables(curves, topics, show)
    yield ""
    for sentence in curves.sentences():
        yield from wrapped(sentence)
    yield ""
    for note in curves.about.notes():
        yield from wrapped(note)


def _value(value: float | None, digits: int) -> str:
    if value is None or value != value:
        return "-"
    tiny = 0 < abs(value) < 10.0**-digits
    return f"{value:.3g}" if tiny else f"{value:z.{digits}f}"


def _rates(rates: Sequence[float], digits: int) -> list[str]:
    """Rates of which some may be very small: all with as many decimal places as the least one needs for two figures."""
    least = min((rate for rate in rates if rate > 0), default=1.0)
    places = max(digits, min(_MOST_PLACES, math.ceil(-math.log10(least)) + 1))
    return [f"{rate:.{places}f}" for rate in rates]


def _beside(bands: dict[str, Band], names: Sequence[str], at: int, show: Show) -> list[str]:
    """What stands beside a value: the edges of each band."""
    return [f"{show(float(bands[name].lower[at]))} to {show(float(bands[name].upper[at]))}" for name in names]


def _rank_tables(curves: RankCurves, topics: Collection[str], every_point: bool, show: Show) -> Iterator[str]:
    alone = len(curves.runs) == 1
    places = _milestones(curves.cutoffs, every_point)
    for topic in topics or (AVERAGE,):
        if topics:
            yield f"topic {topic}"
        header, columns = ["rank"], [[str(cutoff) for cutoff in curves.cutoffs[places].tolist()]]
        for measure in curves.measures:
            shared = alone or _is_shared(curves, measure)
            for name, run in list(curves.runs.items())[: 1 if shared else None]:
                label = str(measure) if shared else name if len(curves.measures) == 1 else f"{measure} {name}"
                values = run.of(topic)[measure] if topics else run.mean[measure]
                header.append(label)
                columns.append([show(value) for value in values[places].tolist()])
                for band in () if topics else curves.bands:
                    edges = dict(run.bands[measure])
                    header.append(band)
                    columns.append([_beside(edges, [band], at, show)[0] for at in places.tolist()])
        if len(curves.measures) == 1 and not alone:
            yield str(curves.measures[0])
        yield render(header, [list(row) for row in zip(*columns, strict=True)])
        if topics:
            yield ""


def _is_shared(curves: RankCurves, measure: Measure) -> bool:
    """Whether the curve is the same for all runs, as that of the best possible ranking mostly is."""
    first, *others = (run.mean[measure] for run in curves.runs.values())
    return measure.name == "IdealDCG" and all(np.array_equal(first, other) for other in others)


def _milestones(cutoffs: Ints, every_point: bool) -> Ints:
    """The places of the cutoffs that a table has room for: all of those that were asked for."""
    if every_point:
        return np.arange(len(cutoffs))
    chosen = np.flatnonzero(np.isin(cutoffs, MILESTONES))
    return np.union1d(chosen, [len(cutoffs) - 1])


def _recall_tables(curves: RecallPrecisionCurves, topics: Collection[str], show: Show) -> Iterator[str]:
    levels = [f"{level:g}" for level in curves.levels.tolist()]
    for topic in topics or (AVERAGE,):
        if topics:
            yield f"topic {topic}"
        header, columns = ["recall"], [levels]
        for name, run in curves.runs.items():
            if topics and topic not in run.queries:
                continue
            values = run.interpolated[run.queries.index(topic)] if topics else run.mean
            header.append(name)
            columns.append([show(value) for value in values.tolist()])
            for band in () if topics else curves.bands:
                header.append(band)
                columns.append([_beside(dict(run.bands), [band], at, show)[0] for at in range(len(levels))])
        yield render(header, [list(row) for row in zip(*columns, strict=True)])
        if topics:
            yield ""


def _roc_tables(curves: RocCurves, topics: Collection[str], every_point: bool, show: Show) -> Iterator[str]:
    levels = list(curves.levels) if every_point and curves.levels else readable_levels(curves.runs.values())
    for topic in topics or (AVERAGE,):
        there = {name: run for name, run in curves.runs.items() if not topics or topic in run.queries}
        lines = {name: run.of(topic) if topics else run.average for name, run in there.items()}
        if topics:
            yield f"topic {topic}"
        values = [line.at(levels).tolist() for line in lines.values()]
        rows = [[f"{level:g}", *map(show, row)] for level, row in zip(levels, zip(*values, strict=True), strict=True)]
        rows += [
            ["AUC", *(show(line.area) for line in lines.values())],
            ["EER", *(show(line.equal_error_rate) for line in lines.values())],
        ]
        yield render(["FPR", *(f"TPR {name}" for name in lines)], rows)
        if topics:
            yield ""


def _threshold_tables(curves: ThresholdCurves, show: Show) -> Iterator[str]:
    header = ["threshold", "TP", "FP", "FN", "micro P", "micro R", "micro F", "macro P", "macro R", "macro F"]
    rows: dict[str, list[list[str]]] = {name: [] for name in curves.runs}
    for name, _, threshold, tp, fp, fn, *rates in curves.rows():
        shown = [show(float(rate)) if isinstance(rate, float) else str(rate) for rate in rates]
        rows[str(name)].append([f"{threshold:.6g}", str(tp), str(fp), str(fn), *shown])
    for number, (name, lines) in enumerate(rows.items()):
        if number:
            yield ""
        yield f"{name}: documents that score at least the threshold"
        yield render(header, lines)


def _topic_table(curves: TopicScores, topics: Collection[str], show: Show) -> str:
    header = ["topic"]
    for name in curves.scores:
        header += [name, *curves.band_names]
    rows = []
    for at, topic in enumerate(curves.topics):
        if topics and topic not in topics:
            continue
        row = [topic]
        for name, scores in curves.scores.items():
            row += [show(float(scores[at])), *_beside(dict(curves.bands.get(name, {})), curves.band_names, at, show)]
        rows.append(row)
    return f"{curves.measure}\n{render(header, rows)}"


def _difference_tables(curves: DifferenceCurves, topics: Collection[str], show: Show) -> Iterator[str]:
    for number, (name, run) in enumerate(curves.runs.items()):
        if number:
            yield ""
        yield str(curves.measure)
        columns = (run.difference.tolist(), run.score.tolist(), run.baseline.tolist())
        rows = [
            [topic, f"{'+' * (difference > 0)}{show(difference)}", show(score), show(baseline)]
            for topic, difference, score, baseline in zip(run.topics, *columns, strict=True)
            if not topics or topic in topics
        ]
        yield render(["topic", "difference", name, curves.baseline], rows)
