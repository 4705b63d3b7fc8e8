"""Which unjudged documents matter most to the difference of two runs, and in what order they are best judged.

By `swing`: the largest possible effect comes first. By `expected`: the effect times what the document is expected to be
worth. By `certainty`, the usual order: by how much that end of the bounds is expected to move which keeps the verdict
from being certain. At that end every document is against the run that is likely ahead: those are relevant that harm it,
and no others. If a document harms it, the end moves as far as it turns out not to be worth anything; if it helps, as
far as it turns out to be. So a document that is probably not relevant comes early if it threatens the verdict, and
late if it supports it. What a document does is looked at there, too, and not where nothing else is relevant.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.pooling.flip.chances import Chances
from cranfield.pooling.flip.effects import effects, effects_beside
from cranfield.pooling.flip.ways import way_of
from cranfield.pooling.flip.ways.case import Case

ORDERS = ("certainty", "expected", "swing")


@dataclass(frozen=True, eq=False)
class Importance:
    """For each open document: what it could do to the difference of its topic, what it likely does, and its place."""

    effect: Floats
    """The change if it has the best grade; positive if that speaks for a higher value of the first run."""
    chance: Floats
    """That its grade is above 0."""
    expected: Floats
    """The effect times what the document is expected to be worth, as a share of the best grade."""
    order: Ints
    """The documents that can matter, those to judge first at the beginning, as places among the open ones."""

    @classmethod
    def of(cls, case: Case, chances: Chances, order: str = "certainty") -> Importance:
        effect = effects(case)
        worth = chances.expected(_shares_of_best(case, chances))
        expected = effect * worth
        if order == "swing":
            gain = np.abs(effect)
        elif order == "expected":
            gain = np.abs(expected)
        else:
            ahead = 1.0 if case.difference.sum() + expected.sum() >= 0 else -1.0
            harmful = effect * ahead < 0
            gain = np.abs(effects_beside(case, harmful)) * np.where(harmful, 1.0 - worth, worth)
        return cls(effect, chances.relevant, expected, _in_order(case, effect, gain))


def _shares_of_best(case: Case, chances: Chances) -> Floats:
    """What each grade is worth to the measure, as a share of the best."""
    worth = np.zeros(len(chances.grades))
    if case.stakes.any:
        known = dict(zip(case.stakes.grades.tolist(), case.stakes.worth.tolist(), strict=True))
        worth = np.array([known.get(grade, 0.0) for grade in chances.grades.tolist()]) / case.stakes.most
    return worth


def _in_order(case: Case, effect: Floats, gain: Floats) -> Ints:
    """Those that can matter, the highest gain first; where it is the same, the one that stands higher."""
    both, rows = case.both, case.both.open
    never = way_of(case.measure) in ("additive", "first_found")
    place = np.flatnonzero(effect != 0) if never else np.arange(len(rows))
    ranks = [np.where(both.rank(side)[rows] > 0, both.rank(side)[rows], np.iinfo(np.int64).max) for side in range(2)]
    best = np.minimum(*ranks)
    return place[np.lexsort((place, best[place], -gain[place].round(12)))]
