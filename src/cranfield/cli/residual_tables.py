"""What unjudged documents leave open, as tables for people and as columns for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from cranfield.cli.tables import render, wrapped
from cranfield.data.strings import encode
from cranfield.evaluation.bounds.residual import Residual
from cranfield.evaluation.result import RunEvaluation
from cranfield.measures import Measure

Show = Callable[[float, Measure], str]
"""How a value of a measure is written."""

COLUMNS = ("low", "high", "bounds")
"""What lines for programs have beside the value."""
_MEANING = {
    "exact": "exact bounds",
    "outer": "outer bounds, which hold but need not be reached",
    "none": "no bounds",
}


def cells(residual: Residual | None, row: int | None, show: Show) -> list[str]:
    """The bounds of a topic, or of the mean, and how well they are known; empty where there are none."""
    if residual is None or residual.low is None or residual.high is None:
        return ["", "", "" if residual is None else residual.how]
    measure = residual.measure
    ends = [measure.aggregate(end) if row is None else float(end[row]) for end in (residual.low, residual.high)]
    return [*(show(end, measure) for end in ends), residual.how]


def tables(results: Sequence[RunEvaluation], show: Show, *, by_query: bool, summary: bool) -> Iterator[str]:
    """Values with their bounds, by topic and over all topics, and what is to be said about them."""
    bounded = [result for result in results if result.residuals]
    several = len(bounded) > 1
    yield from wrapped(_lead(bounded))
    if by_query:
        yield render(
            ["topic", "measure", *["run"] * several, "value", "lowest", "highest", "unjudged"],
            _by_topic(bounded, show, several),
            left=2 + several,
        )
        yield ""
    rows = [
        [str(measure), *[result.name] * several, show(result.mean[str(measure)], measure)]
        + [cell or "-" for cell in cells(result.residuals.get(measure), None, show)]
        for measure, values in bounded[0].columns.items()
        if not isinstance(values, list)
        for result in bounded
    ]
    if summary and rows:
        header = ["measure", *["run"] * several, "value", "lowest", "highest", "bounds"]
        yield render(header, rows, left=1 + several)
    yield from _reasons(bounded[0])
    yield ""


def _by_topic(results: Sequence[RunEvaluation], show: Show, several: bool) -> list[list[str]]:
    rows = [
        [result.queries[row], str(measure), *[result.name] * several, show(float(values[row]), measure)]
        + [cell or "-" for cell in cells(result.residuals.get(measure), row, show)[:2]]
        + [str(result.residuals[measure].unjudged[row])]
        for result in results
        for row in np.flatnonzero(result.listed).tolist()
        for measure, values in result.columns.items()
        if not isinstance(values, list)
    ]
    order = {str(measure): place for place, measure in enumerate(results[0].measures)}
    return sorted(rows, key=lambda row: (encode(row[0]), order[row[1]]))


def _lead(results: Sequence[RunEvaluation]) -> str:
    """What the bounds are over."""
    highest = results[0].settings["highest_grade"]
    firsts = [next(iter(result.residuals.values())) for result in results]
    counts = [f"{one.unjudged_documents} of {one.all_documents}" for one in firsts]
    if len(results) == 1:
        return f"If the documents that are not judged ({counts[0]}) were judged, with grades up to {highest:g}:"
    by_run = ", ".join(f"{result.name} {count}" for result, count in zip(results, counts, strict=True))
    return f"If the documents that are not judged were judged, with grades up to {highest:g} ({by_run}):"


def _reasons(result: RunEvaluation) -> Iterator[str]:
    """Why bounds are not better known."""
    said: dict[tuple[str, str], list[str]] = {}
    for measure, residual in result.residuals.items():
        if residual.why:
            said.setdefault((residual.how, residual.why), []).append(str(measure))
    for (how, why), measures in said.items():
        yield from wrapped(f"{', '.join(measures)}: {_MEANING[how]} ({why})")
