"""How far down nearly everything is judged."""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Floats, Ints

ALL_JUDGED = 0.95
"""The share from which on a depth counts as judged: some documents are lost on the way to the assessors."""


def deepest_judged(judged: Floats | Ints, there: Floats | Ints) -> int:
    """The deepest rank down to which nearly all is judged, from how much is judged, and is there, at each rank.

    >>> deepest_judged(np.array([10, 10, 9, 0, 1]), np.array([10, 10, 10, 10, 10]))  # 29/30 down to rank 3, 29/40 to 4
    3
    """
    enough = np.flatnonzero(np.cumsum(judged) >= ALL_JUDGED * np.cumsum(there))
    return int(enough[-1]) + 1 if len(enough) else 0
