"""Pages of results and the clicks on them: what click models are fitted to. Pages that are alike stand there once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield.data.strings import Bools, Codes, Floats, Ints

_ROWS_AT_ONCE = 1 << 14  # so that what is computed of them stays in the caches
_PAIRS_A_ROW = 8  # more rows at once where there are many pairs, for sums by pair cost as much as there are pairs


@dataclass(frozen=True, eq=False)
class Pages:
    """One row for each page that differs from others in its query, its documents or its clicks; one column a rank."""

    pair: Codes
    """Which query and document, by number; -1 where nothing was shown."""
    clicked: Bools
    views: Floats
    """How often there was such a page."""
    pairs: int
    """How many pairs of query and document there are."""

    def blocks(self) -> Iterator[Pages]:
        """The same in parts, so that what is computed of each takes little memory."""
        size = max(_ROWS_AT_ONCE, self.pairs // _PAIRS_A_ROW)
        for begin in range(0, len(self.views), size):
            rows = slice(begin, begin + size)
            yield Pages(self.pair[rows], self.clicked[rows], self.views[rows], self.pairs)

    @property
    def ranks(self) -> int:
        return int(self.pair.shape[1])

    @cached_property
    def shown(self) -> Bools:
        return self.pair >= 0

    @cached_property
    def last_click(self) -> Ints:
        """The column of the last click on each page, or -1."""
        return _last(self.clicked)

    @cached_property
    def has_next(self) -> Bools:
        """Whether something is shown below."""
        return np.arange(self.ranks) < _last(self.shown)[:, np.newaxis]

    @cached_property
    def last_above(self) -> Ints:
        """The rank of the last click above each place, or 0."""
        rank = np.where(self.clicked, np.arange(1, self.ranks + 1), 0)
        above = np.zeros_like(rank)
        np.maximum.accumulate(rank[:, :-1], axis=1, out=above[:, 1:])
        return above

    def of_pairs(self, values: Floats) -> Floats:
        """A value of each pair at its places; 0 where nothing is shown."""
        return np.where(self.shown, values[self.pair], 0.0)

    def by_pair(self, values: Floats | Bools) -> Floats:
        """The sum over the places of each pair, so often as pages were viewed."""
        weighted = (values * self.views[:, np.newaxis])[self.shown]
        return summed(self.pair[self.shown], weighted, self.pairs)

    def by_rank(self, values: Floats | Bools) -> Floats:
        """The same by rank."""
        sums: Floats = self.views @ (values * self.shown)
        return sums

    @property
    def clicks(self) -> float:
        """How many documents were clicked on all pages viewed."""
        return float(self.by_rank(self.clicked).sum())

    def to_first_click(self) -> Pages:
        """What is below the first click on a page is not there."""
        kept = self.last_above == 0
        return Pages(np.where(kept, self.pair, np.int32(-1)), self.clicked & kept, self.views, self.pairs)


def summed(place: Ints | Codes, values: Floats, places: int) -> Floats:
    """The sum of values by place.

    >>> summed(np.array([0, 2, 0]), np.array([1.0, 2.0, 3.0]), 3)
    array([4., 0., 2.])
    """
    return np.bincount(place, weights=values, minlength=places).astype(np.float64, copy=False)


def _last(marked: Bools) -> Ints:
    """The last column that is marked, or -1."""
    last: Ints = np.where(marked.any(axis=1), marked.shape[1] - 1 - marked[:, ::-1].argmax(axis=1), -1)
    return last
