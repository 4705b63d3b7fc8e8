"""Runs that cannot be told apart: mostly one run that was given twice."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cranfield.evaluation.result import Evaluation, RunEvaluation


def identical_notes(evaluation: Evaluation, pairs: Iterable[tuple[str, str]]) -> list[str]:
    """A question for each two runs, by name, that have the same value on every topic and as many documents.

    >>> from cranfield.evaluation.evaluate import evaluate
    >>> run = {"q1": {"d1": 2.0, "d2": 1.0}}
    >>> found = evaluate({"q1": {"d1": 1}}, {"a": run, "b": run, "c": {"q1": {"d2": 2.0, "d1": 1.0}}}, "AP")
    >>> identical_notes(found, [("a", "b"), ("a", "c")])
    ['a and b are identical as far as AP shows: the same value on every topic, as many documents. Is it one run twice?']
    """
    return [
        f"{first} and {second} are identical as far as {', '.join(map(str, evaluation.measures))} "
        f"show{'s' * (len(evaluation.measures) == 1)}: the same value on every topic, as many documents. "
        f"Is it one run twice?"
        for first, second in dict.fromkeys(pairs)
        if _alike(evaluation[first], evaluation[second])
    ]


def _alike(first: RunEvaluation, second: RunEvaluation) -> bool:
    return (
        first.queries == second.queries
        and first.coverage == second.coverage
        and all(np.array_equal(first.columns[measure], second.columns[measure]) for measure in first.measures)
    )
