"""How many more judgments it is expected to take until a verdict is certain, by simulation.

In each simulation every open document gets a grade by its estimated chance, as if that were the truth. The documents
are then judged in the order that is proposed, and it is found how many of them it takes until (a) the bounds of the
difference leave out 0, whatever the rest is, and (b) the interval of topics and unjudged documents does. The number is
found by halving, to within one of twenty. Where all judgments together do not get there it is not reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.pooling.flip.bounds import ROUNDING, difference_bounds, highest_difference
from cranfield.pooling.flip.chances import Chances
from cranfield.pooling.flip.intervals import lower_end
from cranfield.pooling.flip.ways.case import Case
from cranfield.stats.random_stream import RandomStream

_CLOSE = 0.05
Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class JudgmentsNeeded:
    """How many judgments it took in simulations, where it was reached."""

    simulations: int
    counts: tuple[int, ...]
    """In ascending order, one for each simulation in which it was reached."""

    @property
    def reached(self) -> int:
        """In how many simulations it was reached."""
        return len(self.counts)

    @property
    def is_expected(self) -> bool:
        """Whether it was reached in more than half of them."""
        return 2 * self.reached > self.simulations

    @property
    def median(self) -> int | None:
        """The middle one, taking what was not reached as more than any number; None if it is among these."""
        middle = (self.simulations - 1) // 2
        return self.counts[middle] if self.reached > middle else None

    @property
    def spread(self) -> tuple[int, int] | None:
        """A tenth took fewer, and a tenth of those that got there took more."""
        if not self.counts:
            return None
        low, high = np.quantile(self.counts, (0.1, 0.9), method="nearest").astype(int).tolist()
        return low, high

    def to_dict(self) -> dict[str, Any]:
        low, high = self.spread or (None, None)
        return {
            "simulations": self.simulations,
            "reached": self.reached,
            "median": self.median,
            "tenth": low,
            "nine_tenths": high,
        }


@dataclass(frozen=True)
class Outlook:
    """What is expected of further judgments, if documents are as relevant as estimated."""

    certain: JudgmentsNeeded
    """Until the bounds leave out 0."""
    significant: JudgmentsNeeded | None
    """Until the interval of topics and unjudged documents leaves out 0; None where there is no such interval."""
    better: float
    """In what share of the simulations the first run is ahead once all is judged."""


def outlook(
    case: Case,
    order: Ints,
    chances: Chances,
    *,
    simulations: int,
    seed: int,
    level: float,
    progress: Progress | None = None,
) -> Outlook:
    """Simulate; `order` has places among the open documents."""
    random = RandomStream(seed)
    certain: list[int] = []
    significant: list[int] = []
    ahead = 0
    rows = case.both.open
    for number in range(simulations):
        if progress is not None:
            progress("simulating judgments", number / simulations)
        drawn = chances.draw(random)
        truth = case.completed(rows, drawn)
        mean = case.measure.aggregate(truth.values[0]) - case.measure.aggregate(truth.values[1])
        ahead += mean > 0
        if abs(mean) <= ROUNDING:
            continue
        replay = _Replay(case if mean > 0 else case.swapped, rows[order], drawn[order], level)
        certain += replay.judgments(replay.is_certain)
        significant += replay.judgments(replay.is_significant)
    needed = [JudgmentsNeeded(simulations, tuple(sorted(counts))) for counts in (certain, significant)]
    has_interval = case.measure.definition.aggregate == "mean" and len(case.both) > 1
    return Outlook(needed[0], needed[1] if has_interval else None, ahead / simulations)


class _Replay:
    """Documents judged one after the other, until the first run is known to be ahead."""

    def __init__(self, case: Case, rows: Ints, grade: Floats, level: float) -> None:
        self.case, self.rows, self.grade, self.level = case, rows, grade, level
        self.known: dict[int, Floats | float] = {}

    def judgments(self, is_so: Callable[[int], bool]) -> Iterator[int]:
        """How many judgments it takes until something is so; none if it never is."""
        below, enough = 0, len(self.rows)
        if is_so(0):
            yield 0
        elif is_so(enough):
            while enough - below > max(1, int(_CLOSE * enough)):
                middle = (below + enough) // 2
                below, enough = (below, middle) if is_so(middle) else (middle, enough)
            yield enough

    def is_certain(self, judged: int) -> bool:
        low = self.lowest(judged)
        return (self.case.measure.aggregate(low) if isinstance(low, np.ndarray) else low) > ROUNDING

    def is_significant(self, judged: int) -> bool:
        low = self.lowest(judged)
        return isinstance(low, np.ndarray) and lower_end(low, self.level) > ROUNDING

    def lowest(self, judged: int) -> Floats | float:
        """The least that the difference could be, by topic; over all where topics do not say it."""
        if judged not in self.known:
            now = self.case.of(self.case.both.with_grades(self.rows[:judged], self.grade[:judged]))
            if self.case.measure.definition.aggregate == "geometric":
                self.known[judged] = difference_bounds(now).mean_low
            else:
                self.known[judged] = -highest_difference(now.swapped)
        return self.known[judged]
