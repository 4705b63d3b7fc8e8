"""The values of runs as tables for people and as lines for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from cranfield.cli.tables import render, wrapped
from cranfield.data.strings import encode
from cranfield.evaluation.evaluation_text import MOST_SIDE_BY_SIDE
from cranfield.evaluation.result import Evaluation, RunEvaluation
from cranfield.measures import Measure

Show = Callable[[float, Measure], str]
"""How a value of a measure is written."""


def tsv(results: list[RunEvaluation], *, by_query: bool, summary: bool, percent: bool = False) -> Iterator[str]:
    """A line for each run, measure and topic."""
    bounds = _bounds_columns(results, percent)
    yield "\t".join(["run", "measure", "query", "value", *bounds(None, None, None)])
    for result in results:
        if by_query:
            for row in np.flatnonzero(result.listed).tolist():
                for measure, values in result.columns.items():
                    value = values[row]
                    text = value if isinstance(value, str) else shown_number(float(value), measure, percent=percent)
                    line = [result.name, _label(result, measure), result.queries[row], text]
                    yield "\t".join([*line, *bounds(result, measure, row)])
        if summary:
            for measure, values in result.columns.items():
                if not isinstance(values, list):
                    text = shown_number(result.mean[str(measure)], measure, percent=percent)
                    yield "\t".join([result.name, _label(result, measure), "all", text, *bounds(result, measure, None)])


def _bounds_columns(results: list[RunEvaluation], percent: bool) -> Callable[..., Sequence[str]]:
    """What unjudged documents and ties leave open of a value, in columns that have names where no run is given."""
    names: list[str] = []
    show = partial(shown_number, percent=percent)
    parts: list[Callable[[RunEvaluation, Measure, int | None], Sequence[str]]] = []
    if any(result.residuals for result in results):
        from cranfield.cli import residual_tables

        names += residual_tables.COLUMNS
        parts.append(lambda result, measure, row: residual_tables.cells(result.residuals.get(measure), row, show))
    if _shows_ties(results):
        from cranfield.cli import tie_tables

        names += tie_tables.COLUMNS
        parts.append(lambda result, measure, row: tie_tables.cells(result.ties.get(measure), row, show))

    def columns(result: RunEvaluation | None, measure: Measure, row: int | None) -> Sequence[str]:
        return names if result is None else [cell for part in parts for cell in part(result, measure, row)]

    return columns


def _shows_ties(results: Sequence[RunEvaluation]) -> bool:
    """Whether what ties leave open stands beside the values."""
    return any(result.ties and result.settings["ties"] == "range" for result in results)


def _label(result: RunEvaluation, measure: Measure) -> str:
    return f"Z({measure})" if result.standardised else str(measure)


def shown_number(value: float, measure: Measure, *, digits: int | None = None, percent: bool = False) -> str:
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
    show = partial(shown_number, digits=digits, percent=percent)
    if by_query:
        yield _by_query(results, show)
        yield ""
    if summary and any(measure.definition.aggregate != "none" for measure in results[0].measures):
        yield _summary(results, show)
        yield ""
    if any(result.residuals for result in results):
        from cranfield.cli import residual_tables

        yield from residual_tables.tables(results, show, by_query=by_query, summary=summary)
    if any(result.ties for result in results):
        from cranfield.cli import tie_tables

        if _shows_ties(results):
            yield from tie_tables.tables(results, show, by_query=by_query, summary=summary)
        else:
            for note in tie_tables.expected_notes(results):
                yield from wrapped(note)
    yield from notes_below(Evaluation(tuple(results)))


def notes_below(evaluation: Evaluation) -> Iterator[str]:
    """How far the judgments and each run meet, and whether the runs are of one depth."""
    for names, sentence in evaluation.coverage_sentences():
        yield from wrapped(f"{names}: {sentence}" if len(evaluation) > 1 else sentence)
    for note in evaluation.depth_notes():
        yield from wrapped(note)


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
