"""The bounds that unjudged documents leave open, for the measures of an evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.data.holes import Holes
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.errors import UsageError
from cranfield.evaluation.bounds.residual import Residual
from cranfield.measures import Measure
from cranfield.measures.completion import knowledge
from cranfield.measures.holes import bounds
from cranfield.measures.holes.scale import Scale

if TYPE_CHECKING:
    from cranfield.evaluation.evaluator import Evaluator


def scale_for(evaluator: Evaluator, highest_grade: float | None, *, asked: bool) -> Scale:
    """The grades that unjudged documents could have; an error where residuals mean nothing or were not asked for."""
    qrels = evaluator.qrels
    if not asked:
        raise UsageError("--highest-grade (highest_grade=) is about unjudged documents; add --residuals")
    if evaluator.relevance != "qrels" or not isinstance(qrels, Qrels):
        raise UsageError(f"--residuals (residuals=) is for plain judgments, not for -R {evaluator.relevance}")
    if evaluator.judged_only:
        raise UsageError("-J leaves out the unjudged documents that --residuals is about; leave out one of the two")
    if evaluator.ties == "expected":
        raise UsageError("--residuals is about one order of tied documents, not the expected value; use --ties range")
    if not evaluator.plain:
        raise UsageError(
            f"--residuals (residuals=) needs a profile that ranks all documents by score, such as cranfield or "
            f"trec_eval-9; {evaluator.profile.name} has rules of its own"
        )
    return Scale.of(qrels, highest_grade)


def residuals_of(columns: Mapping[Measure, Any], rankings: Rankings, scale: Scale) -> dict[Measure, Residual]:
    """For each measure, between what values the value of each query could lie.

    `columns` has the values as things are known. Bounds never leave these out: rounding may not have the last word.
    """
    known = {measure: values for measure, values in columns.items() if isinstance(values, np.ndarray)}
    found = bounds(known, rankings, scale)
    unjudged = Holes.of(rankings).count
    residuals = {}
    for measure in columns:
        how, _, why = knowledge(measure)
        low, high = None, None
        if measure in found:
            low = np.minimum(found[measure].low, known[measure])
            high = np.maximum(found[measure].high, known[measure])
        residuals[measure] = Residual(measure, how, why, rankings.retrieved, unjudged, low, high)
    return residuals
