"""Which items of a list are tied, and what places they share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.errors import DataError


@dataclass(frozen=True, eq=False)
class RankedLists:
    """Several lists one behind the other, each best first; items that are tied share the places `top` to `bottom`.

    `offset` has the row at which each list begins, and the end of the last one. Places are counted from 1 in each list.
    """

    offset: Ints
    top: Ints
    bottom: Ints

    @classmethod
    def from_begins(cls, begins: Bools, offset: Ints) -> RankedLists:
        """From where the lists begin, and at which rows a tie (of one item or more) begins.

        >>> lists = RankedLists.from_begins(np.array([True, True, False, True]), np.array([0, 3, 4]))
        >>> lists.top.tolist(), lists.bottom.tolist()  # the second and third item of the first list are tied
        ([1, 2, 2, 1], [1, 3, 3, 1])
        """
        first, last = tie_bounds(begins)
        start = np.repeat(offset[:-1], np.diff(offset))
        return cls(offset, first - start + 1, last - start + 1)


def tie_bounds(begins: Bools) -> tuple[Ints, Ints]:
    """For each row the first and the last row of its tie; `begins` says at which rows a tie begins.

    >>> first, last = tie_bounds(np.array([True, False, True]))
    >>> first.tolist(), last.tolist()
    ([0, 0, 2], [1, 1, 2])
    """
    heads = np.flatnonzero(begins)
    size = np.diff(np.append(heads, len(begins)))
    first = np.repeat(heads, size)
    return first, first + np.repeat(size, size) - 1


def changes(*columns: npt.NDArray[np.number]) -> Bools:
    """The rows at which any of the columns has another value than in the row before; the first row is one."""
    begins = np.ones(len(columns[0]), dtype=np.bool_)
    begins[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return begins


def scores(values: npt.ArrayLike, name: str) -> Floats:
    """Scores as an array of numbers; infinite ones are in order, NaN is not.

    >>> scores([0.5, float("nan")], "x")
    Traceback (most recent call last):
        ...
    cranfield.errors.DataError: x, item 2: nan has no place in an order. Drop the item or give it a score.
    """
    try:
        column = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{name}: expected a list of numbers, found {values!r:.60}") from None
    if column.ndim != 1:
        raise DataError(f"{name}: expected a list of numbers, found {column.ndim} dimensions")
    unordered = np.flatnonzero(np.isnan(column))
    if len(unordered):
        raise DataError(
            f"{name}, item {unordered[0] + 1}: nan has no place in an order. Drop the item or give it a score."
        )
    return column


def paired_scores(x: npt.ArrayLike, y: npt.ArrayLike, names: tuple[str, str] = ("x", "y")) -> tuple[Floats, Floats]:
    """Two columns of scores of the same items."""
    first, second = scores(x, names[0]), scores(y, names[1])
    if len(first) != len(second):
        raise DataError(
            f"{names[0]} has {len(first)} items and {names[1]} has {len(second)}: expected two scores for every item"
        )
    return first, second
