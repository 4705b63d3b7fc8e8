"""Bounds for measures that a better list raises and more relevant documents in the judgments lower.

The two are taken apart. If from a to b of the holes are relevant, no list is better than the one with the best grade in
the b topmost holes, and no judgments ask less than those with a more documents of the least relevant grade. So the
value of that list by these judgments is never exceeded; and in the same way the list with the least grade in the a
bottommost holes, by the judgments with b more documents of the best grade, is an end below. The numbers of relevant
holes are parted into cells from a to b, of one number each at first and then ever wider.

It is so for IPrec, IPrecAvg, BreakEven on the interpolated curve, BinG and nERR: if a relevant document moves up, or
one more is found, all of them rise or stay, and if one more is to be found, all of them fall or stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from cranfield.data.completions import filled, parts, with_judgments
from cranfield.data.holes import Holes
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Ints
from cranfield.measures.holes.case import Bounds, Case

_WIDER = 1.5
_SINGLE = 8
"""Cells up to here have a single number."""
_RANKS = 1 << 19
"""How many ranks are looked at together: most cells fill few of them."""


def bounds(cases: Sequence[Case]) -> list[Bounds]:
    """Outer."""
    return [Bounds(_lowest(case), highest(case)) for case in cases]


def cells(most: int, wider: float = _WIDER) -> Iterator[tuple[int, int]]:
    """The numbers from 0 to the most in cells, whose ends are `wider` times their beginnings.

    >>> list(cells(20))
    [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 12), (13, 19), (20, 20)]
    """
    begin = 0
    while begin <= most:
        end = begin if begin < _SINGLE else min(int(begin * wider), most)
        yield begin, end
        begin = end + 1


def highest(case: Case) -> Floats:
    """For each query, what the value cannot exceed."""
    most = case.measure.bounds[1]
    found = case.values.copy()
    for queries, part in parts(case.rankings, _RANKS):
        holes = Holes.of(part)
        for a, b in _cells_of(holes):
            if (found[queries] >= most).all():
                break
            best = filled(part, 1, holes.rank_above(holes.edge(b)), case.stakes.best)
            value = case.measure.compute(by_judgments(best, a, case.stakes.least))
            found[queries] = np.maximum(found[queries], value)
    return np.minimum(found, most)


def _lowest(case: Case) -> Floats:
    """For each query, what the value cannot fall below."""
    found = case.values.copy()
    for queries, part in parts(case.rankings, _RANKS):
        holes = Holes.of(part)
        for a, b in _cells_of(holes):
            worst = filled(part, holes.rank_above(holes.edge(holes.count - a)) + 1, part.retrieved, case.stakes.least)
            value = case.measure.compute(by_judgments(worst, b, case.stakes.best))
            found[queries] = np.minimum(found[queries], value)
    return found


def _cells_of(holes: Holes) -> Iterator[tuple[Ints, Ints]]:
    """The ends of cells for each query; one that has fewer holes has its number again."""
    for a, b in cells(int(holes.count.max(initial=0))):
        yield np.minimum(a, holes.count), np.minimum(b, holes.count)


def by_judgments(r: Rankings, more: Ints, grade: float) -> Rankings:
    """A list by judgments that have, for each query, so many more documents of a grade."""
    return replace(r, qrels=with_judgments(r.qrels, more, grade))
