"""The lowest ratio of a sum that grows ever faster to one that grows ever more slowly."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.measures.registry import ratio

Sums = Callable[[Ints], Floats]
"""For each query, a sum at some number of steps."""


def lowest_ratio(above: Sums, below: Sums, steps: Ints) -> Floats:
    """For each query the lowest of above(x) / below(x), 0 <= x <= steps; 0 where both are 0.

    The increments of `above` never fall and those of `below` never rise, neither is negative. Then the ratio falls and
    never rises again before it is lowest, and never falls again thereafter: if (a + d) / (b + e) >= a / b, that is
    d b >= a e, then d' (b + e) >= d b + d e >= a e + d e >= (a + d) e' for the next d' >= d and e' <= e. So the place
    where it begins to rise is found by halving.

    >>> lowest_ratio(lambda x: 2.0 + x * x, lambda x: 1.0 + x, np.array([9]))  # 2/1, 3/2, 6/3: lowest at 1
    array([1.5])
    """
    low, high = np.zeros_like(steps), steps.copy()
    while (low < high).any():
        middle = (low + high) // 2
        further = np.minimum(middle + 1, steps)
        rises = above(further) * below(middle) >= above(middle) * below(further)
        high = np.where(rises, middle, high)
        low = np.where(rises, low, further)
    return ratio(above(low), below(low))
