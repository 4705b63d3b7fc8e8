"""What is to be said wherever the values of a measure are shown, given the judgments and what else is known."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.data.costs import Costs
from cranfield.data.preferences import Preferences
from cranfield.data.qrels import Qrels
from cranfield.measures import Measure

_NO_COSTS = "without --costs (costs=) every document costs 1, so that {}."
_SAMPLE = "the judgments are a sample, and what is not judged counts as not relevant; {} are made for samples."
_MADE_FOR_STRATA = "xinfAP, infP, infNDCG, statAP and its relatives"
_MADE_FOR_CHANCES = "statAP, statP and statRprec"


def warnings_of(measure: Measure, judgments: Qrels | Preferences, costs: Costs | None) -> tuple[str, ...]:
    """What is to be said, in words that follow the name of the measure and a colon."""
    return tuple(_warnings(measure, judgments, costs))


def _warnings(measure: Measure, judgments: Qrels | Preferences, costs: Costs | None) -> Iterator[str]:
    definition = measure.definition
    if definition.warning:
        yield definition.warning
    if definition.without_costs and costs is None:
        yield _NO_COSTS.format(definition.without_costs)
    if isinstance(judgments, Qrels) and judgments.is_sample and _takes_for_complete(measure, judgments):
        yield _SAMPLE.format(_MADE_FOR_CHANCES if judgments.stratum is None else _MADE_FOR_STRATA)


def _takes_for_complete(measure: Measure, qrels: Qrels) -> bool:
    """Whether the measure says how good a run is as if all relevant documents were judged."""
    definition = measure.definition
    if measure.more_is_better is None or definition.counts or definition.aggregate == "none":
        return False
    if measure.parameters.get("judged_only"):
        return False
    sampling = definition.sampling
    return sampling == "none" or (sampling == "pool" and qrels.stratum is None)
