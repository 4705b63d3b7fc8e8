"""Everything that a report is made of: numbers and findings, before anything is drawn or written."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal

from cranfield.curves.inputs import JoinedRuns, join
from cranfield.data.qrels import Qrels
from cranfield.errors import CoverageError, UsageError
from cranfield.evaluation.bounds.intervals import MeanInterval
from cranfield.evaluation.compare import DEFAULT_MEASURES, compare
from cranfield.evaluation.compared import Compared, why_not_tested
from cranfield.evaluation.comparison import Comparison
from cranfield.evaluation.coverage import some
from cranfield.evaluation.evaluator import Evaluator, Measures
from cranfield.evaluation.failure_analysis import FailureAnalysis
from cranfield.evaluation.failures import analyse_failures, judged_places
from cranfield.evaluation.inputs import is_file
from cranfield.evaluation.named_runs import can_be_read_again, read_again
from cranfield.evaluation.parallel import fork_map
from cranfield.evaluation.result import Evaluation
from cranfield.evaluation.score_matrix import score_matrix
from cranfield.formats import read_qrels
from cranfield.formats.texts import read_texts
from cranfield.formats.validation import validate
from cranfield.formats.validation.findings import Validation
from cranfield.measures import Measure
from cranfield.report.html.report_runs import arranged
from cranfield.report.html.shown_rankings import TopicRankings, shown_rankings
from cranfield.stats.many_systems.tukey import Tukey, randomised_tukey_hsd

Tell = Callable[[str, float], None]
"""Told what is being done, and what share of the work is behind it."""
_OF_CURVES = ("profile", "level", "depth", "judged_only", "complete", "qrels_format", "run_format")
_OF_TESTS = ("tests", "alternative", "correction", "alpha", "resamples", "seed", "change")


@dataclass(frozen=True, eq=False)
class ReportContents:
    """What is known about some runs, the baseline first."""

    qrels: Any
    """As they were given, or in memory where they can be read only once."""
    runs: Mapping[str, Any]
    judgments: Qrels
    options: Mapping[str, Any]
    """Of the evaluation."""
    evaluation: Evaluation
    comparison: Comparison | None
    """None where there is one run."""
    measure: Measure
    """The first measure by which a run can be better: what the summary is about."""
    tukey: Tukey | None
    """All runs at once by that measure, where there are three or more."""
    failures: FailureAnalysis | None
    no_failures: str
    """Why failures could not be looked at, if so."""
    rankings: tuple[TopicRankings, ...]
    texts: Mapping[str, str]
    """What topics ask."""
    titles: Mapping[str, str]
    """What documents are called."""
    validations: tuple[Validation, ...]
    """What is odd about the files that were given."""

    @property
    def baseline(self) -> str:
        return next(iter(self.runs))

    @property
    def level(self) -> float:
        """The least grade that is relevant."""
        return float(self.options.get("level", 1))

    @property
    def highest_grade(self) -> float:
        """Of the judgments."""
        return float(self.judgments.grade.max(initial=0.0))

    @cached_property
    def joined(self) -> JoinedRuns:
        """The runs looked up in the judgments, for curves; UsageError where the profile has rankings of its own."""
        options = {name: value for name, value in self.options.items() if name in _OF_CURVES}
        return join(self.qrels, self.runs, measures=self.measure, **options)

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that were judged."""
        return self.judgments.queries

    def means(self, measure: Measure) -> dict[str, float]:
        """By run."""
        return {name: float(run.mean[str(measure)]) for name, run in self.evaluation.items()}

    @cached_property
    def intervals(self) -> dict[str, Mapping[Measure, MeanInterval]]:
        """By run, what each mean leaves open."""
        return {name: run.intervals() for name, run in self.evaluation.items()}

    @cached_property
    def best_first(self) -> list[str]:
        """The runs by the measure of the summary; in the order given where they are equal."""
        sign = -1.0 if self.measure.more_is_better is not False else 1.0
        means = self.means(self.measure)
        return sorted(means, key=lambda name: sign * round(means[name], 12))

    def against_baseline(self, measure: Measure) -> dict[str, Compared]:
        """By run, what a comparison with the baseline says."""
        rows = self.comparison.rows if self.comparison else ()
        return {row.run: row for row in rows if row.measure == measure}


def gather(
    qrels: Any,
    runs: Any,
    *,
    baseline: Any = None,
    measures: Measures | None = None,
    topics: Any = None,
    documents: Any = None,
    encoding: str | None = None,
    tell: Tell = lambda what, share: None,
    **options: Any,
) -> ReportContents:
    """Evaluate, compare, look for failures, and read what else there is to show."""
    if options.get("relevance", "qrels") != "qrels":
        raise UsageError(f"a report is made from plain judgments (-R qrels), not from {options['relevance']}")
    tell("reading judgments", 0.0)
    given = read_again(arranged(runs, baseline), options.get("run_format"))
    if not can_be_read_again(qrels):
        qrels = read_qrels(qrels, format=options.get("qrels_format"))
    of_tests = {name: options.pop(name) for name in _OF_TESTS if name in options}
    evaluator = Evaluator(qrels, DEFAULT_MEASURES if measures is None else measures, **options)
    judgments = evaluator.qrels
    assert isinstance(judgments, Qrels)
    measure = _first_measure(evaluator.measures)
    texts = _texts(topics, judgments.queries, "topics", encoding)
    tell("evaluating", 0.05)
    evaluation, comparison = _evaluated(qrels, given, evaluator.measures, of_tests, options)
    tell("comparing", 0.35)
    tukey = _all_at_once(evaluation, measure, comparison) if comparison and len(given) > 2 else None
    tell("looking for failures", 0.45)
    failures, no_failures = None, ""
    try:
        places = judged_places(evaluator, given)
        failures = analyse_failures(evaluator, evaluation, measure, places, texts)
    except CoverageError as error:
        no_failures = str(error)
    tell("reading rankings", 0.55)
    single = evaluator.profile.single_precision
    rankings = shown_rankings(judgments, given, format=options.get("run_format"), single=single)
    shown = {one.document for topic in rankings for one in topic.documents}
    shown |= {one.document for one in failures.missed} if failures else set()
    titles = _texts(documents, shown, "documents", encoding)
    tell("examining files", 0.65)
    return ReportContents(
        qrels=qrels,
        runs=given,
        judgments=judgments,
        options=options,
        evaluation=evaluation,
        comparison=comparison,
        measure=measure,
        tukey=tukey,
        failures=failures,
        no_failures=no_failures,
        rankings=rankings,
        texts=texts,
        titles=titles,
        validations=_validations(qrels, given, judgments, options),
    )


def _evaluated(
    qrels: Any,
    runs: Mapping[str, Any],
    measures: tuple[Measure, ...],
    of_tests: Mapping[str, Any],
    options: Mapping[str, Any],
) -> tuple[Evaluation, Comparison | None]:
    asked = {**options, "intervals": "t", "confidence": 1 - of_tests.get("alpha", 0.05), "provenance": True}
    (name, first), *others = runs.items()
    if not others:
        return Evaluator(qrels, measures, **asked).evaluate_all([first], names=[name]), None
    comparison = compare(qrels, {name: first}, dict(others), measures, **of_tests, **asked)
    return comparison.evaluation, comparison


def _first_measure(measures: tuple[Measure, ...]) -> Measure:
    for measure in measures:
        if measure.definition.aggregate != "none" and why_not_tested(measure) is None:
            return measure
    raise UsageError(
        f"by {', '.join(map(str, measures))} no run can be better than another; name a measure such as nDCG@10"
    )


def _all_at_once(evaluation: Evaluation, measure: Measure, comparison: Comparison) -> Tukey | None:
    matrix = score_matrix(evaluation, measure)
    if not matrix.topics:
        return None
    significance = comparison.significance
    return randomised_tukey_hsd(
        matrix.by_run, level=significance.level, permutations=significance.resamples, seed=significance.seed
    )


def _texts(given: Any, wanted: Any, part: Literal["topics", "documents"], encoding: str | None) -> Mapping[str, str]:
    """The texts of those that are wanted; an error if none of them has one."""
    if given is None:
        return {}
    known = read_texts(given, set(wanted), part=part, encoding=encoding) if is_file(given) else given
    texts = {name: known[name] for name in wanted if name in known}
    if wanted and not texts:
        where = os.fspath(given) if isinstance(given, (str, os.PathLike)) else f"the {part} given"
        raise CoverageError(
            f"{where}: none of the {part} of the judgments and runs has a text there ({some(tuple(wanted))}). Is it "
            f"the right file?"
        )
    return texts


def _validations(
    qrels: Any, runs: Mapping[str, Any], judgments: Qrels, options: Mapping[str, Any]
) -> tuple[Validation, ...]:
    """What is odd about each file; nothing about what is in memory."""
    tasks = []
    if isinstance(qrels, (str, os.PathLike)):
        tasks.append(partial(validate, qrels, kind="qrels", format=options.get("qrels_format")))
    for run in runs.values():
        if isinstance(run, (str, os.PathLike)):
            tasks.append(partial(validate, run, kind="run", format=options.get("run_format"), qrels=judgments))
    return tuple(fork_map(tasks)) if tasks else ()
