"""The most that any run could score, given the judgments."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.errors import UsageError
from cranfield.evaluation.coverage import Coverage
from cranfield.evaluation.evaluator import DEFAULT_MEASURES, Evaluator, Measures
from cranfield.evaluation.result import RunEvaluation
from cranfield.evaluation.streaming import RankedRun
from cranfield.measures import Measure

NAME = "best possible"
"""What stands in the place of the name of a run."""


def best_possible(qrels: Any, measures: Measures | None = None, **options: Any) -> RunEvaluation:
    """What the best ranking of each topic scores: its relevant documents and nothing else, best first.

    Judgments, measures and `options` are those that `evaluate` takes; instead of all of them, an `Evaluator` will do.
    Relevant is what the measure counts as that; where it looks at grades alone, a grade above 0.

    >>> qrels = {"q1": {f"d{number}": 1 for number in range(8)}}
    >>> best_possible(qrels, ["P@20", "Rprec"]).mean  # 8/20, 8/8
    {'P@20': 0.4, 'Rprec': 1.0}
    """
    if not isinstance(qrels, Evaluator):
        return _best_by(Evaluator(qrels, DEFAULT_MEASURES if measures is None else measures, **options))
    if measures is not None or options:
        raise UsageError("an evaluator has its measures and options already; leave them out")
    return _best_by(qrels)


def _best_by(evaluator: Evaluator) -> RunEvaluation:
    qrels = evaluator.qrels
    if evaluator.relevance != "qrels" or not isinstance(qrels, Qrels):
        raise UsageError(f"the best possible ranking is known for plain judgments, not for -R {evaluator.relevance}")
    if evaluator.costs is not None:
        raise UsageError("what the best possible ranking costs is not known; leave out --best or --costs")
    for measure in evaluator.measures:
        if measure.definition.needs == "subtopics":
            raise UsageError(f"{measure}: the best possible ranking by subtopic is not known; leave out --best")
    ideal = {least: evaluator.prepare(Rankings.best(qrels, least)) for least in map(_least, evaluator.measures)}
    return RunEvaluation(
        NAME,
        NAME,
        evaluator.profile.name,
        evaluator.measures,
        qrels.queries,
        {measure: measure.compute(ideal[_least(measure)]) for measure in evaluator.measures},
        np.ones(len(qrels.queries), dtype=np.bool_),
        Coverage.of(RankedRun(next(iter(ideal.values())), NAME, ()))._replace(missing=()),
        evaluator.settings,
        ideal=True,
        warnings=evaluator.warnings,
        origin=evaluator.origin,
    )


def _least(measure: Measure) -> float:
    """The least grade that is worth something to a measure."""
    if "rel" not in measure.definition.parameters or not measure.looks_at("rel"):
        return float(np.nextafter(0.0, 1.0))
    rel = measure.parameters["rel"]
    return 1.0 if rel is None else float(rel)
