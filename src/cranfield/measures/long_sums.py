"""Sums over the ranks from 1 to any depth, of which only the first million are added up one by one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cranfield.data.strings import Floats, Ints

_ONE_BY_ONE = 1_000_000
_PIECES = 16
_NODES = 16
"""In each piece; what is summed here is so smooth that more would change nothing."""


def sums_to(value: Callable[[Floats], Floats], last: Ints | Floats) -> Floats:
    """For each depth (0 or more, finite), the value of all ranks down to it added up.

    `value` must be smooth, such as 1/rank. Then the sum over ranks far down is the integral from half a rank above the
    first to half a rank below the last, here by Gauss and Legendre in pieces that grow with depth.

    >>> sums_to(lambda rank: 1 / rank, np.array([0, 2, 10**12])).round(6)  # 0, 1 + 1/2, ln 10^12 + .577216
    array([ 0.      ,  1.5     , 28.208237])
    """
    last = last.astype(np.float64)
    near = np.minimum(last, _ONE_BY_ONE).astype(np.int64)
    sums: Floats = np.append(0.0, np.cumsum(value(np.arange(1.0, near.max(initial=0) + 1.0))))[near]
    deep, place = np.unique(last[last > _ONE_BY_ONE], return_inverse=True)
    if len(deep):
        sums[last > _ONE_BY_ONE] += _integral(value, _ONE_BY_ONE + 0.5, deep + 0.5)[place]
    return sums


def _integral(value: Callable[[Floats], Floats], begin: float, end: Floats) -> Floats:
    """From `begin` to each of several ends, over the logarithm of the rank."""
    node, weight = np.polynomial.legendre.leggauss(_NODES)
    half = np.log(end / begin)[:, None, None] / (2 * _PIECES)
    rank = begin * np.exp(half * (2.0 * np.arange(_PIECES)[:, None] + 1.0 + node))
    total: Floats = (half * weight * rank * value(rank)).sum(axis=(1, 2))
    return total
