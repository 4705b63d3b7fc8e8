"""The best k documents in an order that does not change: by score, and among equals by identifier, the last first."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Floats, Ints
from cranfield.engines.engine import Hits
from cranfield.engines.id_table import IdTable
from cranfield.engines.ranked import Ranked

Found = tuple[Floats, Ints]
"""Scores, best first, and the numbers of their documents."""


def best_of_a_list(fetch: Callable[[int], Found], k: int, table: IdTable) -> Hits:
    """The best k of an engine that gives its best documents, as many as it is asked for.

    Such an engine cuts through ties as it likes, so it is asked for more until the last one is below the kth.

    >>> scores, numbers = np.array([2.0, 1.0, 1.0]), np.array([0, 1, 2])
    >>> best_of_a_list(lambda limit: (scores[:limit], numbers[:limit]), 2, IdTable.of(["d1", "d2", "d3"]))
    [('d1', 2.0), ('d3', 1.0)]
    """
    limit = min(k + k // 16 + 16, len(table))
    scores, numbers = fetch(limit)
    while len(scores) == limit < len(table) and scores[-1] == scores[k - 1]:
        limit = min(4 * limit, len(table))
        scores, numbers = fetch(limit)
    return _ordered(scores, numbers, k, table)


def best_of_an_array(scores: Floats, numbers: npt.NDArray[np.integer], k: int, table: IdTable) -> Hits:
    """The best k of documents whose scores are all known, in any order.

    >>> best_of_an_array(np.array([1.0, 2.0, 1.0]), np.array([0, 1, 2]), 2, IdTable.of(["d1", "d2", "d3"]))
    [('d2', 2.0), ('d3', 1.0)]
    """
    if len(scores) > k:
        kept = scores >= np.partition(scores, len(scores) - k)[len(scores) - k]
        scores, numbers = scores[kept], numbers[kept]
    order = np.argsort(-scores)
    return _ordered(scores[order], numbers[order], k, table)


def _ordered(scores: Floats, numbers: npt.NDArray[np.integer], k: int, table: IdTable) -> Hits:
    """What is sorted by score, with its ties in order: one number holds both which score it is and the identifier."""
    which = np.zeros(len(scores), np.int64)
    np.cumsum(scores[1:] != scores[:-1], out=which[1:])
    both = np.sort(which * len(table) + table.places[numbers])[:k]
    return Ranked(table.ids.take(both % len(table)), scores[:k])
