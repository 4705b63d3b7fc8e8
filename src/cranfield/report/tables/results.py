"""Runs down and measures across: the table of a paper, with the best in bold and marks for what is significant.

Values are rounded to so many decimal places (half to even, as `format` does), intervals to one place less. What is
shown alike is best alike. Marks follow from the values as they are, not as they are shown. Intervals end where the
measure does: Student's t knows nothing of its bounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from cranfield.evaluation.bounds.intervals import MeanInterval
from cranfield.evaluation.compared import Compared
from cranfield.evaluation.comparison import Comparison
from cranfield.evaluation.result import Evaluation
from cranfield.measures import Measure
from cranfield.stats.interval import Interval

BETTER, WORSE, NEITHER = "better", "worse", ""


class ResultCell(NamedTuple):
    """The mean of one run by one measure."""

    value: float
    shown: str
    best: bool
    mark: str
    """Whether the run is significantly better or worse than the baseline."""
    interval: Interval | None
    """Of the mean, over topics; cut at the bounds of the measure."""
    p: float | None
    """Of the difference to the baseline, corrected; None where nothing was tested."""

    def shown_interval(self, digits: int) -> str:
        """The two ends, in so many decimal places."""
        if self.interval is None:
            return ""
        lower, upper = (f"{end:.{digits}f}" for end in (self.interval.lower, self.interval.upper))
        return f"{lower if float(lower) else lower.removeprefix('-')} to {upper}"


class ResultRow(NamedTuple):
    """What one run has by each measure."""

    run: str
    baseline: bool
    cells: tuple[ResultCell, ...]


@dataclass(frozen=True)
class ResultsTable:
    """Runs and measures, and what is to be said below them."""

    measures: tuple[Measure, ...]
    rows: tuple[ResultRow, ...]
    digits: int
    topics: str
    """How many topics the means are over."""
    baseline: str
    """What runs are compared with."""
    test: str
    """What the marks are from; empty where nothing was tested."""


def results_table(
    evaluation: Evaluation,
    comparison: Comparison | None,
    intervals: Mapping[str, Mapping[Measure, MeanInterval]] | None = None,
    *,
    digits: int = 4,
) -> ResultsTable:
    """The means of all runs, in the order of the evaluation: the baseline first."""
    measures = tuple(measure for measure in evaluation.measures if measure.definition.aggregate != "none")
    best = {measure: _best(evaluation, measure, digits) for measure in measures}
    bounds = {measure: _bounds(evaluation, measure) for measure in measures}
    compared = {(row.measure, row.run): row for row in comparison.rows} if comparison else {}
    rows = []
    for number, (name, run) in enumerate(evaluation.items()):
        cells = []
        for measure in measures:
            value = float(run.mean[str(measure)])
            shown = f"{value:.{digits}f}"
            row = compared.get((measure, name))
            interval = _cut(intervals[name][measure].topics, bounds[measure]) if intervals else None
            p = row.first.adjusted if row is not None and row.first is not None else None
            cells.append(ResultCell(value, shown, shown == best[measure], _mark(row), interval, p))
        rows.append(ResultRow(name, comparison is not None and number == 0, tuple(cells)))
    numbers = sorted({len(run.queries) for run in evaluation.values()})
    topics = (
        f"{numbers[0]} topic{'s' * (numbers[0] != 1)}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]} topics"
    )
    return ResultsTable(measures, tuple(rows), digits, topics, next(iter(evaluation)), _test(comparison))


def _best(evaluation: Evaluation, measure: Measure, digits: int) -> str | None:
    """The best mean as it is shown; none where neither more nor less is better, or all are shown alike."""
    if measure.more_is_better is None or measure.definition.without_run or len(evaluation) < 2:
        return None
    means = [float(run.mean[str(measure)]) for run in evaluation.values()]
    if len({f"{mean:.{digits}f}" for mean in means}) == 1:
        return None
    return f"{max(means) if measure.more_is_better else min(means):.{digits}f}"


def _bounds(evaluation: Evaluation, measure: Measure) -> tuple[float, float]:
    """Of the measure; gains are negative only where grades are, which shows in the values of topics."""
    low, high = measure.bounds
    if "gain" in measure.definition.parameters and low < 0:
        low = 0.0 if all(np.min(run.columns[measure], initial=0.0) >= 0 for run in evaluation.values()) else low
    return low, high


def _cut(interval: Interval | None, bounds: tuple[float, float]) -> Interval | None:
    """What of an interval is inside the bounds of a measure."""
    if interval is None:
        return None
    low, high = bounds
    return replace(interval, lower=max(interval.lower, low), upper=min(interval.upper, high))


def _mark(row: Compared | None) -> str:
    if row is None or not row.significant:
        return NEITHER
    return BETTER if (row.difference > 0) == (row.measure.more_is_better is not False) else WORSE


def _test(comparison: Comparison | None) -> str:
    """The test, its level, and what was done about the number of comparisons."""
    if comparison is None or comparison.first_test is None or not comparison.has_p:
        return ""
    significance = comparison.significance
    words = f"{comparison.first_test.test}, {significance.alternative}, alpha {significance.alpha:g}"
    if comparison.comparisons == 1:
        return f"{words}, one comparison"
    if significance.correction == "none":
        return f"{words}, not corrected for {comparison.comparisons} comparisons"
    return f"{words}, {significance.correction} correction for {comparison.comparisons} comparisons"
