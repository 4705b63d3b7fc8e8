"""What is asked about two runs, and what the answer is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.measures.completion import knowledge
from cranfield.measures.holes import bounds
from cranfield.measures.holes.case import Bounds
from cranfield.measures.holes.scale import Scale, Stakes
from cranfield.measures.registry import Measure
from cranfield.pooling.flip.side_by_side import SideBySide


@dataclass(frozen=True, eq=False)
class Case:
    """A measure of two runs, and the grades that unjudged documents could have."""

    both: SideBySide
    measure: Measure
    scale: Scale

    @cached_property
    def stakes(self) -> Stakes:
        """What is at stake in an unjudged document."""
        return Stakes.of(self.measure, self.scale, self.both.level)

    @property
    def best(self) -> float:
        """The best grade that a document could have: the highest, where what grades are worth is not known."""
        unknown = knowledge(self.measure).way == "whole_range"
        return self.scale.of_measure(self.measure).highest if unknown else self.stakes.best

    @cached_property
    def values(self) -> tuple[Floats, Floats]:
        """For each topic, the value of the two runs as things are known."""
        first, second = (np.asarray(self.measure.compute(self.both.rankings(side))) for side in range(2))
        return first, second

    @property
    def difference(self) -> Floats:
        first, second = self.values
        return first - second

    @property
    def swapped(self) -> Case:
        return replace(self, both=self.both.swapped)

    def of(self, both: SideBySide) -> Case:
        """The same question about others."""
        return replace(self, both=both)

    @property
    def reads_on(self) -> bool:
        """Whether documents below the end of a list are read too."""
        return knowledge(self.measure).way in ("reading", "topic_gains", "beginnings")

    def bounds(self, side: int) -> Bounds:
        """For each topic, between what values one run could lie, if nobody judged but what it returned."""
        values = self.values[side]
        found = bounds({self.measure: values}, self.both.rankings(side), self.scale)[self.measure]
        return Bounds(np.minimum(found.low, values), np.maximum(found.high, values))

    def largest_now(self) -> Floats:
        """The difference as things are known, at most: that of the values, and of what is below the end of lists."""
        if not self.reads_on:
            return self.difference
        return self.bounds(0).high - self.bounds(1).low

    def completed(self, rows: Ints | Bools, grade: Floats | float) -> Case:
        """The case in which some documents have grades, and no other is relevant that is not judged."""
        everything = self.both.with_grades(self.both.open, 0.0)
        return self.of(everything.with_grades(rows, grade))


@dataclass(frozen=True, eq=False)
class Highest:
    """For each topic, what the difference cannot exceed, and whether some grades reach it."""

    value: Floats
    exact: Bools

    @classmethod
    def all_exact(cls, value: Floats) -> Highest:
        return cls(value, np.ones(len(value), dtype=np.bool_))
