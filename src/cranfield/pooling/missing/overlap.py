"""How much runs have in common."""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Codes, Floats, Ints

_AT_ONCE = 1 << 24
"""So many cells of documents x runs are held in memory at once."""


def overlaps(document: Ints, run: Codes, runs: int) -> Floats:
    """Runs x runs: of the documents that two runs have, the share that both have; nan where they have none.

    `document` and `run` say of each place who returned what; documents ascend.

    >>> overlaps(np.array([0, 0, 1, 2]), np.array([0, 1, 0, 1]), runs=2).round(4).tolist()  # {0, 1} and {0, 2}
    [[1.0, 0.3333], [0.3333, 1.0]]
    """
    both = np.zeros((runs, runs))
    step = max(_AT_ONCE // max(runs, 1), 1)
    for begin in range(0, int(document.max(initial=-1)) + 1, step):
        rows = slice(*np.searchsorted(document, (begin, begin + step)))
        there = np.zeros((step, runs), dtype=np.float32)
        there[document[rows] - begin, run[rows]] = 1.0
        both += there.T @ there
    size = np.diag(both)
    with np.errstate(invalid="ignore"):
        shares: Floats = both / (size[:, np.newaxis] + size - both)
    return shares
