"""The values of runs as tables for people and as lines for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from cranfield.cli.tables import render
from cranfield.data.strings import encode
from cranfield.evaluation.result import MOST_SIDE_BY_SIDE, Evaluation, RunEvaluation
from cranfield.measures import Measure

Show = Callable[[float, Measure], str]
"""How a value of a measure is written."""


def tsv(results: list[RunEvaluation], *, by_query: bool, summary: bool, percent: bool = False) -> Iterator[str]:
    """A line for each run, measure and topic."""
    yield "run\tmeasure\tquery\tvalue"
    for result in results:
        if by_query:
            for row in np.flatnonzero(result.listed).tolist():
                for measure, values in result.columns.items():
                    value = values[row]
                    text = value if isinstance(value, str) else _number(float(value), measure, percent=percent)
                    yield f"{result.name}\t{_label(result, measure)}\t{result.queries[row]}\t{text}"
        if summary:
            for measure, values in result.columns.items():
                if not isinstance(values, list):
                    text = _number(result.mean[str(measure)], measure, percent=percent)
                    yield f"{result.name}\t{_label(result, measure)}\tall\t{text}"


def _label(result: RunEvaluation, measure: Measure) -> str:
    return f"Z({measure})" if result.standardised else str(measure)


def _number(value: float, measure: Measure, *, digits: int | None = None, percent: bool = False) -> str:
    """A value with so many decimal places, or with all it has; a percentage has two places less."""
    low, high = measure.bounds
    if measure.definition.counts and value.is_integer():
        return str(int(value))
    if percent and low >= -1 and high <= 1:
        return f"{100 * value:.12g}%" if digits is None else f"{value:.{max(digits - 2, 0)}%}"
    return repr(value) if digits is None else f"{value:.{digits}f}"


def tables(
    results: list[RunEvaluation], *, by_query: bool, summary: bool, digits: int = 4, percent: bool = False
) -> Iterator[str]:
    """Values by topic, means, and a line for each run that says how far judgments and run meet."""
    show = partial(_number, digits=digits, percent=percent)
    if by_query:
        yield _by_query(results, show)
        yield ""
    if summary and any(measure.definition.aggregate != "none" for measure in results[0].measures):
        yield _summary(results, show)
        yield ""
    evaluation = Evaluation(tuple(results))
    for names, sentence in evaluation.coverage_sentences():
        yield f"{names}: {sentence}" if len(results) > 1 else sentence
    yield from evaluation.depth_notes()


def _by_query(results: list[RunEvaluation], show: Show) -> str:
    """One run: topics down, measures across, or the other way round where a few topics have many measures.

    Several: topics and measures down, runs across.
    """
    measures = list(results[0].columns)
    if len(results) == 1:
        result, listed = results[0], np.flatnonzero(results[0].listed).tolist()
        labels, topics = [_label(result, measure) for measure in measures], [result.queries[row] for row in listed]
        cells = [[_cell(result, measure, row, show) for measure in measures] for row in listed]
        if 2 * len(listed) <= len(measures) and len(listed) <= MOST_SIDE_BY_SIDE:
            across = zip(labels, *cells, strict=True)
            return render(["measure", *topics], [list(row) for row in across])
        return render(["topic", *labels], [[topic, *row] for topic, row in zip(topics, cells, strict=True)])
    places = [{query: row for row, query in enumerate(r.queries) if r.listed[row]} for r in results]
    topics = sorted({query for place in places for query in place}, key=encode)
    rows = [
        [topic, _label(results[0], measure)]
        + [_cell(r, measure, place.get(topic), show) for r, place in zip(results, places, strict=True)]
        for topic in topics
        for measure in measures
    ]
    return render(["topic", "measure", *(result.name for result in results)], rows, left=2)


def _cell(result: RunEvaluation, measure: Measure, row: int | None, show: Show) -> str:
    if row is None:
        return "-"
    value = result.columns[measure][row]
    return value if isinstance(value, str) else show(float(value), measure)


def _highest(cells: list[str]) -> str:
    """The highest of some numbers as they are shown, so that what looks the same is the same."""
    return max(cells, key=lambda cell: float(cell.rstrip("%")))


def _summary(results: list[RunEvaluation], show: Show) -> str:
    measures = [m for m, values in results[0].columns.items() if not isinstance(values, list)]
    cells = [[show(r.mean[str(m)], m) for r in results] for m in measures]
    runs = sum(not result.ideal for result in results)  # what is best possible comes last
    best = {
        (row, at)
        for row, measure in enumerate(measures)
        for at, cell in enumerate(cells[row][:runs])
        if measure.more_is_better and cell == _highest(cells[row][:runs]) and len(set(cells[row][:runs])) > 1
    }
    labels = [_label(results[0], measure) for measure in measures]
    if len(results) <= MOST_SIDE_BY_SIDE:
        header = ["measure", *(result.name for result in results)]
        table = [[label, *row] for label, row in zip(labels, cells, strict=True)]
        return render(header, table, bold={(row, at + 1) for row, at in best})
    table = [[result.name, *(row[at] for row in cells)] for at, result in enumerate(results)]
    return render(["run", *labels], table, bold={(at, row + 1) for row, at in best})
