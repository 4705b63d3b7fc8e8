"""Orders that are known before anything is judged: those of the strategies that pools are built by."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cranfield.data.strings import Floats
from cranfield.pooling.lots import JUDGING
from cranfield.pooling.orders.material import Material
from cranfield.pooling.priorities import by_priority, rbp_priority, rrf_priority
from cranfield.pooling.run_share import turns


class FixedOrder:
    """Documents one after the other, whatever is said of them.

    >>> order = FixedOrder([2, 0, 1])
    >>> order.tell(0, 1)
    >>> order.next(5)
    [2, 1]
    """

    def __init__(self, documents: Iterable[int]) -> None:
        self._left = dict.fromkeys(documents)

    def next(self, count: int = 1) -> list[int]:
        """Those of the first that are left."""
        return [document for document, _ in zip(self._left, range(count), strict=False)]

    def tell(self, document: int, grade: float | None) -> None:
        """It is not asked for again."""
        self._left.pop(document, None)


def as_listed(material: Material) -> FixedOrder:
    """The documents as they were given: of a pool, in its own order."""
    return FixedOrder(range(len(material)))


def random(material: Material) -> FixedOrder:
    """In random order; a pool that is built with the same seed has the same."""
    return FixedOrder(np.argsort(material.document_lots(JUDGING), kind="stable").tolist())


def depth(material: Material) -> FixedOrder:
    """By the best rank that any run has for a document: a pool of depth 1, then of depth 2, and so on."""
    return _by_priority(material, -material.candidates.best_rank.astype(np.float64))


def reciprocal_rank(material: Material, *, k: float = 60.0) -> FixedOrder:
    """By the sum of 1 / (k + rank) over the runs."""
    return _by_priority(material, rrf_priority(material.candidates, k))


def rank_biased(material: Material, *, p: float = 0.8) -> FixedOrder:
    """By what a document weighs in the RBP of the runs."""
    return _by_priority(material, rbp_priority(material.candidates, p))


def run_share(material: Material) -> FixedOrder:
    """Runs take turns, each with its best document that is not there yet."""
    if not material.candidates.topic_ids:
        return FixedOrder(material.unreturned)
    number = material.number.tolist()
    return FixedOrder([*(number[each] for each in turns(material.candidates, 0, material.seed)), *material.unreturned])


def _by_priority(material: Material, priority: Floats) -> FixedOrder:
    """The highest first; lots decide between equals, and what no run returned comes last."""
    order = by_priority(material.candidates, priority, material.seed)
    return FixedOrder([*material.number[order].tolist(), *material.unreturned])
