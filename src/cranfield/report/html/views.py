"""What the templates show: tables as cells with a text and a value to sort by."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from cranfield.evaluation.compared import Compared
from cranfield.evaluation.comparison import Comparison
from cranfield.measures import Measure
from cranfield.report.html.contents import ReportContents
from cranfield.report.html.page_data import chosen_run, in_natural_order, shown_measures
from cranfield.report.tables.comparison_cells import Column, columns, signed
from cranfield.report.tables.results import ResultCell, ResultsTable, results_table

DIGITS = 4


class Cell(NamedTuple):
    """What a cell shows, and what it is sorted by; nothing sorts to the end."""

    text: str
    value: float | str | None


class DifferenceTable(NamedTuple):
    """The runs against the baseline by one measure, or one run by all measures."""

    title: str
    first: str
    """What stands above the names of the rows."""
    headers: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[Cell, ...]], ...]
    """The name, whether the run is significantly better or worse, and its cells."""


class TopicRow(NamedTuple):
    """A topic in the table of topics, as the page shows it first."""

    topic: str
    text: str
    relevant: int
    values: tuple[Cell, ...]
    """Of the baseline and the run beside it, and their difference; of a single run its value."""


class Track(NamedTuple):
    """Where a mean and its interval stand on a line, in percent."""

    mean: float
    lower: float | None
    upper: float | None


def results(contents: ReportContents) -> ResultsTable:
    """The means of all runs, the best first."""
    table = results_table(contents.evaluation, contents.comparison, contents.intervals, digits=DIGITS)
    place = {name: at for at, name in enumerate(contents.best_first)}
    return replace(table, rows=tuple(sorted(table.rows, key=lambda row: place[row.run])))


def tracks(table: ResultsTable, measure: Measure) -> list[Track]:
    """For each run, where its mean stands between the lowest and the highest end of all intervals."""
    at = table.measures.index(measure)
    cells = [row.cells[at] for row in table.rows]
    ends = [end for cell in cells for end in _ends(cell)]
    low, high = min(ends), max(ends)
    room = (high - low) or 1.0

    def place(value: float) -> float:
        return round(100 * (value - low) / room, 2)

    def track(cell: ResultCell) -> Track:
        if cell.interval is None:
            return Track(place(cell.value), None, None)
        return Track(place(cell.value), place(cell.interval.lower), place(cell.interval.upper))

    return [track(cell) for cell in cells]


def _ends(cell: ResultCell) -> Iterator[float]:
    yield cell.value
    if cell.interval is not None:
        yield from (cell.interval.lower, cell.interval.upper)


def differences(contents: ReportContents, comparison: Comparison) -> list[DifferenceTable]:
    """A table for each measure that was compared; one table for all if only one run was."""
    found = columns(comparison, DIGITS)
    if len(comparison.runs) == 1:
        return [_of_one_run(comparison, found)]
    tables = []
    for measure in comparison.measures:
        by_run = contents.against_baseline(measure)
        rows = [by_run[name] for name in contents.best_first if name in by_run]
        used = found if any(row.first for row in rows) else found[:1]
        headers = ("mean", *(column.header for column in used))
        cells = tuple((row.run, _mark(row), _cells(row, used)) for row in rows)
        tables.append(DifferenceTable(str(measure), "run", headers, cells))
    return tables


def _of_one_run(comparison: Comparison, found: list[Column]) -> DifferenceTable:
    run = comparison.runs[0]
    rows = []
    for row in comparison.rows:
        baseline = Cell(f"{row.baseline_mean:.{DIGITS}f}", row.baseline_mean)
        rows.append((str(row.measure), _mark(row), (baseline, *_cells(row, found))))
    headers = (comparison.baseline, run, *(column.header for column in found))
    return DifferenceTable(f"{run} minus {comparison.baseline}", "measure", headers, tuple(rows))


def _mark(row: Compared) -> str:
    if not row.significant:
        return ""
    return "better" if (row.difference > 0) == (row.measure.more_is_better is not False) else "worse"


def _cells(row: Compared, found: list[Column]) -> tuple[Cell, ...]:
    values: dict[str, float | None] = {
        "difference": row.difference,
        "interval": row.interval.lower if row.interval else None,
        "effect": row.effect[1] if row.effect else None,
        "topics": row.wins,
        "p": row.first.outcome.p if row.first else None,
        "adjusted": row.first.adjusted if row.first else None,
    }
    mean = Cell(f"{row.mean:.{DIGITS}f}", row.mean)
    return (mean, *(Cell(column.cell(row), _finite(values[column.kind])) for column in found))


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value


def topic_rows(contents: ReportContents) -> list[TopicRow]:
    """All topics with the values by the measure of the summary."""
    names = list(dict.fromkeys([contents.baseline, chosen_run(contents)]))
    by_run = [
        dict(zip(run.queries, list(run.columns[contents.measure]), strict=True))
        for run in (contents.evaluation[name] for name in names)
    ]
    relevant = dict(zip(contents.topics, contents.judgments.count(contents.level).tolist(), strict=True))
    rows = []
    for topic in in_natural_order(contents.topics):
        values = [one.get(topic) for one in by_run]
        cells = [Cell("–", None) if value is None else Cell(f"{value:.{DIGITS}f}", float(value)) for value in values]
        if len(values) == 2:
            old, new = values
            apart = None if old is None or new is None else float(new - old)
            cells.append(Cell("–", None) if apart is None else Cell(signed(apart, DIGITS), apart))
        rows.append(TopicRow(topic, contents.texts.get(topic, ""), relevant[topic], tuple(cells)))
    return rows


def title(contents: ReportContents) -> str:
    """What a report is called, unless it is given a name."""
    others = [name for name in contents.runs if name != contents.baseline]
    if not others:
        return contents.baseline
    if len(others) == 1:
        return f"{others[0]} against {contents.baseline}"
    return f"{len(others)} runs against {contents.baseline}"


def facts(contents: ReportContents) -> list[str]:
    """What the report is about, in a line."""
    topics, runs = len(contents.topics), len(contents.runs)
    return [
        f"{topics} topic{'s' * (topics != 1)}",
        f"{runs} run{'s' * (runs != 1)}",
        ", ".join(map(str, shown_measures(contents))),
    ]


def quality(contents: ReportContents) -> list[dict[str, Any]]:
    """For each run, how far it and the judgments meet, and what that leaves open."""
    rows = []
    for name, run in contents.evaluation.items():
        coverage, interval = run.coverage, contents.intervals[name][contents.measure]
        rows.append(
            {
                "run": name,
                "found": Cell(f"{coverage.found} of {coverage.judged}", coverage.found),
                "ignored": Cell(str(len(coverage.unjudged)), len(coverage.unjudged)),
                "documents": Cell(str(coverage.documents), coverage.documents),
                "deepest": Cell(str(coverage.most_documents), coverage.most_documents),
                "judged": Cell(f"{100 * coverage.judged_at_10:.1f} %", coverage.judged_at_10),
                "tied": Cell(str(coverage.tied_documents), coverage.tied_documents),
                "unjudged_range": _opening(interval.unjudged),
                "tie_range": _opening(interval.ties),
            }
        )
    return rows


def _opening(opening: Any) -> Cell:
    if opening is None:
        return Cell("–", None)
    shown = f"{opening.lower:.{DIGITS}f} to {opening.upper:.{DIGITS}f}"
    return Cell(shown if opening.upper > opening.lower else "none", opening.upper - opening.lower)
