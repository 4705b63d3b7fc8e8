"""Systems that cannot be told apart, as letters: what two systems share is not separable (compact letter display)."""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cranfield.errors import DataError
from cranfield.stats.correlation.ties import scores


@dataclass(frozen=True)
class Groups:
    """Groups of systems not separable from each other."""

    members: tuple[tuple[int, ...], ...]
    """The systems of each group, by column number, best first; the group of the best system comes first."""
    letters: tuple[str, ...]
    """For each system the letters of its groups, one after the other; after z come a1, b1, ..., z1, a2 and so on."""


def groups(means: npt.ArrayLike, different: npt.ArrayLike) -> Groups:
    """Every largest set of systems of which no two are significantly different gets a letter, best first.

    `means` has a number for each system, `different` is a square table that says which two are significantly different.
    Two systems share a letter if and only if they are not significantly different; no group is part of another one.
    Sharing a letter does not mean being equal, only that the difference was not shown.

    Computed by insertion and absorption: all systems are one group; for each pair that differs, every group that has
    both is replaced by two, each without one of them, and groups that lie within another are dropped.

    H.-P. Piepho. An algorithm for a letter-based representation of all-pairwise comparisons. Journal of Computational
    and Graphical Statistics 13, 2004.

    >>> found = groups([0.30, 0.20, 0.25], [[0, 1, 0], [1, 0, 0], [0, 0, 0]])  # only the first and second differ
    >>> found.letters, found.members  # the third cannot be told from the first, nor from the second
    (('a', 'b', 'ab'), ((0, 2), (2, 1)))
    """
    heights, table = scores(means, "means"), np.asarray(different, dtype=np.bool_)
    n = len(heights)
    if table.shape != (n, n) or (table != table.T).any() or table.diagonal().any():
        raise DataError(
            f"different: expected a symmetric table of {n} x {n}, one row for each mean, that says of no system "
            "that it differs from itself"
        )
    order = np.argsort(-heights, kind="stable")
    # Systems are numbered best first; a group is a number that has a bit for each of its systems.
    found = [(1 << n) - 1]
    ranked = table[np.ix_(order, order)]
    for first, second in zip(*np.nonzero(np.triu(ranked)), strict=True):
        one, other = 1 << int(first), 1 << int(second)
        split = [group for group in found if group & one and group & other]
        if not split:
            continue
        found = [group for group in found if not (group & one and group & other)]
        parts = sorted({part for group in split for part in (group ^ one, group ^ other)}, key=int.bit_count)
        # From large to small, so that a part meets what it may lie within.
        for part in reversed(parts):
            if all(part & ~group for group in found):
                found.append(part)
    members = sorted(tuple(at for at in range(n) if group >> at & 1) for group in found)
    letters = [""] * n
    for letter, group in zip(_alphabet(), members, strict=False):
        for at in group:
            letters[order[at]] += letter
    return Groups(tuple(tuple(order[list(group)].tolist()) for group in members), tuple(letters))


def _alphabet() -> Iterator[str]:
    yield from string.ascii_lowercase
    round_ = 0
    while True:
        round_ += 1
        yield from (f"{letter}{round_}" for letter in string.ascii_lowercase)
