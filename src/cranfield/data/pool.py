"""Which documents are to be judged for each topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.data.sampling import impossible_chance, impossible_chances
from cranfield.data.strings import (
    Bools,
    Codes,
    Floats,
    Ints,
    Strings,
    Words,
    decode,
    encode,
    repeated_pairs,
)
from cranfield.data.values import shown
from cranfield.errors import DataError

OUTRIGHT, SAMPLED, BOTH = 0, 1, 2
"""How a document came to be judged, as in prels: not left to chance, drawn, or drawn and also wanted for certain."""

CERTAIN_STRATUM = 0
"""The stratum of documents that were never left to chance: added by hand, or wanted for certain later on."""


@dataclass(frozen=True, eq=False, repr=False)
class Pool:
    """The documents to be judged for each topic, in the order in which they are to be judged. Frozen and columnar.

    Rows are grouped by topic, topics in byte order. The pool of a sample also has the documents that were not drawn
    (`chosen` is False): they are not judged, and estimates need to know of them.

    >>> pool = Pool.from_dict({"q2": ["d9"], "q1": ["d2", "d1"]})
    >>> pool.topics, pool["q1"], len(pool)
    (('q1', 'q2'), ['d2', 'd1'], 3)
    """

    topic_ids: tuple[bytes, ...]
    topic: Codes
    """The number of each row's topic, ascending."""
    documents: Strings
    chosen: Bools
    """Whether a document is to be judged."""
    method: Codes
    """How each was, or would have been, chosen: OUTRIGHT, SAMPLED or BOTH."""
    round: Ints
    """When it was chosen, or if it was not, when it came in: 0 is the first build, n the n-th extension."""
    stratum: Codes | None = None
    """The stratum it was drawn from, numbered topic by topic as one likes; None if nothing was left to chance."""
    probability: Floats | None = None
    """The chance it had of being chosen; None if nothing was left to chance."""
    recipe: tuple[Mapping[str, Any], ...] = ()
    """How it was made, round by round: strategy, parameters, seed, and runs with name and SHA-256."""
    collection_sha256: str | None = None
    """Of the documents it is for, if that is known."""
    topics_sha256: str | None = None
    """Of the topics it is for, if that is known."""

    @classmethod
    def from_dict(cls, documents: Mapping[str, Sequence[str]]) -> Pool:
        """A pool in which everything is to be judged, from the documents of each topic in their order."""
        topics = sorted(documents, key=encode)
        size = [len(documents[topic]) for topic in topics]
        rows = sum(size)
        return cls(
            tuple(map(encode, topics)),
            np.repeat(np.arange(len(topics), dtype=np.int32), size),
            Strings.from_list([encode(document) for topic in topics for document in documents[topic]]),
            np.ones(rows, dtype=np.bool_),
            np.full(rows, OUTRIGHT, dtype=np.int32),
            np.zeros(rows, dtype=np.int64),
        ).checked()

    def checked(self, source: str = "the pool") -> Pool:
        """Itself, if no document is in it twice and no probability is impossible."""
        twice = repeated_pairs(self.topic, self.documents, self.hashes)
        if twice is not None:
            document, topic = self.documents[twice[1]], self.topic_ids[self.topic[twice[1]]]
            raise DataError(f"{source}: document {shown(document)} is there twice for topic {shown(topic)}")
        if self.probability is not None:
            wrong = np.flatnonzero(impossible_chances(self.probability))
            if len(wrong):
                row = int(wrong[0])
                where = f"document {shown(self.documents[row])} of topic {shown(self.topic_ids[self.topic[row]])}"
                raise DataError(f"{source}: {where}: {impossible_chance(self.probability[row])}")
        return self

    @cached_property
    def offset(self) -> Ints:
        """Where the rows of each topic begin, and where the last end."""
        return np.searchsorted(self.topic, np.arange(len(self.topic_ids) + 1))

    @cached_property
    def hashes(self) -> Words:
        """The hash of each document identifier."""
        return self.documents.hash64()

    @cached_property
    def topics(self) -> tuple[str, ...]:
        return tuple(map(decode, self.topic_ids))

    @cached_property
    def position(self) -> dict[bytes, int]:
        return {topic: number for number, topic in enumerate(self.topic_ids)}

    @property
    def is_sample(self) -> bool:
        """Whether some of it was left to chance."""
        return self.probability is not None

    @property
    def rounds(self) -> int:
        """How often it was built and extended."""
        return max(len(self.recipe), int(self.round.max(initial=-1)) + 1)

    def to_judge(self) -> dict[str, list[str]]:
        """The documents to be judged for each topic, in their order."""
        return {topic: self[topic] for topic in self.topics}

    def __getitem__(self, topic: str) -> list[str]:
        number = self.position[encode(topic)]
        rows = np.arange(self.offset[number], self.offset[number + 1])
        return list(map(decode, self.documents.take(rows[self.chosen[rows]]).tolist()))

    def __iter__(self) -> Iterator[str]:
        return iter(self.topics)

    def __len__(self) -> int:
        """How many documents there are to judge."""
        return int(np.count_nonzero(self.chosen))

    def __repr__(self) -> str:
        return f"<Pool: {len(self)} documents to judge for {len(self.topic_ids)} topics>"
