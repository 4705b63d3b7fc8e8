"""What documents are worth: gains, discounts, and the best ranking there could be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.query_sums import cumulative, totals
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Codes, Floats, Ints
from cranfield.measures.parameters import Choice, GainMap, Number

Gain = Annotated[str, Choice(("linear", "exponential"))]
Gains = Annotated[tuple[tuple[float, float], ...] | None, GainMap()]
HighestGrade = Annotated[float, Number(1, 1000)]
Discount = Annotated[str, Choice(("log1p", "log", "zipf", "none"))]
Base = Annotated[float, Number(1.01, 1e9)]

_GRADED = {"gain": ("linear", "exponential")}
GAINS_ONLY_WITH = {"rel": {"gain": ("binary",)}, "gmax": _GRADED, "gains": _GRADED}
"""Where the gain may be binary: the parameters that say nothing with another."""


def gain_of(grade: Floats, gain: str, gains: tuple[tuple[float, float], ...] | None) -> Floats:
    """What each grade is worth. Unjudged documents (negative grades) are worth nothing."""
    worth = np.maximum(grade, 0.0)
    if gain == "exponential":
        worth = np.exp2(worth) - 1.0
    for level, value in gains or ():
        worth = np.where(grade == level, value, worth)
    return worth


def highest_gain(gmax: float, gain: str, gains: tuple[tuple[float, float], ...] | None) -> float:
    """What the highest grade there can be is worth."""
    return float(gain_of(np.array([gmax], dtype=np.float64), gain, gains)[0])


def grades_up_to_gmax(qrels: Qrels, parameters: Mapping[str, Any]) -> str | None:
    """A check: that no grade is above `gmax`, nor worth more than it or less than nothing."""
    if parameters["gain"] not in ("linear", "exponential"):
        return None
    gmax, gain, gains = parameters["gmax"], parameters["gain"], parameters["gains"]
    highest = float(qrels.grade.max(initial=0.0))
    if highest > gmax:
        return f"needs grades up to {gmax:g}, the highest here is {highest:g}: say gmax={highest:g}"
    worth, most = gain_of(qrels.grade, gain, gains), highest_gain(gmax, gain, gains)
    if most <= 0:
        return f"needs a gain above 0 for the highest grade, gmax={gmax:g}"
    outside = np.flatnonzero((worth < 0) | (worth > most))
    if len(outside):
        return (
            f"needs gains from 0 to {most:g}, the gain of grade {gmax:g}; "
            f"grade {qrels.grade[outside[0]]:g} has the gain {worth[outside[0]]:g}"
        )
    return None


def discount_of(rank: Ints, discount: str = "log1p", base: float = 2) -> Floats:
    """What the gain at each rank is divided by: never less than 1."""
    if discount == "none":
        return np.ones(len(rank))
    if discount == "zipf":
        return rank.astype(np.float64)
    logarithm: Floats = np.log2(rank + 1 if discount == "log1p" else rank)
    if discount == "log1p" and base == 2:
        return logarithm
    discounted: Floats = np.maximum(logarithm / np.log2(base), 1.0)
    return discounted


class Ideal(NamedTuple):
    """The documents worth something, best first: query, rank and gain, and where each query begins and ends."""

    query: Codes
    rank: Ints
    gain: Floats
    cumulative_gain: Floats
    offset: Ints

    @classmethod
    def of(
        cls,
        r: Rankings,
        gain: str,
        gains: tuple[tuple[float, float], ...] | None,
        *,
        least: float = -np.inf,
        retrieved_only: bool = False,
    ) -> Ideal:
        """Of all judged documents of at least a grade, or only of the retrieved ones."""
        worth = (gain, gains, least)
        if retrieved_only:
            query, grade = r.found()
            return cls._best_first(query, grade, len(r), *worth)
        known = _IDEALS.setdefault(r.qrels, {})
        if worth not in known:
            known[worth] = cls._best_first(r.qrels.query, r.qrels.grade, len(r), *worth)
        return known[worth]

    @classmethod
    def _best_first(
        cls,
        query: Codes,
        grade: Floats,
        queries: int,
        gain: str,
        gains: tuple[tuple[float, float], ...] | None,
        least: float,
    ) -> Ideal:
        worth = gain_of(grade, gain, gains)
        keep = (worth > 0) & (grade >= least)
        query, worth = query[keep], worth[keep]
        order = np.lexsort((-worth, query))
        query, worth = query[order], worth[order]
        offset = np.append(0, np.cumsum(np.bincount(query, minlength=queries)))
        rank = np.arange(len(query)) - offset[query] + 1
        return cls(query, rank, worth, cumulative(query, worth, queries), offset)

    def size(self) -> Ints:
        """For each query, how many documents are worth something."""
        return np.diff(self.offset)

    def sum(self, values: Floats, cutoff: int | Ints | None = None) -> Floats:
        """For each query, the values of its documents added up, to a rank or to the end."""
        if cutoff is not None:
            depth = cutoff[self.query] if isinstance(cutoff, np.ndarray) else cutoff
            values = np.where(self.rank <= depth, values, 0.0)
        return totals(self.query, values, len(self.offset) - 1)

    def cumulative(self, values: Floats) -> Floats:
        """For each document, the sum of the values of its query down to it."""
        return cumulative(self.query, values, len(self.offset) - 1)

    def at(self, running: Floats, query: Codes, depth: Ints) -> Floats:
        """For some queries, a cumulative value at a depth (1 or more) or at the end of the query, if that is sooner."""
        last = np.minimum(depth, self.size()[query])
        out = np.zeros(len(query))
        some = last > 0
        out[some] = running[(self.offset[query] + last - 1)[some]]
        return out


_IDEALS: WeakKeyDictionary[Qrels, dict[tuple[Any, ...], Ideal]] = WeakKeyDictionary()
"""The ideal rankings of judgments, made once for all runs."""
