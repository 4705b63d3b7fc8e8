"""The same items in two orders, for any number of lists at once: what all rank correlations count."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.stats.correlation.ties import changes, tie_bounds


class PairedLists:
    """Lists of items that have two scores each; higher is better, equal scores are ties.

    Row by row `owner` says to which of the `lists` an item belongs, `x` and `y` are its scores. Every method gives one
    value for each list, nan where the coefficient is not defined; `rank_correlation` has their definitions.

    >>> lists = PairedLists(np.array([0, 0, 0, 1]), np.array([3.0, 2, 1, 5]), np.array([3.0, 1, 2, 5]), lists=2)
    >>> lists.tau_a()  # two pairs agree and one does not: (2 - 1) / 3; the second list has no pair
    array([0.33333333,        nan])
    """

    def __init__(self, owner: npt.NDArray[np.integer], x: Floats, y: Floats, *, lists: int) -> None:
        # Best first by x. What is tied in x is worst first by y, so that what stands above an item in both orders below
        # is better by both scores.
        order = np.lexsort((y, -x, owner))
        self.owner = owner[order]
        self.x, self.y = x[order], y[order]
        self.lists = lists
        self.items = np.bincount(self.owner, minlength=lists)
        self._start = (np.cumsum(self.items) - self.items)[self.owner]

    # What is counted

    @cached_property
    def _by_y(self) -> Ints:
        """The rows best first by y; what is tied in y is in the opposite order of the rows."""
        backwards = np.arange(len(self.owner))[::-1]
        return np.lexsort((backwards, -self.y, self.owner))

    @cached_property
    def above(self) -> Ints:
        """For each item, how many items of its list are better by both scores."""
        place = np.empty(len(self._by_y), dtype=np.int64)
        place[self._by_y] = np.arange(len(place))
        above: Ints = smaller_before(place)[place] - self._start
        return above

    @cached_property
    def _ties_x(self) -> tuple[Ints, Ints]:
        """For each item, the place at which its tie in x begins, and how many items are tied."""
        first, last = tie_bounds(changes(self.owner, self.x))
        return first - self._start + 1, last - first + 1

    @cached_property
    def _ties_y(self) -> tuple[Ints, Ints]:
        first, last = tie_bounds(changes(self.owner[self._by_y], self.y[self._by_y]))
        top, size = np.empty_like(first), np.empty_like(first)
        top[self._by_y] = first - self._start + 1
        size[self._by_y] = last - first + 1
        return top, size

    @cached_property
    def _ties_both(self) -> tuple[Ints, Ints]:
        """For each item, the last row with both of its scores, and how many there are."""
        first, last = tie_bounds(changes(self.owner, self.x, self.y))
        return last, last - first + 1

    def sum(self, values: Floats | Ints | Bools) -> Floats:
        """For each list, the sum over its items."""
        return np.bincount(self.owner, weights=values, minlength=self.lists).astype(np.float64, copy=False)

    @cached_property
    def pairs(self) -> Floats:
        return self.items * (self.items - 1) / 2

    @cached_property
    def tied_x(self) -> Floats:
        """Pairs that are tied in x, whether in y or not."""
        return self.sum(self._ties_x[1] - 1) / 2

    @cached_property
    def tied_y(self) -> Floats:
        return self.sum(self._ties_y[1] - 1) / 2

    @cached_property
    def concordant(self) -> Floats:
        """Pairs that both scores put in the same order."""
        return self.sum(self.above)

    @cached_property
    def discordant(self) -> Floats:
        """Pairs that the scores put in opposite orders; tied pairs are neither."""
        tied_both = self.sum(self._ties_both[1] - 1) / 2
        return self.pairs - (self.tied_x + self.tied_y - tied_both) - self.concordant

    # Coefficients

    def tau_a(self) -> Floats:
        return _share(self.concordant - self.discordant, self.pairs)

    def tau_b(self) -> Floats:
        untied = np.sqrt((self.pairs - self.tied_x) * (self.pairs - self.tied_y))
        return _share(self.concordant - self.discordant, untied)

    def gamma(self) -> Floats:
        return _share(self.concordant - self.discordant, self.concordant + self.discordant)

    def tau_ap_a(self) -> Floats:
        """With x as the truth and y as the estimate."""
        top, size = self._ties_y
        harmonic = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, 1 + self.items.max(initial=1)))))
        # In a random order of its tie an item stands equally often at each of its places. Of the items above its tie
        # those that are tied with it in x are right half the time.
        top_x, size_x = self._ties_x
        tied_above = (self._start + top_x + size_x - 2) - self._ties_both[0]
        of_those_above = (harmonic[top + size - 2] - harmonic[np.maximum(top - 2, 0)]) / size
        right_above = np.where(top > 1, (self.above + tied_above / 2) * of_those_above, 0.0)
        # Of the items of its tie that come to stand above it, half are right.
        right_within = (size - 1 - (top - 1) * (harmonic[top + size - 2] - harmonic[top - 1])) / (2 * size)
        return 2 * _share(self.sum(right_above + right_within), self.items - 1) - 1

    def tau_ap_b(self) -> Floats:
        return (self._tau_ap_beside(self._ties_x[0]) + self._tau_ap_beside(self._ties_y[0])) / 2

    def _tau_ap_beside(self, top: Ints) -> Floats:
        right = np.where(top > 1, self.above / np.maximum(top - 1, 1), 0.0)
        return 2 * _share(self.sum(right), self.sum(top > 1)) - 1

    def spearman_rho(self) -> Floats:
        middle = (self.items[self.owner] + 1) / 2
        x, y = (top + (size - 1) / 2 - middle for top, size in (self._ties_x, self._ties_y))
        return _share(self.sum(x * y), np.sqrt(self.sum(x * x) * self.sum(y * y)))


def _share(part: Floats, whole: npt.NDArray[np.number]) -> Floats:
    """part / whole, nan where there is nothing to divide by."""
    out = np.full(len(part), np.nan)
    np.divide(part, whole, out=out, where=whole > 0)
    return out


def smaller_before(order: Ints) -> Ints:
    """For each of the numbers 0 to n-1, how many smaller ones stand before it in this order of them.

    Numbers are parted by their highest bit, both parts keeping their order, then each part by the next bit, and so on.
    When two numbers part company, the greater has a 1 and the smaller a 0 for the first time: so each pair is counted
    once, and every step is a few array operations on all numbers. The numbers are filled up to a power of two, in order
    at the end, so that the parts of a step have equal size and need no bookkeeping.

    >>> smaller_before(np.array([2, 0, 3, 1])).tolist()  # 0 before 1; nothing before 2; 2 and 0 before 3
    [0, 1, 0, 2]
    """
    size = 1 << max(len(order) - 1, 0).bit_length()
    numbers: npt.NDArray[np.integer] = np.arange(size, dtype=np.int32 if size < 1 << 31 else np.int64)
    numbers[: len(order)] = order
    count = np.zeros_like(numbers)
    rank: npt.NDArray[np.integer] = np.arange(size // 2, dtype=numbers.dtype)
    width = size
    while width > 1:
        half = width // 2
        upper = (numbers & half) != 0
        place = np.flatnonzero(upper).astype(numbers.dtype, copy=False)
        ones, zeros = numbers[place], numbers[~upper]
        # Before it in its part, less those that are upper ones too.
        count[ones] += (place & (width - 1)) - (rank & (half - 1))
        numbers = np.stack((zeros.reshape(-1, half), ones.reshape(-1, half)), axis=1).reshape(-1)
        width = half
    return count[: len(order)].astype(np.int64)
