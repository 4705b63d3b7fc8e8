"""What the order of one topic's documents is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.strings import Ints, Strings, Words, encode
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.lots import lots


class TopicTexts(NamedTuple):
    """What documents and a topic say: how much each term weighs in each, as sparse rows."""

    documents: Any
    """By number."""
    query: Any
    """The topic itself."""


@dataclass(frozen=True, eq=False)
class Material:
    """The documents of one topic, what runs say about them and what they say themselves.

    >>> from cranfield import Run
    >>> runs = [Run.from_dict({"q": {"a": 2, "b": 1}}), Run.from_dict({"q": {"b": 2, "c": 1}})]
    >>> Material.among(Candidates.of(runs), b"q", ["x", "c", "b"]).lists  # a is not asked about, and x nowhere returned
    [[2], [2, 1]]
    """

    topic: bytes
    documents: Strings
    """By number."""
    candidates: Candidates
    """Those of the documents that some run returned, for this topic alone."""
    number: Ints
    """Of each candidate, as a document."""
    seed: int = 0
    level: float = 1.0
    """The least grade that is relevant."""
    texts: TopicTexts | None = None

    @classmethod
    def of(cls, candidates: Candidates, topic: bytes, **more: Any) -> Material:
        """All candidates for a topic; documents have their numbers in it."""
        alone = candidates.among({topic})
        return cls(topic, alone.documents, alone, np.arange(len(alone)), **more)

    @classmethod
    def among(cls, candidates: Candidates, topic: bytes, documents: Sequence[str], **more: Any) -> Material:
        """Some documents of a topic, whether a run returned them or not; the first has number 0."""
        names = list(map(encode, documents))
        place = {name: number for number, name in enumerate(names)}
        alone = candidates.among({topic})
        number = np.array([place.get(name, -1) for name in alone.documents.tolist()], dtype=np.int64)
        return cls(topic, Strings.from_list(names), alone.only(number >= 0), number[number >= 0], **more)

    def __len__(self) -> int:
        return len(self.documents)

    @cached_property
    def lists(self) -> list[list[int]]:
        """The documents that each run returned, best first."""
        if not self.candidates.topic_ids:
            return [[] for _ in self.candidates.runs]
        number = self.number.tolist()
        return [[number[each] for each in ranking] for ranking in self.candidates.rankings_of(0)]

    @cached_property
    def unreturned(self) -> list[int]:
        """The documents that no run returned, in the order of their numbers."""
        returned = np.zeros(len(self), dtype=np.bool_)
        returned[self.number] = True
        return np.flatnonzero(~returned).tolist()

    def document_lots(self, purpose: int) -> Words:
        """A random number for each document."""
        return self._lots(self.documents, purpose)

    def run_lots(self, purpose: int) -> Words:
        """A random number for each run."""
        return self._lots(Strings.from_list([encode(run) for run in self.candidates.runs]), purpose)

    def _lots(self, names: Strings, purpose: int) -> Words:
        return lots([self.topic], np.zeros(len(names), dtype=np.int32), names.hash64(), self.seed, purpose)
