"""Two runs and the judgments laid beside each other, document by document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.data.strings import Bools, Codes, Floats, Ints, Numbered, Strings, concatenate, decode
from cranfield.engines.same_documents import alike

OPEN = -1.0
"""The grade of a document that nobody judged."""


@dataclass(frozen=True, eq=False)
class SideBySide:
    """The documents that one of two runs returned, or that were judged, topic by topic.

    A document has one grade, whichever run returned it. Topics are those of the judgments.

    >>> qrels = Qrels.from_dict({"q1": {"d1": 1}})
    >>> runs = Run.from_dict({"q1": {"d1": 2, "d2": 1}}), Run.from_dict({"q1": {"d3": 3, "d2": 2}})
    >>> both = SideBySide.of(qrels, *runs)
    >>> both.documents.tolist(), both.first.tolist(), both.second.tolist(), both.grade.tolist()
    ([b'd1', b'd2', b'd3'], [1, 2, 0], [0, 2, 1], [1.0, -1.0, -1.0])
    """

    topic_ids: tuple[bytes, ...]
    topic: Codes
    """Of each document, ascending."""
    documents: Strings
    grade: Floats
    """OPEN where nobody judged the document."""
    first: Ints
    """The rank in the first run, counted from 1; 0 where it did not return the document."""
    second: Ints
    retrieved: tuple[Ints, Ints]
    """How many documents of each topic the two runs returned."""
    level: float = 1.0
    """The least grade that is relevant, unless a measure says one."""

    @classmethod
    def of(cls, qrels: Qrels, first: Run, second: Run, *, depth: int | None = None, level: float = 1.0) -> SideBySide:
        """Of runs and judgments; of each list so many documents at most."""
        known, rows = qrels.position, [_judged(qrels)]
        for run in (first, second):
            where = np.array([known.get(topic, -1) for topic in run.query_ids], dtype=np.int64)[run.query]
            rank = run.rank
            kept = np.flatnonzero((where >= 0) & (rank <= (len(run) if depth is None else depth)))
            rows.append(_Rows(where[kept], run.documents.take(kept), rank[kept], np.full(len(kept), OPEN)))
        topic = np.concatenate([one.topic for one in rows])
        documents = concatenate([one.documents for one in rows])
        one_of_each, number = alike(topic, documents, documents.hash64())
        ends = np.cumsum([len(one.topic) for one in rows])
        columns = [np.zeros(len(one_of_each), dtype=np.int64) for _ in range(2)]
        for column, one, end in zip(columns, rows[1:], ends[1:], strict=True):
            column[number[end - len(one.topic) : end]] = one.rank
        grade = np.full(len(one_of_each), OPEN)
        grade[number[: ends[0]]] = rows[0].grade
        topics = len(qrels.query_ids)
        retrieved = [np.bincount(one.topic, minlength=topics) for one in rows[1:]]
        # Within a topic in byte order, so that nothing depends on hashes.
        distinct = documents.take(one_of_each)
        ordered = np.lexsort([distinct.length, *reversed(distinct.sort_keys()), topic[one_of_each]])
        return cls(
            qrels.query_ids,
            topic[one_of_each][ordered].astype(np.int32),
            distinct.take(ordered).compact(),
            grade[ordered],
            columns[0][ordered],
            columns[1][ordered],
            (retrieved[0], retrieved[1]),
            level,
        )

    # What is there

    def __len__(self) -> int:
        """The number of topics."""
        return len(self.topic_ids)

    @cached_property
    def topics(self) -> tuple[str, ...]:
        return tuple(map(decode, self.topic_ids))

    @cached_property
    def offset(self) -> Ints:
        """Where the documents of each topic begin, and where the last end."""
        return np.searchsorted(self.topic, np.arange(len(self) + 1))

    @cached_property
    def open(self) -> Ints:
        """The rows of documents that nobody judged, which one of the runs returned."""
        return np.flatnonzero((self.grade < 0) & ((self.first > 0) | (self.second > 0)))

    @cached_property
    def open_count(self) -> Ints:
        """How many documents of each topic nobody judged."""
        return np.bincount(self.topic[self.open], minlength=len(self))

    def rank(self, side: int) -> Ints:
        """The ranks in the first (0) or the second (1) run."""
        return self.second if side else self.first

    def rankings(self, side: int) -> Rankings:
        """What measures see of a run."""
        order, rank = self._orders[side], self.rank(side)
        tied = np.zeros(len(self), dtype=np.int64)
        return Rankings(
            self._qrels, self.retrieved[side], tied, self.topic[order], rank[order], order, level=self.level
        )

    @cached_property
    def _orders(self) -> tuple[Ints, Ints]:
        """For each run the rows it returned, by topic and rank."""
        first, second = (self._ordered(self.rank(side)) for side in range(2))
        return first, second

    def _ordered(self, rank: Ints) -> Ints:
        rows = np.flatnonzero(rank)
        longest = np.int64(max(int(size.max(initial=0)) for size in self.retrieved) + 1)
        return rows[np.argsort(self.topic[rows] * longest + rank[rows], kind="stable")]

    @cached_property
    def _qrels(self) -> Qrels:
        return Qrels(Numbered(list(self.topic_ids), self.topic), self.documents, self.grade)

    # What it is made into

    @property
    def swapped(self) -> SideBySide:
        """The second run first."""
        other = replace(self, first=self.second, second=self.first, retrieved=self.retrieved[::-1])
        if "_orders" in self.__dict__:
            other.__dict__["_orders"] = self._orders[::-1]
        return other

    def with_grades(self, rows: Ints | Bools, grade: Floats | float) -> SideBySide:
        """With grades for some of the documents."""
        changed = self.grade.copy()
        changed[rows] = grade
        other = replace(self, grade=changed)
        other.__dict__["_orders"] = self._orders
        return other

    def take(self, rows: Ints | Bools) -> SideBySide:
        """Only these documents; all others keep their places in the lists, where nothing is known of them."""
        return replace(
            self,
            topic=self.topic[rows],
            documents=self.documents.take(rows),
            grade=self.grade[rows],
            first=self.first[rows],
            second=self.second[rows],
        )

    def of_topics(self, chosen: Ints | Codes) -> SideBySide:
        """Only these topics, in this order, which may have some of them more than once; they lose their names."""
        size = np.diff(self.offset)[chosen]
        topic = np.repeat(np.arange(len(chosen), dtype=np.int32), size)
        rows = np.arange(len(topic)) + (self.offset[chosen] - (np.cumsum(size) - size))[topic]
        first, second = self.retrieved
        ids = tuple(b"%09d" % number for number in range(len(chosen)))
        return replace(
            self.take(rows), topic_ids=ids, topic=topic, retrieved=(first[chosen], second[chosen]), level=self.level
        )


@dataclass(frozen=True, eq=False)
class _Rows:
    """Documents of topics, from a run or from judgments."""

    topic: Ints
    documents: Strings
    rank: Ints
    grade: Floats


def _judged(qrels: Qrels) -> _Rows:
    """What the judgments have; a document with a negative grade was not judged."""
    rows = np.flatnonzero(qrels.grade >= 0)
    none = np.zeros(len(rows), dtype=np.int64)
    return _Rows(qrels.query[rows].astype(np.int64), qrels.documents.take(rows), none, qrels.grade[rows])
