"""Documents that somebody picked come first; after them another order goes on, which has heard of them."""

from __future__ import annotations

from collections.abc import Iterable

from cranfield.pooling.orders import JudgingOrder
from cranfield.pooling.orders.fixed import FixedOrder


class HandPicked:
    """
    >>> order = HandPicked([3, 1], FixedOrder(range(4)))
    >>> order.next(3)
    [3, 1, 0]
    >>> order.tell(3, 2)
    >>> order.next(3)
    [1, 0, 2]
    """

    def __init__(self, picked: Iterable[int], order: JudgingOrder) -> None:
        self._picked, self._order = FixedOrder(picked), order

    def next(self, count: int = 1) -> list[int]:
        """What was picked, and what the other order names beside it."""
        picked = self._picked.next(count)
        if len(picked) == count:
            return picked
        others = (document for document in self._order.next(count + len(picked)) if document not in picked)
        return [*picked, *others][:count]

    def tell(self, document: int, grade: float | None) -> None:
        """Both hear it."""
        self._picked.tell(document, grade)
        self._order.tell(document, grade)
