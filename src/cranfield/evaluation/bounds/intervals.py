"""How far a mean can be trusted: what another sample of topics, unjudged documents and ties could make of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cranfield.data.strings import Floats
from cranfield.measures import Measure
from cranfield.measures.registry import SMALLEST_IN_GEOMETRIC_MEAN
from cranfield.stats.arguments import one_of
from cranfield.stats.interval import Interval

if TYPE_CHECKING:
    from cranfield.evaluation.result import RunEvaluation

Sampling = Literal["t", "bootstrap"]
_NO_MEAN = {
    "sum": "a sum over the topics, not a mean",
    "variance": "the variance of a mean, not a mean",
    "error": "the standard error of a mean, not a mean",
}


@dataclass(frozen=True)
class Opening:
    """Between which values a mean could lie, and how well these ends are known."""

    lower: float
    upper: float
    how: str


@dataclass(frozen=True)
class MeanInterval:
    """One mean and three reasons to doubt it, kept apart because they have nothing to do with each other.

    `topics` is the sampling interval: other topics of the same kind would have given another mean. `unjudged` are the
    bounds over all grades that documents retrieved and not judged could have, and `ties` those over all orders of
    documents with the same score; they hold for these very topics. None where there is nothing to say: `missing` has
    the reason.
    """

    measure: str
    mean: float
    number_of_topics: int
    topics: Interval | None
    unjudged: Opening | None
    ties: Opening | None
    missing: dict[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it."""
        found: dict[str, Any] = {"mean": self.mean}
        if self.topics is not None:
            found["topics"] = {
                "lower": self.topics.lower,
                "upper": self.topics.upper,
                "level": self.topics.level,
                "method": self.topics.method,
            }
        for name, opening in (("unjudged", self.unjudged), ("ties", self.ties)):
            if opening is not None:
                found[name] = {"lower": opening.lower, "upper": opening.upper, "how": opening.how}
        return {**found, "missing": self.missing} if self.missing else found


def mean_interval(result: RunEvaluation, measure: Measure, by: Sampling, level: float, seed: int) -> MeanInterval:
    """What could become of the mean of one measure."""
    values = result.columns[measure]
    assert isinstance(values, np.ndarray)
    missing: dict[str, str] = {}
    found = _of_topics(measure, values, by, level, seed)
    topics = found if isinstance(found, Interval) else None
    if isinstance(found, str):
        missing["topics"] = found
    residual, spread = result.residuals.get(measure), result.ties.get(measure)
    unjudged = ties = None
    unknown = "not known with this profile or these options" if "intervals" in result.settings else "not asked for"
    if residual is None:
        missing["unjudged"] = unknown
    elif residual.mean_low is None or residual.mean_high is None:
        missing["unjudged"] = residual.why
    else:
        unjudged = Opening(residual.mean_low, residual.mean_high, residual.how)
    if spread is None:
        missing["ties"] = unknown
    else:
        mean = spread.mean
        ties = Opening(mean["min"], mean["max"], "exact" if spread.certified.all() else "seen")
    return MeanInterval(str(measure), result.mean[str(measure)], len(values), topics, unjudged, ties, missing)


def _of_topics(measure: Measure, values: Floats, by: Sampling, level: float, seed: int) -> Interval | str:
    """The interval of the mean over topics, or why there is none. A geometric mean is one of logarithms."""
    from cranfield.stats.significance.bootstrap import bootstrap_test
    from cranfield.stats.significance.t_test import one_sample_t_test

    one_of("by", by, ("t", "bootstrap"))
    how = measure.definition.aggregate
    if how in _NO_MEAN:
        return _NO_MEAN[how]
    if len(values) < 2:
        return "there is but one topic"
    if not np.isfinite(values).all():
        return "some values are infinite"
    if how == "geometric":
        values = np.log(np.maximum(values, SMALLEST_IN_GEOMETRIC_MEAN))
    if by == "t":
        outcome = one_sample_t_test(values, 0.0, level=level)
    else:
        outcome = bootstrap_test(values, np.zeros(len(values)), level=level, seed=seed)
    if outcome.interval is None:
        return "all topics have the same value"
    lower, upper = outcome.interval.lower, outcome.interval.upper
    if how == "geometric":
        lower, upper = math.exp(lower), math.exp(upper)
    return Interval(lower, upper, level, outcome.interval.method)
