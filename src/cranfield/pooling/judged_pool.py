"""A pool with its judgments put in, as estimates from samples read them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.data.pool import SAMPLED, Pool
from cranfield.data.qrels import Qrels
from cranfield.data.strings import Bools, Floats, Ints, Numbered
from cranfield.data.values import shown, whole_numbers
from cranfield.errors import CoverageError, DataError

UNJUDGED = -1.0
"""The grade of a document that was not judged."""
_SAME_CHANCE = 1e-6
"""Chances that differ by less are the same, written in so many digits."""


@dataclass(frozen=True, eq=False)
class JudgedPool:
    """The grade of each document of a pool."""

    pool: Pool
    grade: Floats
    """UNJUDGED where there is none, or where it was judged without having been drawn."""
    other_grade: Floats
    """The same, with documents that were judged without having been drawn."""
    outside: int
    """How many judgments are of documents that are not in the pool."""

    @classmethod
    def of(cls, pool: Pool, qrels: Qrels) -> JudgedPool:
        """A pool and judgments. A negative grade is none."""
        qrels.refuse_judged_twice("a pool has one grade for each document: keep one assessor's, or merge them")
        code = np.array([qrels.position.get(topic, -1) for topic in pool.topic_ids], dtype=np.int32)
        if not (code >= 0).any():
            raise CoverageError(
                f"{qrels.name} has none of the {len(pool.topic_ids)} topics of the pool "
                f"({shown(pool.topic_ids[0])}, ...). Do pool and judgments belong together?"
            )
        row, judgment = qrels.table.find(code[pool.topic], pool.documents, pool.hashes)
        grade = np.full(len(pool.topic), UNJUDGED)
        grade[row] = np.where(qrels.grade[judgment] < 0, UNJUDGED, qrels.grade[judgment])
        outside = int(np.count_nonzero(qrels.grade >= 0) - np.count_nonzero(grade >= 0))
        return cls(pool, np.where(pool.chosen, grade, UNJUDGED), grade, outside)

    @property
    def judged(self) -> Bools:
        return self.grade >= 0

    @property
    def left(self) -> Ints:
        """The rows that are still to be judged."""
        return np.flatnonzero(self.pool.chosen & ~self.judged)

    def refuse_unfinished(self) -> None:
        """An error if documents are still to be judged."""
        if len(self.left):
            row = int(self.left[0])
            topic, document = self.pool.topic_ids[self.pool.topic[row]], self.pool.documents[row]
            raise DataError(
                f"{len(self.left)} of the {len(self.pool)} documents to judge have no judgment yet, the first is "
                f"{shown(document)} of topic {shown(topic)}. Judge them, or take those that are judged for the sample "
                "(--partial), which is right only if chance decided which they are."
            )

    def to_qrels(self, *, with_unjudged: bool = False) -> Qrels:
        """What is judged; with `with_unjudged` also the others, with grade -1, as infAP reads them."""
        grade = self.grade if with_unjudged else self.other_grade
        rows = np.arange(len(grade)) if with_unjudged else np.flatnonzero(grade >= 0)
        return Qrels(self._topics(rows), self.pool.documents.take(rows), grade[rows], name="pool")

    def to_strata(self) -> Qrels:
        """Every document with its stratum, as xinfAP, infNDCG and statAP read them."""
        rows = np.arange(len(self.grade))
        stratum = whole_numbers(self._stratum)
        return Qrels(self._topics(rows), self.pool.documents, self.grade, stratum=stratum, name="pool")

    def to_prels(self) -> Qrels:
        """The judged documents with the chance they had of being judged, as statAP reads them."""
        rows = np.flatnonzero(self.judged)
        share = self._shares()[rows]
        method = whole_numbers(np.where(share < 1, SAMPLED, self.pool.method[rows]))
        return Qrels(
            self._topics(rows),
            self.pool.documents.take(rows),
            self.grade[rows],
            method=method,
            probability=share,
            name="pool",
        )

    def notes(self) -> tuple[str, ...]:
        """What should be said about them."""
        undrawn = int(np.count_nonzero((self.other_grade >= 0) & ~self.pool.chosen))
        said = (
            (len(self.left), "of the documents to judge have no judgment yet"),
            (undrawn, "judgments are of documents that were not drawn; estimates leave them out"),
            (self.outside, "judgments are of documents that are not in the pool; they are left out"),
        )
        return tuple(f"{number} {what}" for number, what in said if number)

    def notes_on_strata(self) -> tuple[str, ...]:
        """What should be said about estimates from strata or prels. Without strata each topic is one."""
        group = self._groups()
        empty = int(np.count_nonzero(np.bincount(group, weights=self.judged)[np.unique(group)] == 0))
        what = "topics" if self.pool.stratum is None else "strata"
        without = f"{empty} {what} have no judged document: estimates take them for ones without relevant documents"
        return (without,) if empty else ()

    def notes_on_infap(self) -> tuple[str, ...]:
        """What should be said about infAP, which takes all documents of a topic to have had the same chance."""
        if self.pool.probability is None:
            return ()
        begin = self.pool.offset[:-1]
        least, most = (each.reduceat(self.pool.probability, begin) for each in (np.minimum, np.maximum))
        uneven = int(np.count_nonzero(most - least > _SAME_CHANCE))
        return (
            (
                f"documents of {uneven} topics had different chances of being judged: infAP takes them for equal, and "
                "would be wrong. Write --to strata, and measure xinfAP.",
            )
            if uneven
            else ()
        )

    @property
    def _stratum(self) -> Ints:
        stratum = np.zeros(len(self.grade), dtype=np.int64)
        return stratum if self.pool.stratum is None else self.pool.stratum.astype(np.int64)

    def _groups(self) -> Ints:
        stratum = self._stratum
        group: Ints = self.pool.topic * (stratum.max(initial=0) + 1) + stratum
        return group

    def _shares(self) -> Floats:
        """For each document, what share of its stratum is judged: its chance, if all that was drawn is judged."""
        group = self._groups()
        share: Floats = (np.bincount(group, weights=self.judged) / np.maximum(np.bincount(group), 1))[group]
        return share

    def _topics(self, rows: Ints) -> Numbered:
        return Numbered(list(self.pool.topic_ids), self.pool.topic[rows])
