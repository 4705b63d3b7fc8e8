"""Bands around curves: between what values a point could lie, for a reason that the judgments or the run leave open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.strings import Floats
from cranfield.errors import UsageError
from cranfield.evaluation.result import RunEvaluation
from cranfield.measures import Measure

BANDS: Mapping[str, Mapping[str, Any]] = {"ties": {"ties": "range"}, "unjudged": {"residuals": True}}
"""What may be open, and the options of an evaluation that say how far."""
_MEANINGS = {
    "ties": "whatever order tied documents had",
    "unjudged": "whatever grades the documents that are not judged would get",
}


class Band(NamedTuple):
    """The lowest and the highest value of each point."""

    lower: Floats
    upper: Floats

    def to_dict(self) -> dict[str, Any]:
        return {"lower": self.lower.tolist(), "upper": self.upper.tolist()}


def check_bands(bands: str | Iterable[str]) -> tuple[str, ...]:
    """The names of bands, each once; an error if there is no such band."""
    wanted = tuple(dict.fromkeys([bands] if isinstance(bands, str) else bands))
    for name in wanted:
        if name not in BANDS:
            raise UsageError(f"there is no band {name!r}; there are {', '.join(BANDS)}")
    return wanted


def band_options(bands: Iterable[str]) -> dict[str, Any]:
    """The options of an evaluation from which these bands can be made."""
    return {option: value for name in bands for option, value in BANDS[name].items()}


def band_meaning(name: str) -> str:
    """What a band is about, in words that follow "the value"."""
    return _MEANINGS[name]


def bands_of_means(
    result: RunEvaluation, measures: Sequence[Measure], bands: Iterable[str]
) -> tuple[dict[str, Band], list[str]]:
    """The bands of the means of some measures, a point for each measure, and why others have none."""
    found, why = {}, []
    for name in bands:
        edges = [_edges_of_mean(result, measure, name) for measure in measures]
        if any(lower is None for lower, _ in edges):
            lacking = next(m for m, (lower, _) in zip(measures, edges, strict=True) if lower is None)
            why.append(_reason(result, lacking, name))
        else:
            lower, upper = np.array(edges, dtype=np.float64).T
            found[name] = Band(lower, upper)
    return found, why


def bands_of_topics(result: RunEvaluation, measure: Measure, bands: Iterable[str]) -> tuple[dict[str, Band], list[str]]:
    """The bands of a measure, a point for each query, and why others have none."""
    found, why = {}, []
    for name in bands:
        if name == "ties":
            spread = result.ties[measure]
            found[name] = Band(spread.minimum, spread.maximum)
            continue
        residual = result.residuals[measure]
        if residual.low is None or residual.high is None:
            why.append(_reason(result, measure, name))
        else:
            found[name] = Band(residual.low, residual.high)
    return found, why


def _edges_of_mean(result: RunEvaluation, measure: Measure, band: str) -> tuple[float | None, float | None]:
    if band == "ties":
        mean = result.ties[measure].mean
        return mean["min"], mean["max"]
    return result.residuals[measure].mean_low, result.residuals[measure].mean_high


def _reason(result: RunEvaluation, measure: Measure, band: str) -> str:
    why = f": {result.residuals[measure].why}" if result.residuals[measure].why else ""
    return f"{measure} has no band of {band} documents{why}"
