"""What people did, in shares with their intervals."""

from __future__ import annotations

from cranfield.logs.behaviour import Behaviour
from cranfield.report.charts.run_estimates import Estimate, run_estimates
from cranfield.report.drawing import AnyChart


def behaviour_shares(found: Behaviour) -> AnyChart:
    """A diamond for each share that is known, and a line for its interval."""
    known = [Estimate(one.name, one.value, one.low, one.high) for one in found.shares if one.value is not None]
    notes = ["lines: 95 % intervals (Wilson), which take cases for independent of each other"]
    return run_estimates(known, "What people did", "share", notes, what="share of", percent=True)
