"""Scoring runs in one call."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, overload

from cranfield.data.run import Run
from cranfield.evaluation.evaluator import DEFAULT_MEASURES, Evaluator, Measures
from cranfield.evaluation.inputs import is_several
from cranfield.evaluation.result import Evaluation, RunEvaluation
from cranfield.measures.profiles import Profile

OneRun = str | os.PathLike[str] | Run


@overload
def evaluate(
    qrels: Any, runs: OneRun, measures: Measures = ..., *, profile: str | Profile = ..., **options: Any
) -> RunEvaluation: ...


@overload
def evaluate(
    qrels: Any, runs: list[OneRun], measures: Measures = ..., *, profile: str | Profile = ..., **options: Any
) -> Evaluation: ...


@overload
def evaluate(
    qrels: Any, runs: Any, measures: Measures = ..., *, profile: str | Profile = ..., **options: Any
) -> Any: ...


def evaluate(
    qrels: Any,
    runs: Any,
    measures: Measures = DEFAULT_MEASURES,
    *,
    profile: str | Profile = "cranfield",
    **options: Any,
) -> Any:
    """Score one run (gives a `RunEvaluation`) or several, in a list or a dict by name (gives an `Evaluation`).

    Judgments and runs are paths, file objects, `Qrels` and `Run`, dicts of dicts, lists of tuples, or pandas, polars
    and Arrow tables. `options` are those of `Evaluator`.

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> evaluate(qrels, {"q1": {"d1": 0.9}}, "RR").mean["RR"]  # (1 + 0) / 2
    0.5
    """
    evaluator = Evaluator(qrels, measures, profile=profile, **options)
    if not is_several(runs):
        return evaluator(runs)
    if isinstance(runs, Mapping):
        return evaluator.evaluate_all(list(runs.values()), names=list(runs))
    return evaluator.evaluate_all(list(runs))
