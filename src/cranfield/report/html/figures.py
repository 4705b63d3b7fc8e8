"""The plots of a report: which of them, and in words what each of them shows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from cranfield import curves
from cranfield.curves.result import About
from cranfield.curves.topic_scores import scores_on
from cranfield.errors import CranfieldError, UsageError
from cranfield.evaluation.compare import compare
from cranfield.evaluation.comparison import Comparison
from cranfield.report.html.contents import ReportContents, Tell
from cranfield.report.html.page_data import chosen_run

if TYPE_CHECKING:
    from cranfield.report.drawing import AnyChart

FEW = 6
"""Of so many runs each can be drawn and described by itself."""
MOST_IN_MATRIX = 70


@dataclass(frozen=True)
class ReportFigure:
    """A plot, or why there is none, and what it says."""

    name: str
    heading: str
    drawing: str
    """HTML; empty where the plot cannot be drawn."""
    words: tuple[str, ...]
    wide: bool = False
    """Whether it needs the whole width of a page."""


class _Plan(NamedTuple):
    """A plot that is to be drawn."""

    name: str
    heading: str
    guide: str
    """How it is to be read."""
    draw: Callable[[], tuple[AnyChart, list[str]]]
    """Gives the chart, and what is to be said about this one."""
    wide: bool = False


def figures(contents: ReportContents, tell: Tell = lambda what, share: None) -> list[ReportFigure]:
    """All plots that fit what was compared."""
    planned = list(_planned(contents))
    drawn = []
    for number, plan in enumerate(planned):
        tell(f"drawing: {plan.heading.lower()}", 0.7 + 0.25 * number / len(planned))
        drawn.append(_drawn(plan))
    return drawn


def _drawn(plan: _Plan) -> ReportFigure:
    from cranfield.report.export import figure

    try:
        chart, words = plan.draw()
    except CranfieldError as error:
        return ReportFigure(plan.name, plan.heading, "", (f"Not drawn: {error}",), wide=True)
    drawing = figure(chart, name=f"cranfield-{plan.name}")
    return ReportFigure(plan.name, plan.heading, drawing, (plan.guide, *words), plan.wide)


def _planned(contents: ReportContents) -> Iterator[_Plan]:
    comparison, runs, measure = contents.comparison, len(contents.runs), contents.measure
    better = "lower" if measure.more_is_better is False else "higher"
    if comparison is not None:
        yield _Plan(
            "difference",
            "Difference by topic",
            "A bar for each topic: above the line the run does better than the baseline, below it worse."
            if measure.more_is_better is not False
            else "A bar for each topic: below the line the run does better than the baseline, above it worse.",
            lambda: _difference(contents, comparison),
            wide=2 < runs <= FEW + 1,
        )
    if comparison is not None and (runs == 2 or runs > FEW + 1):
        yield _Plan(
            "scatter",
            "Topic against topic",
            "A point for each topic. Those on the dashed line are equal in both runs.",
            lambda: _scatter(contents, comparison),
        )
    yield _Plan(
        "distribution",
        "Scores over topics",
        f"How {measure} varies from topic to topic, which a mean does not say: {better} is better.",
        lambda: _distribution(contents),
    )
    if comparison is not None and runs > 2:
        yield _Plan(
            "matrix",
            "Every run against every other",
            "Whether the run of a row is better or worse than that of a column, and how rare that would be by chance.",
            lambda: _matrix(contents, comparison),
            wide=runs > FEW,
        )
    yield _Plan(
        "recall-precision",
        "Recall and precision",
        "How much of what was seen is relevant, when so much of what is relevant has been found: higher is better.",
        lambda: _recall_precision(contents),
    )
    if "cutoff" in measure.definition.parameters:
        yield _Plan(
            "cutoff",
            "By cutoff",
            "What a reader has got who stops after so many documents.",
            lambda: _cutoff(contents),
        )
    yield _Plan(
        "coverage",
        "How far judgments reach",
        "Where the lines of the first panel fall early, runs are scored on documents that nobody has looked at.",
        lambda: _coverage(contents),
        wide=True,
    )


def _of_few(contents: ReportContents, sentences: list[str]) -> list[str]:
    """What is to be said about each run, if there are few."""
    return sentences if len(contents.runs) <= FEW else []


def _difference(contents: ReportContents, comparison: Comparison) -> tuple[AnyChart, list[str]]:
    from cranfield.report.charts.difference_bars import difference

    rows = list(contents.against_baseline(contents.measure).values())
    if len(rows) > FEW:
        rows = [row for row in rows if row.run == chosen_run(contents)]
        comparison = replace(comparison, rows=tuple(rows))
    said = [row.sentence for row in rows] if len(rows) == 1 else []
    return difference(comparison, contents.measure), [*said, "The table of topics has the numbers."]


def _scatter(contents: ReportContents, comparison: Comparison) -> tuple[AnyChart, list[str]]:
    from cranfield.report.charts.two_runs import scatter

    return scatter(comparison, contents.measure, run=chosen_run(contents)), ["The table of topics has the numbers."]


def _distribution(contents: ReportContents) -> tuple[AnyChart, list[str]]:
    from cranfield.report.charts.score_distributions import box

    evaluation, measure = contents.evaluation, contents.measure
    topics = list(dict.fromkeys(topic for run in evaluation.values() for topic in run.queries))
    by_run = {name: scores_on(evaluation, name, measure, topics) for name in evaluation}
    scores = curves.TopicScores(About.of(evaluation), measure, tuple(topics), by_run, "topic")
    return box(scores), _of_few(contents, scores.sentences())


def _matrix(contents: ReportContents, comparison: Comparison) -> tuple[AnyChart, list[str]]:
    from cranfield.report.charts.p_value_matrix import MOST_IN_FIGURES, matrix

    if len(contents.runs) > MOST_IN_MATRIX:
        raise UsageError(
            f"{len(contents.runs)} runs have {math.comb(len(contents.runs), 2)} pairs, more than a drawing can show. "
            f"`cranfield plot matrix` draws those of some runs, or of the best."
        )
    significance = comparison.significance
    (name, first), *others = contents.runs.items()
    found = compare(
        contents.qrels,
        {name: first},
        dict(others),
        contents.measure,
        tests=significance.tests[:1],
        correction=significance.correction,
        alpha=significance.alpha,
        resamples=significance.resamples,
        seed=significance.seed,
        all_pairs=True,
        **contents.options,
    )
    small = "Cells are too small for figures: p" if len(contents.runs) > MOST_IN_FIGURES else "The difference"
    told = f"{small} is shown where you point at a cell or touch it."
    return matrix(found, contents.measure), [told, f"{found.family_sentence}."]


def _recall_precision(contents: ReportContents) -> tuple[AnyChart, list[str]]:
    from cranfield.report.charts.recall_precision_lines import recall_precision

    found = curves.recall_precision(contents.joined)
    return recall_precision(found), _of_few(contents, found.sentences())


def _cutoff(contents: ReportContents) -> tuple[AnyChart, list[str]]:
    from cranfield.report.charts.cutoff_lines import cutoff

    try:
        found = curves.cutoff(contents.joined, measures=contents.measure)
    except UsageError:  # a measure that has to be evaluated at each cutoff
        found = curves.cutoff(contents.qrels, contents.runs, contents.measure, **contents.options)
    return cutoff(found), _of_few(contents, found.sentences())


def _coverage(contents: ReportContents) -> tuple[AnyChart, list[str]]:
    from cranfield.report.charts.judged_coverage import coverage

    found = curves.judged_by_rank(contents.joined, None)
    return coverage(found), _of_few(contents, found.sentences())
