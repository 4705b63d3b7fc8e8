"""Two rankings for each of any number of queries, and their overlap at every depth."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Floats, Ints
from cranfield.stats.correlation.ties import RankedLists


class Overlaps(NamedTuple):
    """Rank-biased overlap of each pair of lists; see `rank_biased_overlap`."""

    extrapolated: Floats
    minimum: Floats
    maximum: Floats


class PairedRankings:
    """The lists of `a` and those of `b`, the first with the first and so on.

    Row by row `owner` is the number of a pair of lists, `row_a` and `row_b` are the rows of an item that both have.
    All is laid out in one row for each pair of lists and each depth of the longer one.
    """

    def __init__(
        self, a: RankedLists, b: RankedLists, owner: npt.NDArray[np.integer], row_a: Ints, row_b: Ints
    ) -> None:
        self._items = (a.top[row_a], a.bottom[row_a]), (b.top[row_b], b.bottom[row_b])
        self._owner = owner
        length_a, length_b = np.diff(a.offset), np.diff(b.offset)
        self.common: Ints = np.bincount(owner, minlength=len(length_a))
        self.short, self.long = np.minimum(length_a, length_b), np.maximum(length_a, length_b)
        self._a_is_longer = length_a > length_b
        self._offset = np.concatenate(([0], np.cumsum(self.long)))
        self._pair = np.repeat(np.arange(len(self.long)), self.long)
        self._depth = np.arange(len(self._pair)) - self._offset[self._pair] + 1
        self._a, self._b = (_OpenTies.at(lists, self._pair, self._depth) for lists in (a, b))

    def overlaps(self, p: float, ties: str) -> Overlaps:
        """Rank-biased overlap with persistence p; `ties` is `a`, `b` or `w`."""
        overlap, most = self._overlap(ties), self._most(ties)
        weight = (1 - p) * p ** (self._depth - 1.0) / most
        agreement = np.full(len(self.long), np.nan)  # where the shorter list ends
        some = np.flatnonzero(self.short > 0)
        last = self._offset[some] + self.short[some] - 1
        agreement[some] = overlap[last] / most[last]

        # Where only the longer list goes on, the items that the shorter one lacks are supposed to be, as many as
        # possible or as many as before, among those that only the longer one has.
        rows = np.flatnonzero(self._depth > self.short[self._pair])
        pair = self._pair[rows]
        lacking = self._depth[rows] - self.short[pair]
        first, mean = self._only_in_longer(rows, pair, lacking, ties)

        # Below both: sum_to[n] is the sum of p^d / d down to depth n; from depth `full` on they can agree completely.
        full = self.long + self.short - self.common
        depths = np.arange(1.0, full.max(initial=0) + 1)
        sum_to = np.concatenate(([0.0], np.cumsum(p**depths / depths)))
        scale = (1 - p) / p
        left = p ** self.long.astype(np.float64)
        go_on = (self.common + (self.long - self.short) * agreement) / np.maximum(self.long, 1)
        none = scale * self.common * np.maximum(-np.log1p(-p) - sum_to[self.long], 0.0)
        all_there_can_be = 2 * left - p ** full.astype(np.float64) - scale * full * (sum_to[full] - sum_to[self.long])

        seen = self._total(weight * overlap, self._pair)
        return Overlaps(
            seen + self._total(weight[rows] * lacking * agreement[pair] * mean, pair) + left * go_on,
            seen + none,
            seen + self._total(weight[rows] * first, pair) + all_there_can_be,
        )

    def _total(self, values: Floats, pair: Ints) -> Floats:
        return np.bincount(pair, weights=values, minlength=len(self.long)).astype(np.float64, copy=False)

    def _entered(self, from_a: Ints, from_b: Ints) -> Floats:
        """For each row, how many common items are in both lists, if they enter them at these depths."""
        at = np.maximum(from_a, from_b)
        inside = at <= self.long[self._owner]
        entering = np.bincount(self._offset[self._owner[inside]] + at[inside] - 1, minlength=len(self._pair))
        running = np.concatenate(([0.0], np.cumsum(entering)))
        return running[1:] - running[self._offset[self._pair]]

    @cached_property
    def _begun(self) -> Floats:
        """For each row, the common items whose tie has begun in both lists."""
        (top_a, _), (top_b, _) = self._items
        return self._entered(top_a, top_b)

    @cached_property
    def _ended(self) -> Floats:
        """For each row, the common items whose tie has ended above it in both lists."""
        (_, bottom_a), (_, bottom_b) = self._items
        return self._entered(bottom_a + 1, bottom_b + 1)

    def _overlap(self, ties: str) -> Floats:
        """For each row, the overlap X; items of the tie that is open in a list count for the part that is passed."""
        if ties == "w":
            return self._begun
        (top_a, bottom_a), (top_b, bottom_b) = self._items
        begun_a, begun_b = self._entered(top_a, bottom_b + 1), self._entered(bottom_a + 1, top_b)
        without_open_a = self._ended + self._b.part * (begun_b - self._ended)
        with_open_a = begun_a + self._b.part * (self._begun - begun_a)
        return without_open_a + self._a.part * (with_open_a - without_open_a)

    def _most(self, ties: str) -> Floats:
        """For each row, what the overlap is divided by."""
        if ties == "w":
            return (self._a.bottom + self._b.bottom) / 2
        return np.sqrt(self._a.norm * self._b.norm) if ties == "b" else self._depth.astype(np.float64)

    def _only_in_longer(self, rows: Ints, pair: Ints, lacking: Ints, ties: str) -> tuple[Floats, Floats]:
        """Of the items that only the longer list has, below the shorter: what the first so many count, and the mean."""
        if ties == "w":
            return lacking.astype(np.float64), np.ones(len(rows))
        a, b = self._a, self._b
        longer = self._a_is_longer[pair]
        top = np.where(longer, a.top[rows], b.top[rows])
        bottom = np.where(longer, a.bottom[rows], b.bottom[rows])
        part = np.where(longer, a.part[rows], b.part[rows])
        whole = top - 1 - self._ended[rows]
        in_part = bottom - self._begun[rows] - whole
        first: Floats = np.minimum(lacking, whole) + part * np.maximum(lacking - whole, 0)
        return first, (whole + part * in_part) / (whole + in_part)


class _OpenTies(NamedTuple):
    """For each row, the tie that stands at its depth; below the end of a list every place is its own."""

    top: Ints
    bottom: Ints
    part: Floats
    """How much of the tie is passed at this depth: the share of its places."""
    norm: Floats
    """The sum of the squares of what each item counts."""

    @classmethod
    def at(cls, lists: RankedLists, pair: Ints, depth: Ints) -> _OpenTies:
        inside = depth <= np.diff(lists.offset)[pair]
        row = (lists.offset[pair] + depth - 1)[inside]
        top, bottom = depth.copy(), depth.copy()
        top[inside], bottom[inside] = lists.top[row], lists.bottom[row]
        passed = depth - top + 1
        part = passed / (bottom - top + 1)
        return cls(top, bottom, part, top - 1 + part * passed)
