"""Intervals: of one value, and of the mean differences of many pairs at once."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from cranfield.data.strings import Floats
from cranfield.stats.arguments import Alternative


@dataclass(frozen=True)
class Interval:
    """Where the true value may lie, be it a mean difference or a coefficient; a side without a bound is infinite."""

    lower: float
    upper: float
    level: float
    """The share of such intervals that hold the true value, .95 for example."""
    method: str
    """How it was found."""

    def cut(self, least: float, most: float) -> Interval:
        """The part of it where values can be at all, such as from 0 to 1.

        >>> Interval(0.4, 1.3, 0.95, "Student").cut(0.0, 1.0).upper
        1.0
        """
        lower, upper = (min(max(bound, least), most) for bound in (self.lower, self.upper))
        return replace(self, lower=lower, upper=upper)


@dataclass(frozen=True, eq=False)
class Intervals:
    """The intervals of many pairs; nan where there is none."""

    lower: Floats
    upper: Floats
    level: float
    method: str

    @classmethod
    def towards(cls, alternative: Alternative, lower: Floats, upper: Floats, level: float, method: str) -> Intervals:
        """The interval that belongs to the question: a one-sided one has no bound on the other side."""
        if alternative == "greater":
            upper = np.where(np.isnan(lower), np.nan, np.inf)
        if alternative == "less":
            lower = np.where(np.isnan(upper), np.nan, -np.inf)
        return cls(lower, upper, level, method)

    def __getitem__(self, pair: int) -> Interval | None:
        lower, upper = float(self.lower[pair]), float(self.upper[pair])
        return None if math.isnan(lower) or math.isnan(upper) else Interval(lower, upper, self.level, self.method)


def tail_share(level: float, alternative: Alternative) -> float:
    """The probability left outside one end of an interval: half of it at each end, or all at one."""
    return (1 - level) / 2 if alternative == "two-sided" else 1 - level
