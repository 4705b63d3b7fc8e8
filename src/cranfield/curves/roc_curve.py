"""A single ROC curve: what it says at each false positive rate, its area and where the two errors are equal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.strings import Floats

BANDS = ((0.9, "excellent"), (0.8, "good"), (0.7, "fair"), (0.6, "poor"))
"""From which area on the lecture notes call a curve what."""


@dataclass(frozen=True, eq=False)
class RocCurve:
    """Points of a curve from (0, 0) to (1, 1), joined by straight lines; both rates never fall."""

    fpr: Floats
    """The false positive rate: the share of the non-relevant documents that are returned."""
    tpr: Floats
    """The true positive rate, which is recall."""

    @property
    def area(self) -> float:
        """The area under the curve.

        >>> RocCurve(np.array([0, 0, 0.5, 0.5, 1]), np.array([0, 0.5, 0.5, 1, 1])).area  # 1/2 · 1/2 + 1/2 · 1
        0.75
        """
        return float(np.trapezoid(self.tpr, self.fpr))

    @property
    def equal_error_rate(self) -> float:
        """The rate where the share of non-relevant documents returned equals that of relevant ones missed.

        >>> RocCurve(np.array([0, 0.2, 1]), np.array([0, 0.6, 1])).equal_error_rate  # 0.2 + t 0.8 = 0.4 - t 0.4
        0.3333333333333333
        """
        balance = self.fpr + self.tpr - 1.0
        after = int(np.argmax(balance >= 0))
        before = max(after - 1, 0)
        rise = balance[after] - balance[before]
        share = -balance[before] / rise if rise > 0 else 0.0
        return float(self.fpr[before] + share * (self.fpr[after] - self.fpr[before]))

    def at(self, fpr: Sequence[float] | Floats) -> Floats:
        """The highest true positive rate at each of some false positive rates.

        >>> RocCurve(np.array([0, 0, 0.5, 0.5, 1]), np.array([0, 0.5, 0.5, 1, 1])).at([0, 0.25, 0.5]).tolist()
        [0.5, 0.5, 1.0]
        """
        wanted = np.asarray(fpr, dtype=np.float64)
        at = np.searchsorted(self.fpr, wanted, side="right") - 1
        following = np.minimum(at + 1, len(self.fpr) - 1)
        width = self.fpr[following] - self.fpr[at]
        share = np.divide(wanted - self.fpr[at], width, out=np.zeros(len(wanted)), where=width > 0)
        value: Floats = self.tpr[at] + share * (self.tpr[following] - self.tpr[at])
        return value

    def to_dict(self) -> dict[str, Any]:
        return {"fpr": self.fpr.tolist(), "tpr": self.tpr.tolist()}


def auc_band(area: float) -> str:
    """What the lecture notes call an area under the ROC curve; below a half it is worse than chance.

    >>> auc_band(0.93), auc_band(0.8), auc_band(0.6), auc_band(0.55), auc_band(0.3)
    ('excellent', 'good', 'poor', 'fail', 'fail, worse than chance')
    """
    for least, word in BANDS:
        if area >= least:
            return word
    return "fail" if area >= 0.5 else "fail, worse than chance"
