"""Runs joined with judgments, from whatever callers hand in."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from cranfield.curves.result import About
from cranfield.data.frames import as_run
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.data.strings import Bools
from cranfield.errors import UsageError
from cranfield.evaluation.common_topics import no_common_topics
from cranfield.evaluation.coverage import Coverage
from cranfield.evaluation.evaluator import Evaluator, Measures
from cranfield.evaluation.inputs import is_file
from cranfield.evaluation.named_runs import named_runs
from cranfield.evaluation.parallel import fork_map
from cranfield.evaluation.streaming import RankedRun, rank_file, rank_run
from cranfield.formats import read_run
from cranfield.measures import Measure
from cranfield.measures.profiles import Profile


class JoinedRun(NamedTuple):
    """A run joined with the judgments."""

    name: str
    rankings: Rankings
    """As the options want them: cut at the depth, the level set, without unjudged documents if that was asked for."""
    counted: Bools
    """Which queries of the judgments count: a profile may leave out those that the run lacks."""
    coverage: Coverage
    whole: Rankings
    """With unjudged documents, even if they are to be left out."""
    run: Run | None = None
    """With its scores, where these are needed."""

    @property
    def queries(self) -> tuple[str, ...]:
        """The queries that count."""
        queries = self.rankings.qrels.queries
        return queries if self.counted.all() else tuple(queries[row] for row in np.flatnonzero(self.counted))


@dataclass(frozen=True, eq=False)
class JoinedRuns:
    """Several runs joined with the same judgments, so that a query has the same place in all of them."""

    evaluator: Evaluator
    runs: tuple[JoinedRun, ...]

    def adapted(self, measures: Iterable[Measure]) -> list[Measure]:
        """The measures with what was said for all of them, such as the level."""
        return [self.evaluator.adapt(measure) for measure in measures]

    def in_common(self) -> Bools:
        """Which queries of the judgments count in every run; an error that says what each has, if there is none."""
        shared: Bools = np.logical_and.reduce([one.counted for one in self.runs])
        if shared.any():
            return shared
        raise no_common_topics({one.name: one.queries for one in self.runs}, self.evaluator.profile.name)

    def about(self, **settings: Any) -> About:
        """What curves of these runs were made from, with settings of their own."""
        coverage = {joined.name: joined.coverage for joined in self.runs}
        said = {**self.evaluator.settings, **settings}
        return About(self.evaluator.profile.name, said, coverage)


def join(
    qrels: Any,
    runs: Any,
    *,
    profile: str | Profile = "cranfield",
    level: float = 1,
    depth: int | None = None,
    judged_only: bool = False,
    complete: bool = False,
    qrels_format: str | None = None,
    run_format: str | None = None,
    with_scores: bool = False,
    measures: Measures = "NumRet",
) -> JoinedRuns:
    """Look up the documents of every run in the judgments, once for several curves.

    What it returns goes in the place of judgments and runs. Options are those of `evaluate`. `with_scores` keeps the
    runs themselves too, for curves over thresholds of the score. `measures` are those that curves will be about, which
    not every profile knows.

    >>> joined = join({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d1": 2, "d2": 1}})
    >>> from cranfield.curves import by_rank, roc
    >>> by_rank(joined)["run"].of("q1"), roc(joined)["run"].area
    ({P: array([1. , 0.5]), R: array([1., 1.]), F: array([1.        , 0.66666667])}, 1.0)
    """
    evaluator = Evaluator(
        qrels,
        measures,
        profile=profile,
        level=level,
        depth=depth,
        judged_only=judged_only,
        complete=complete,
        qrels_format=qrels_format,
        run_format=run_format,
    )
    assert isinstance(evaluator.qrels, Qrels)
    if not evaluator.plain:
        raise UsageError(
            f"this curve needs a profile that ranks all documents by score, such as cranfield or trec_eval-9; "
            f"{evaluator.profile.name} has rules of its own"
        )
    named = named_runs(runs)
    alone = len(named) == 1
    tasks = [partial(_rank, evaluator, run, name, with_scores, alone) for name, run in named.items()]
    if alone or not all(isinstance(run, (str, os.PathLike)) for run in named.values()):
        ranked = [task() for task in tasks]
    else:
        _ = evaluator.qrels.table  # built once, before the processes part
        ranked = [(_with_judgments(one, evaluator.qrels), run) for one, run in fork_map([_sent(t) for t in tasks])]
    joined = [_joined(evaluator, name, one, run) for name, (one, run) in zip(named, ranked, strict=True)]
    return JoinedRuns(evaluator, tuple(joined))


def join_runs(qrels: Any, runs: Any, measures: Measures, *, with_scores: bool = False, **options: Any) -> JoinedRuns:
    """The runs joined with the judgments, which may have been done before."""
    if not isinstance(qrels, JoinedRuns):
        return join(qrels, runs, with_scores=with_scores, measures=measures, **options)
    if runs is not None or options:
        raise UsageError("what `join` returned has its runs and options already; leave them out")
    if with_scores and any(one.run is None for one in qrels.runs):
        raise UsageError("this curve is over scores; join with with_scores=True")
    return qrels


def _rank(evaluator: Evaluator, run: Any, name: str, with_scores: bool, split: bool) -> tuple[RankedRun, Run | None]:
    assert isinstance(evaluator.qrels, Qrels)
    single, format = evaluator.profile.single_precision, evaluator.run_format
    if is_file(run) and not with_scores:
        return rank_file(run, evaluator.qrels, single=single, input_format=format, split=split), None
    whole = read_run(run, format=format) if is_file(run) else as_run(run, name=name)
    return rank_run(whole, evaluator.qrels, single=single), whole if with_scores else None


def _sent(task: Any) -> Any:
    """A task whose result goes from one process to another, without the judgments, which both have."""

    def done() -> tuple[RankedRun, Run | None]:
        ranked, run = task()
        return _with_judgments(ranked, None), run

    return done


def _with_judgments(ranked: RankedRun, qrels: Any) -> RankedRun:
    return ranked._replace(rankings=replace(ranked.rankings, qrels=qrels))


def _joined(evaluator: Evaluator, name: str, ranked: RankedRun, run: Run | None) -> JoinedRun:
    """What the options and the profile make of rankings."""
    given = replace(ranked.rankings, level=float(evaluator.level))
    coverage = Coverage.of(ranked._replace(rankings=given))
    evaluator.missing_topics.check(coverage, given.qrels.queries, name)
    counted = np.ones(len(given), dtype=np.bool_)
    if evaluator.missing == "skip":
        coverage = coverage._replace(missing_means="left out")
        counted = given.retrieved > 0
    rankings = evaluator.prepare(given)
    seen = rankings.condensed() if evaluator.judged_only else rankings
    return JoinedRun(name, seen, counted, coverage, rankings, run)
