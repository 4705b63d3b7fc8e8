"""Bounds for Q, which blends precision with the gain so far as a share of the gain there could be.

Above it is one of `cells`. Below it is not: a relevant document shares in the gain of all documents above it, so that
one of a low grade may gain if it moves down past better ones. But no document that is relevant lowers the sum that is
divided by R, so the value is at least that of the list as it is known by judgments that have all holes in the best
grade. And the blended ratio is at least precision times (1 + β g) / (1 + β G), where g and G are the lowest and the
highest gain of a relevant document, so that Q is at least the lowest AP times that.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.data.completions import filled, parts
from cranfield.data.holes import Holes
from cranfield.data.strings import Floats
from cranfield.measures.holes import precisions
from cranfield.measures.holes.case import Bounds, Case
from cranfield.measures.holes.cells import by_judgments, highest
from cranfield.measures.registry import Measure


def bounds(cases: Sequence[Case]) -> list[Bounds]:
    """Outer."""
    return [Bounds(np.maximum(_by_more_judgments(case), _by_precision(case)), highest(case)) for case in cases]


def _by_more_judgments(case: Case) -> Floats:
    """For each query, the value of the list as it is known if all holes have the best grade in the judgments alone."""
    found = np.zeros(len(case.values))
    for queries, part in parts(case.rankings):
        as_known = filled(part, 1, np.zeros_like(part.retrieved), 0.0)
        found[queries] = case.measure.compute(by_judgments(as_known, Holes.of(part).count, case.stakes.best))
    return found


def _by_precision(case: Case) -> Floats:
    """For each query, what Q is at least by AP."""
    parameters, worth = case.measure.parameters, case.stakes.worth
    precision = Measure("AP")(rel=parameters["rel"], cutoff=parameters["cutoff"], denominator="min-k-R")
    (of_precision,) = precisions.bounds([case._replace(measure=precision)])
    beta = parameters["beta"]
    at_least: Floats = of_precision.low * (1.0 + beta * worth.min()) / (1.0 + beta * worth.max())
    return at_least
