"""What orders have in common that ask one run after the other for its next document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy

import numpy as np

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.pooling.orders.material import Material

NONE = -1


class Queues:
    """The lists of runs, each with the best document that was not dropped at its head.

    >>> from cranfield import Run
    >>> from cranfield.pooling.candidates import Candidates
    >>> runs = [Run.from_dict({"q": {"a": 2, "b": 1}}), Run.from_dict({"q": {"b": 2, "c": 1}})]
    >>> queues = Queues(Material.of(Candidates.of(runs), b"q"))
    >>> queues.head.tolist()
    [0, 1]
    >>> queues.drop(0)
    >>> queues.drop(1)
    >>> queues.head.tolist(), queues.waiting.tolist()
    ([-1, 2], [False, True])
    """

    def __init__(self, material: Material) -> None:
        self._lists = material.lists
        self._at = [0] * len(self._lists)
        self._candidates = material.candidates
        self._candidate = np.full(len(material), NONE)
        self._candidate[material.number] = np.arange(len(material.number))
        self.dropped = bytearray(len(material))
        self.head = np.array([documents[0] if documents else NONE for documents in self._lists], dtype=np.int64)

    @property
    def waiting(self) -> Bools:
        """Which runs have documents left."""
        waiting: Bools = self.head != NONE
        return waiting

    def runs_of(self, document: int) -> Ints:
        """The runs that returned a document."""
        candidate = int(self._candidate[document])
        if candidate == NONE:
            return np.zeros(0, dtype=np.int64)
        begin, end = self._candidates.place_offset[candidate : candidate + 2]
        return self._candidates.place_run[begin:end].astype(np.int64)

    def drop(self, document: int) -> None:
        """A document is no longer there."""
        self.dropped[document] = True
        for run in self.runs_of(document).tolist():
            if self.head[run] == document:
                documents, at = self._lists[run], self._at[run]
                while at < len(documents) and self.dropped[documents[at]]:
                    at += 1
                self._at[run] = at
                self.head[run] = documents[at] if at < len(documents) else NONE

    def copy(self) -> Queues:
        """Another one, from which documents can be dropped without changing this one."""
        other = copy(self)
        other._at, other.dropped, other.head = self._at.copy(), self.dropped.copy(), self.head.copy()
        return other


class RunAsking(ABC):
    """Asks a run for its best document of which nothing was said, and learns which run to ask.

    When all lists are at their end, documents follow that no run returned.
    """

    def __init__(self, material: Material) -> None:
        self.queues = Queues(material)
        self.told = 0
        """Of how many documents something was said."""
        self._level = material.level
        self._unreturned = material.unreturned

    def next(self, count: int = 1) -> list[int]:
        """What runs name one after the other, as if all of it were skipped."""
        queues = self.queues if count == 1 else self.queues.copy()
        found: list[int] = []
        while len(found) < count and queues.waiting.any():
            found.append(int(queues.head[self.choose(queues.waiting, self.told + len(found))]))
            if len(found) < count:
                queues.drop(found[-1])
        rest = (document for document in self._unreturned if not queues.dropped[document])
        return [*found, *(document for document, _ in zip(rest, range(count - len(found)), strict=False))]

    def tell(self, document: int, grade: float | None) -> None:
        """Learn from a judgment; from a document that was skipped nothing is learned."""
        if self.queues.dropped[document]:
            return
        if grade is not None:
            self.learn(document, relevant=grade >= self._level)
        self.queues.drop(document)
        self.told += 1

    @abstractmethod
    def choose(self, waiting: Bools, number: int) -> int:
        """The run that is asked after so many documents, of those that have some left."""

    @abstractmethod
    def learn(self, document: int, *, relevant: bool) -> None:
        """What a judgment says about runs, before the document is taken from their lists."""


def best_of(values: Floats | Ints, waiting: Bools) -> Ints:
    """Of the runs that have documents left, those with the highest value.

    >>> best_of(np.array([3, 1, 2, 2]), np.array([False, True, True, True])).tolist()
    [2, 3]
    """
    there = np.flatnonzero(waiting)
    best: Ints = there[values[there] == values[there].max()]
    return best
