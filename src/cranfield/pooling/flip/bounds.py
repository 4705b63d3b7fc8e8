"""Between what values the difference of two runs could lie, whatever the unjudged documents are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.data.strings import Bools, Floats
from cranfield.errors import UsageError
from cranfield.measures.completion import knowledge
from cranfield.measures.registry import Measure
from cranfield.pooling.flip.ways import apart, highest
from cranfield.pooling.flip.ways.case import Case
from cranfield.pooling.flip.ways.every_completion import improved

ROUNDING = 1e-9
"""A bound nearer to 0 than this is taken for 0: rounding decides nothing."""


@dataclass(frozen=True, eq=False)
class DifferenceBounds:
    """The least and the most that the difference could be: first run minus second, by topic and over all."""

    low: Floats
    high: Floats
    low_exact: Bools
    """Whether some grades reach the bound."""
    high_exact: Bools
    mean_low: float
    mean_high: float
    mean_exact: tuple[bool, bool]

    @property
    def exact(self) -> Bools:
        return self.low_exact & self.high_exact


def refusal(measure: Measure) -> str | None:
    """Why nothing can be said about a measure, in words that follow its name; None if something can."""
    how, _, why = knowledge(measure)
    if how == "none":
        return f"says nothing certain about unjudged documents: {why}"
    if measure.more_is_better is None:
        return "is neither better when higher nor when lower, so that no run is better than another by it"
    return None


def difference_bounds(case: Case) -> DifferenceBounds:
    """The bounds of a case; an error for a measure of which nothing is known.

    >>> from cranfield.data.qrels import Qrels
    >>> from cranfield.data.run import Run
    >>> from cranfield.measures import parse_one
    >>> from cranfield.measures.holes.scale import Scale
    >>> from cranfield.pooling.flip.side_by_side import SideBySide
    >>> qrels = Qrels.from_dict({"q": {"a": 1}})
    >>> runs = Run.from_dict({"q": {"a": 2, "x": 1}}), Run.from_dict({"q": {"x": 2, "y": 1}})
    >>> found = difference_bounds(Case(SideBySide.of(qrels, *runs), parse_one("P@2"), Scale((1.0,))))
    >>> found.low.tolist(), found.high.tolist()  # x is in both: 1/2 - 0, and 1/2 - 1/2 if y is relevant
    ([0.0], [0.5])
    """
    reason = refusal(case.measure)
    if reason:
        raise UsageError(f"{case.measure} {reason}")
    now = case.difference
    if not case.stakes.any:
        return _over_all(case, now, now, np.ones((2, len(now)), dtype=np.bool_))
    most, least = (improved(one, highest(one)) for one in (case, case.swapped))
    low, high = np.minimum(0.0 - least.value, now), np.maximum(most.value, now)
    return _over_all(case, low, high, np.array([least.exact, most.exact]))


def highest_difference(case: Case) -> Floats:
    """For each topic the most that the difference could be."""
    return np.maximum(improved(case, highest(case)).value, case.difference) if case.stakes.any else case.difference


def _over_all(case: Case, low: Floats, high: Floats, exact: Bools) -> DifferenceBounds:
    """With what the topics make of the mean."""
    measure = case.measure
    if measure.definition.aggregate != "geometric" or not case.stakes.any:
        means = measure.aggregate(low), measure.aggregate(high)
        return DifferenceBounds(low, high, exact[0], exact[1], *means, (bool(exact[0].all()), bool(exact[1].all())))
    # A mean of logarithms does not follow from differences.
    first, second = (apart.of_run(case, side) for side in range(2))
    lowest = measure.aggregate(first.low) - measure.aggregate(second.high)
    most = measure.aggregate(first.high) - measure.aggregate(second.low)
    settled = bool((case.both.open_count == 0).all())
    return DifferenceBounds(low, high, exact[0], exact[1], lowest, most, (settled, settled))
