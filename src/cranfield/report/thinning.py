"""Curves with fewer points that look the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.data.strings import Floats, Ints

INVISIBLE = 0.0005
"""How far a curve may move, as a share of the axis: less than half a pixel of a drawing of a thousand."""


def thin(x: Floats, y: Floats, tolerance: float = INVISIBLE) -> Ints:
    """Which points of a curve to keep, so that no other is farther than the tolerance from the line through these.

    Both axes go from 0 to 1. The algorithm is that of Ramer (1972) and of Douglas and Peucker (1973).

    >>> thin(np.array([0, 0.25, 0.5, 1]), np.array([0, 0.25, 0.5, 0])).tolist()  # the second is on the line
    [0, 2, 3]
    """
    if len(x) < 3:
        return np.arange(len(x))
    keep = np.zeros(len(x), dtype=np.bool_)
    keep[[0, -1]] = True
    stretches = [(0, len(x) - 1)]
    while stretches:
        first, last = stretches.pop()
        if last - first < 2:
            continue
        inside = slice(first + 1, last)
        along, up = x[last] - x[first], y[last] - y[first]
        across, over = x[inside] - x[first], y[inside] - y[first]
        length = float(along * along + up * up)
        share = np.clip((along * across + up * over) / length, 0.0, 1.0) if length else 0.0
        distance = np.hypot(across - share * along, over - share * up)
        at = int(np.argmax(distance))
        if distance[at] > tolerance:
            keep[first + 1 + at] = True
            stretches += [(first, first + 1 + at), (first + 1 + at, last)]
    return np.flatnonzero(keep)


def thin_all(curves: Sequence[tuple[Floats, Floats]], most: int) -> list[Ints]:
    """Which points of several curves to keep, so that there are not more than so many in all.

    Nothing visible is lost if that will do; where it will not, all curves are drawn as much more coarsely as it takes.
    """
    tolerance = INVISIBLE
    while True:
        kept = [thin(x, y, tolerance) for x, y in curves]
        if sum(map(len, kept)) <= max(most, 2 * len(curves)):
            return kept
        tolerance *= 1.5


def spread(number: int, most: int) -> Ints:
    """At most so many of the places 0 to number - 1, evenly spread, the first and the last among them.

    >>> spread(5, 3).tolist(), spread(2, 3).tolist()
    ([0, 2, 4], [0, 1])
    """
    return np.unique(np.linspace(0, number - 1, min(number, most)).round().astype(np.int64)) if number else np.arange(0)
