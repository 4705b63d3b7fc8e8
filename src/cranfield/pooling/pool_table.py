"""Every document of a pool and of what is added to it, once, while a new pool is made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.pool import BOTH, CERTAIN_STRATUM, OUTRIGHT, SAMPLED, Pool
from cranfield.data.strings import Bools, Codes, Floats, Ints, Strings, Words, concatenate
from cranfield.pooling.candidates import Candidates, numbered_documents
from cranfield.pooling.lots import DRAWING, JUDGING, lots
from cranfield.pooling.sampling import drawn_first


@dataclass(eq=False)
class PoolTable:
    """A row for each document of a topic; columns change as documents are chosen."""

    topic_ids: list[bytes]
    topic: Codes
    documents: Strings
    hashes: Words
    old_row: Ints
    """The row of each in the old pool, -1 if it is not there."""
    added: Bools
    """Whether it was added by hand."""
    candidate_row: Ints
    """The row of each candidate."""
    there: Bools
    """Whether it is in the pool, to be judged or not."""
    chosen: Bools
    method: Codes
    round: Ints
    stratum: Codes

    @classmethod
    def of(cls, pool: Pool, candidates: Candidates, added: Sequence[Pool]) -> PoolTable:
        parts: list[Pool | Candidates] = [pool, *added, candidates]
        topic_ids = sorted({topic for part in parts for topic in part.topic_ids})
        code = {topic: at for at, topic in enumerate(topic_ids)}
        topic = np.concatenate(
            [np.array([code[each] for each in part.topic_ids], dtype=np.int64)[part.topic] for part in parts]
        )
        documents = concatenate([part.documents for part in parts])
        hashes = np.concatenate([part.hashes for part in parts])
        row, one_of_each = numbered_documents(topic, documents, hashes)
        total = len(one_of_each)
        of_pool, of_added, of_candidates = np.split(row, [len(pool.documents), len(row) - len(candidates)])
        table = cls(
            topic_ids,
            topic[one_of_each].astype(np.int32),
            documents.take(one_of_each),
            hashes[one_of_each],
            np.full(total, -1),
            np.zeros(total, dtype=np.bool_),
            of_candidates,
            np.zeros(total, dtype=np.bool_),
            np.zeros(total, dtype=np.bool_),
            np.full(total, OUTRIGHT, dtype=np.int32),
            np.zeros(total, dtype=np.int64),
            np.full(total, CERTAIN_STRATUM, dtype=np.int32),
        )
        table.old_row[of_pool] = np.arange(len(of_pool))
        table.added[of_added] = True
        table.there[of_pool] = True
        table.chosen[of_pool], table.method[of_pool], table.round[of_pool] = pool.chosen, pool.method, pool.round
        if pool.stratum is not None:
            table.stratum[of_pool] = pool.stratum
        return table

    def settle(self, wanted: Bools, number: int) -> None:
        """Have these judged for certain, whether they were in the pool or not."""
        fresh, drawn_before = wanted & ~self.chosen, wanted & self.chosen & (self.method == SAMPLED)
        self.method[drawn_before] = BOTH
        self.method[fresh] = OUTRIGHT
        self.stratum[fresh | drawn_before] = CERTAIN_STRATUM
        self.round[fresh] = number
        self.chosen |= fresh
        self.there |= fresh

    def draw(self, rows: Ints, stratum: Codes, drawn: Bools, number: int) -> None:
        """Bring in documents of which lots were drawn, in strata that are numbered on from those there are."""
        self.stratum[rows] = stratum + self.stratum.max(initial=0)
        self.chosen[rows] = drawn
        self.method[rows] = np.where(self._shares(rows) == 1, OUTRIGHT, SAMPLED)
        self.round[rows] = number
        self.there[rows] = True

    def draw_where_none_is_left(self, seed: int, number: int) -> None:
        """Draw one of each stratum of which nothing drawn is left."""
        rows = self._sampled()
        rows = rows[self._shares(rows) == 0]
        group = self._groups(rows)
        one_each = np.ones(int(group.max(initial=0)) + 1, dtype=np.int64)
        drawn = rows[drawn_first(group, self._lots(seed, DRAWING)[rows], one_each)]
        self.chosen[drawn] = True
        self.round[drawn] = number

    def to_pool(self, old: Pool, recipe: Mapping[str, Any], *, order: Ints | None, seed: int, sampled: bool) -> Pool:
        """What is in the pool: first what was, as it was, then what is new, in this order or in that of lots."""
        key = self._lots(seed, JUDGING) if order is None else order.astype(np.uint64)
        key = np.where(self.round < old.rounds, self.old_row.astype(np.uint64), key)
        rows = np.flatnonzero(self.there)
        rows = rows[np.lexsort((key[rows], self.round[rows], self.topic[rows]))]
        used, topic = np.unique(self.topic[rows], return_inverse=True)
        return Pool(
            tuple(self.topic_ids[each] for each in used.tolist()),
            topic.astype(np.int32),
            self.documents.take(rows).compact(),
            self.chosen[rows],
            self.method[rows],
            self.round[rows],
            self.stratum[rows] if sampled else None,
            self._chances()[rows] if sampled else None,
            (*old.recipe, recipe),
            old.collection_sha256,
            old.topics_sha256,
        )

    def _chances(self) -> Floats:
        chance, rows = np.ones(len(self.topic)), self._sampled()
        chance[rows] = self._shares(rows)
        return chance

    def _sampled(self) -> Ints:
        """The rows that are, or were not, drawn and stand for others."""
        return np.flatnonzero(self.there & (self.method == SAMPLED))

    def _shares(self, rows: Ints) -> Floats:
        """For each of the rows, what share of its stratum in its topic is chosen."""
        group = self._groups(rows)
        size, chosen = np.bincount(group), np.bincount(group, weights=self.chosen[rows])
        share: Floats = (chosen / np.maximum(size, 1))[group]
        return share

    def _groups(self, rows: Ints) -> Ints:
        """A number for each topic and stratum."""
        strata = np.int64(self.stratum.max(initial=0)) + 1
        return self.topic[rows] * strata + self.stratum[rows]

    def _lots(self, seed: int, purpose: int) -> Words:
        return lots(self.topic_ids, self.topic, self.hashes, seed, purpose)
