"""Average precision with a moderate number of open documents: every two of them are looked at.

For a number c, the difference exceeds c if D(x) - c (R + Σ x_i) can be above 0 (see `precisions.py`). Whatever the
others are, document i adds at most l_i - c and all its positive q, and at least l_i - c and all its negative q. If the
one is not above 0 the document need not be relevant, if the other is not below 0 it may as well be: then what it does
with others belongs to their l, and perhaps more of them are settled. Where all are, what was found is the best there is
for c, and its ratio the next c (Dinkelbach's method), until it rises no more: that is exact.

Documents that remain are taken by halves: q x_i x_j is at most q (x_i + x_j)/2 where q is positive, and at most 0 where
it is negative. The sum B of what they then add at most, with the rest, says that no difference is above c + B / R. The
smallest c for which B is 0 is sought by halving.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.measures.registry import ratio
from cranfield.pooling.flip.ways.case import Highest

if TYPE_CHECKING:
    from cranfield.pooling.flip.ways.precisions import Sums

MOST = 200
"""Topics with more open documents go another way: it takes the square of their number."""
_CELLS = 1 << 20
_ROUNDS = 20
_HALVINGS = 6
_ROUNDING = 1e-12


def highest(sums: Sums, topics: Ints) -> Highest:
    """Of some topics."""
    value, exact = np.empty(len(topics)), np.empty(len(topics), dtype=np.bool_)
    count = sums.looked_at[topics]
    by_size = np.argsort(count, kind="stable")
    begin = 0
    while begin < len(topics):
        # Topics of much the same size together, so that little is padded.
        end = begin + 1
        while end < len(topics) and (end + 1 - begin) * int(count[by_size[end]]) ** 2 <= _CELLS:
            end += 1
        chosen = by_size[begin:end]
        value[chosen], exact[chosen] = _block(_Pairs.of(sums, topics[chosen]))
        begin = end
    return Highest(value, exact)


class _Settled(NamedTuple):
    """For a c: which documents are relevant, which are left, and by how much D - c (R + Σ x) may exceed 0."""

    relevant: Bools
    left: Bools
    excess: Floats


class _Pairs(NamedTuple):
    """Topics down, open documents across, padded with some that are worth nothing."""

    known: Floats
    relevant: Floats
    own: Floats
    pair: Floats
    """q, of every two documents of a topic."""
    good: Floats
    """q where it is positive, else 0."""
    there: Bools
    elsewhere: Floats
    """How many open documents neither list looks at: they matter to R alone."""

    @classmethod
    def of(cls, sums: Sums, topics: Ints) -> _Pairs:
        both, ranks = sums.both, [sums.ranks(side) for side in range(2)]
        inside = np.flatnonzero(np.maximum(*ranks))
        begin, count = np.searchsorted(both.topic[both.open][inside], topics), sums.looked_at[topics]
        across = np.arange(int(count.max(initial=0)))
        there = across < count[:, np.newaxis]
        place = np.append(inside, 0)[np.where(there, begin[:, np.newaxis] + across, len(inside))]
        own = np.where(there, np.append(sums.own, 0.0)[place], -np.inf)
        pair = np.zeros((len(topics), len(across), len(across)))
        for rank, sign in zip(ranks, (1.0, -1.0), strict=True):
            rank = np.where(there, np.append(rank, 0)[place], 0)
            lower = np.maximum(rank[:, :, np.newaxis], rank[:, np.newaxis, :])
            in_both = (rank[:, :, np.newaxis] > 0) & (rank[:, np.newaxis, :] > 0)
            pair += sign * np.divide(1.0, lower, out=np.zeros(lower.shape), where=in_both)
        pair[:, across, across] = 0.0
        elsewhere = (both.open_count[topics] - count).astype(np.float64)
        return cls(
            sums.known[topics],
            sums.relevant[topics].astype(np.float64),
            own,
            pair,
            np.maximum(pair, 0.0),
            there,
            elsewhere,
        )

    def take(self, topics: Ints) -> _Pairs:
        return _Pairs._make(column[topics] for column in self)

    def ratio(self, chosen: Bools) -> Floats:
        """The difference of each topic if these documents are relevant, and no others."""
        total = self.known + self._added(chosen, self.own)
        divisor = self.relevant + np.count_nonzero(chosen, axis=1) + np.where(total < 0, self.elsewhere, 0.0)
        return ratio(total, divisor)

    def settled(self, c: Floats) -> _Settled:
        """What can be said for each c."""
        worth = self.own - c[:, np.newaxis]
        relevant, left = np.zeros_like(self.there), self.there.copy()
        while True:
            good, all_of_them = _times(self.good, left), _times(self.pair, left)
            dropped = left & (worth + good <= 0)
            taken = left & ~dropped & (worth + (all_of_them - good) >= 0)
            if not (taken.any() or dropped.any()):
                break
            # What was said of each holds whatever the others are, and so of all that are settled at once.
            worth = worth + _times(self.pair, taken)
            relevant, left = relevant | taken, left & ~taken & ~dropped
        total = self.known - c * self.relevant + np.maximum(-c, 0.0) * self.elsewhere
        total += self._added(relevant, self.own - c[:, np.newaxis])
        total += np.where(left, np.maximum(worth + 0.5 * good, 0.0), 0.0).sum(axis=1)
        return _Settled(relevant, left, total)

    def _added(self, chosen: Bools, own: Floats) -> Floats:
        """For each topic, what documents add to D if they are relevant, and no others."""
        together = np.where(chosen, own + 0.5 * _times(self.pair, chosen), 0.0)
        added: Floats = together.sum(axis=1)
        return added


def _times(pair: Floats, chosen: Bools) -> Floats:
    """For each document, what it does with those that are chosen."""
    product: Floats = np.matmul(pair, chosen.astype(np.float64)[:, :, np.newaxis])[:, :, 0]
    return product


def _block(pairs: _Pairs) -> tuple[Floats, Bools]:
    """The highest ratios of a block of topics, and which of them are reached."""
    reached = pairs.ratio(np.zeros_like(pairs.there))
    for _ in range(_ROUNDS):
        found = pairs.settled(reached)
        better = np.maximum(pairs.ratio(found.relevant), pairs.ratio(found.relevant | found.left))
        if not (better > reached + _ROUNDING).any():
            break
        reached = np.maximum(reached, better)
    found = pairs.settled(reached)
    exact = ~found.left.any(axis=1) & (found.excess <= _ROUNDING)
    # With nothing relevant at all the ratio is 0 by definition, not by D: then any relevant document divides by 1.
    above = reached + np.where(exact, 0.0, np.maximum(found.excess, 0.0) / np.maximum(pairs.relevant, 1.0))
    rest = np.flatnonzero(~exact)
    if len(rest):
        above[rest] = _lowered(pairs.take(rest), reached[rest], above[rest])
    return above, exact


def _lowered(pairs: _Pairs, low: Floats, high: Floats) -> Floats:
    """A smaller number that the ratios do not exceed; `low` is reached, `high` is not exceeded."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        holds = pairs.settled(middle).excess <= 0
        low, high = np.where(holds, low, middle), np.where(holds, middle, high)
    return high
