"""By what rule clicks become grades."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.data.strings import Ints
from cranfield.errors import UsageError
from cranfield.logs.evidence_rows import Evidence

INTERVAL, THRESHOLDS = "interval", "thresholds"
RULES = (INTERVAL, THRESHOLDS)
AT = (0.5, 1.0, 2.0)


@dataclass(frozen=True)
class Grading:
    """By the rule `interval` a document has the grade 2 if it is wanted more than a usual one, the whole 95 % interval
    being above 1; 0 if less, the whole interval being below 1; 1 where that is not certain. By `thresholds` the grade
    is the number of thresholds in `at` that its value reaches, however uncertain."""

    rule: str = INTERVAL
    at: tuple[float, ...] = AT

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise UsageError(f"unknown rule {self.rule!r}: expected {' or '.join(RULES)}")
        steps = np.array(self.at, dtype=np.float64)
        if self.rule == THRESHOLDS and (not len(steps) or not (steps > 0).all() or (np.diff(steps) <= 0).any()):
            raise UsageError(f"thresholds {', '.join(map(str, self.at))}: expected numbers above 0, the lowest first")

    def grades(self, found: Evidence) -> Ints:
        """Of documents about which something is known."""
        if self.rule == INTERVAL:
            return np.where(found.lower > 1, 2, np.where(found.upper < 1, 0, 1)).astype(np.int64)
        return np.searchsorted(np.array(self.at), found.value, side="right").astype(np.int64)
