"""Orders of judging: which document of a topic comes next, given what has been said of those before it.

`material.py` has what an order is made of; `fixed.py` (known from the start), `move_to_front.py`, `bandits.py` and
`active_learning.py` have an idea each, `hand_picked.py` puts documents of one's own before any of them, and `named.py`
has all of them by name.

What an order asks for depends on its material and on what it was told, in which order, and on nothing else: told the
same again, it asks for the same again. So nothing has to be kept of it but the judgments.
"""

from __future__ import annotations

from typing import Protocol


class JudgingOrder(Protocol):
    """The order of one topic's documents, which are known by their numbers, from 0.

    A document that is skipped tells nothing about others, so that `next(n)` is what would be asked for, one by one, if
    all of these were skipped.
    """

    def next(self, count: int = 1) -> list[int]:
        """Numbers of documents that were not told yet, those to judge first at the beginning; [] at the end."""

    def tell(self, document: int, grade: float | None) -> None:
        """What was said of a document; None if it was skipped or nobody was sure. It is not asked for again."""
