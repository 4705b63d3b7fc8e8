"""What ties leave open: the expected, the lowest and the highest value over all orders of tied documents."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.measures import Measure
from cranfield.measures.registry import SMALLEST_IN_GEOMETRIC_MEAN, ratio

UNAFFECTED, CLOSED_FORM, ALL_ORDERS, SAMPLED = range(4)
METHODS = ("unaffected", "closed form", "all orders", "sampled")
"""How the expected value of a topic was got, by number."""
_SAME = 1e-12


@dataclass(frozen=True, eq=False)
class TieSpread:
    """The values of one measure over all orders of tied documents, which are equally likely: topic by topic.

    `error` is the standard error of an expected value that was sampled, 0 of others. `method` says how each was got
    (a number in `METHODS`), `certified` whether `minimum` and `maximum` are the ends of the range; elsewhere they are
    the lowest and the highest value that was seen.
    """

    measure: Measure
    value: Floats
    """With tied documents in order of their identifiers."""
    expected: Floats
    error: Floats
    minimum: Floats
    maximum: Floats
    method: Ints
    certified: Bools
    tied: Bools
    """Which topics have ties at all."""
    across: Bools
    """Which topics have a tie across the cutoff of the measure, or across the depth (-M)."""

    @property
    def mean(self) -> dict[str, float]:
        """Over all topics, as the measure makes one value of many: `value`, `expected`, `min` and `max`."""
        columns = {"value": self.value, "expected": self.expected, "min": self.minimum, "max": self.maximum}
        return {name: self.measure.aggregate(column) for name, column in columns.items()}

    @property
    def mean_error(self) -> float:
        """The standard error of the expected mean, as far as topics were sampled: they were, each by itself."""
        return float(np.sqrt(((self.error * self._weight) ** 2).sum()))

    @property
    def _weight(self) -> Floats:
        """By how much the expected mean changes with the expected value of each topic."""
        how, topics, value = self.measure.definition.aggregate, len(self.expected), self.expected
        mean = self.measure.aggregate(value)
        if how == "geometric":
            return ratio(np.where(value > SMALLEST_IN_GEOMETRIC_MEAN, mean, 0.0), topics * value)
        if how == "error":
            return ratio(value, np.full(topics, mean * topics**2))
        return np.full(topics, {"sum": 1.0, "variance": 1.0 / max(topics, 1) ** 2}.get(how, 1.0 / max(topics, 1)))

    @property
    def how(self) -> str:
        """How the expected values were got, in words; methods by the number of topics where they differ.

        >>> from cranfield.measures import parse_one
        >>> three = np.zeros(3)
        >>> spread = TieSpread(parse_one("AP"), *[three] * 5, np.array([0, 1, 3]), *[three > 0] * 3)
        >>> spread.how
        'closed form 1, sampled 1'
        """
        count = np.bincount(self.method, minlength=len(METHODS))[1:]
        used = [(name, number) for name, number in zip(METHODS[1:], count.tolist(), strict=True) if number]
        if len(used) < 2:
            return used[0][0] if used else METHODS[UNAFFECTED]
        return ", ".join(f"{name} {number}" for name, number in used)

    @property
    def topics_tied(self) -> int:
        return int(np.count_nonzero(self.tied))

    @property
    def affected(self) -> Bools:
        """Which topics have a value that depends on the order of tied documents."""
        return self.maximum - self.minimum > _SAME

    @property
    def topics_affected(self) -> int:
        return int(np.count_nonzero(self.affected))

    @property
    def topics_across(self) -> int:
        return int(np.count_nonzero(self.across))

    def __repr__(self) -> str:
        mean = self.mean
        about = f" ± {self.mean_error:.2g}" if self.mean_error else ""
        ends = f"{mean['min']:.4f} to {mean['max']:.4f}{'' if self.certified.all() else ' seen'}"
        return f"<TieSpread of {self.measure}: expected {mean['expected']:.4f}{about}, {ends} ({self.how})>"

    def rows(self, chosen: Ints) -> TieSpread:
        """Of some topics."""
        columns = ("value", "expected", "error", "minimum", "maximum", "method", "certified", "tied", "across")
        return replace(self, **{name: getattr(self, name)[chosen] for name in columns})

    def summary(self) -> dict[str, Any]:
        """What JSON has about the mean."""
        mean = self.mean
        return {
            "expected": mean["expected"],
            "error": self.mean_error,
            "min": mean["min"],
            "max": mean["max"],
            "certified": bool(self.certified.all()),
            "method": self.how,
            "topics_tied": self.topics_tied,
            "topics_affected": self.topics_affected,
            "topics_across_cutoff": self.topics_across,
        }

    def topic(self, row: int) -> dict[str, Any]:
        """What JSON has about a topic."""
        return {
            "expected": float(self.expected[row]),
            "error": float(self.error[row]),
            "min": float(self.minimum[row]),
            "max": float(self.maximum[row]),
            "certified": bool(self.certified[row]),
            "method": METHODS[int(self.method[row])],
            "across_cutoff": bool(self.across[row]),
        }
