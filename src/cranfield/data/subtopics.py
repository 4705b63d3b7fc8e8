"""Judgments by subtopic, and rankings that see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.diverse_ideal import Ideal, diverse_ideal
from cranfield.data.qrels import Qrels
from cranfield.data.query_sums import totals
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Codes, Floats, Ints, Strings
from cranfield.data.values import identifiers, numbers, shown
from cranfield.errors import DataError

Intents = Mapping[Any, Any]
"""How likely each subtopic of each query is meant: `{query: {subtopic: probability}}`."""


class Relevant(NamedTuple):
    """The documents that are relevant to some subtopic: a row for each document and subtopic, by document."""

    document: Ints
    subtopic: Ints
    size: Ints
    """For each subtopic, how many documents are relevant to it."""
    subtopics: Ints
    """For each query, how many of its subtopics have a relevant document. The others do not count."""
    weight: Floats
    """What each subtopic counts: 1 if all are equally likely; the mean over the subtopics of a query is always 1."""


class Subtopics:
    """Which documents are relevant to which subtopics of a query. Frozen and columnar.

    `qrels` has each judged document once, with the highest grade it has for any subtopic. `document` (a row of
    `qrels`), `subtopic` and `grade` have a row for each judgment, sorted by document. Subtopics are numbered through
    all queries, and `query` says whose each is. `probability` says how likely it is meant, relative to the others.

    >>> rows = [("q1", "bird", "d1", 1), ("q1", "film", "d1", 2), ("q1", "film", "d2", 1)]
    >>> subtopics = Subtopics(Qrels.from_tuples(rows))
    >>> subtopics.qrels["q1"], subtopics.subtopic.tolist()
    ({'d1': 2, 'd2': 1}, [0, 1, 1])
    """

    def __init__(self, judgments: Qrels, intents: Intents | None = None, *, intents_name: str = "intents") -> None:
        first = judgments.table.find(judgments.query, judgments.documents, judgments.hashes)[1]
        rows, document = np.unique(first, return_inverse=True)
        order = np.argsort(document, kind="stable")
        iterations = len(judgments.iteration_ids)
        keys, subtopic = np.unique(
            judgments.query.astype(np.int64) * iterations + judgments.iteration_code, return_inverse=True
        )
        self.document: Ints = document[order]
        self.subtopic: Ints = subtopic[order]
        self.grade: Floats = judgments.grade[order]
        self.query: Codes = (keys // iterations).astype(np.int32)
        highest = np.full(len(rows), -np.inf)
        np.maximum.at(highest, document, judgments.grade)
        query = Strings.from_list(judgments.query_ids).take(judgments.query[rows])
        self.qrels = Qrels(query, judgments.documents.take(rows), highest, name=judgments.name)
        self.probability: Floats = np.ones(len(keys))
        if intents is not None:
            names = [judgments.iteration_ids[at] for at in (keys % iterations).tolist()]
            self.probability = self._probabilities(names, intents, intents_name)
        self._relevant: dict[float, Relevant] = {}
        self._ideals: dict[tuple[float, float, int | None], Ideal] = {}

    def of_query(self, query: bytes) -> Subtopics:
        """The subtopics of one of the queries."""
        at = self.qrels.position[query]
        begin, end = self.qrels.offset[at : at + 2].tolist()
        rows = slice(*np.searchsorted(self.document, [begin, end]).tolist())
        subtopics = np.flatnonzero(self.query == at)
        alone = copy(self)
        alone.qrels = self.qrels.only([query])
        alone.document, alone.grade = self.document[rows] - begin, self.grade[rows]
        alone.subtopic = self.subtopic[rows] - subtopics[0]
        alone.query, alone.probability = np.zeros(len(subtopics), dtype=np.int32), self.probability[subtopics]
        alone._relevant, alone._ideals = {}, {}
        return alone

    def _probabilities(self, names: list[bytes], intents: Intents, source: str) -> Floats:
        """The probability of each subtopic; a relevant one that has none is an error."""
        for query, inner in intents.items():
            if not isinstance(inner, Mapping):
                found = f"{type(inner).__name__} {inner!r:.40}"
                raise DataError(f"{source}, query {query!r}: expected {{subtopic: probability}}, found {found}")
        rows = [(query, subtopic, value) for query, inner in intents.items() for subtopic, value in inner.items()]

        def where(row: int) -> str:
            return f"{source}, query {rows[row][0]!r}, subtopic {rows[row][1]!r}"

        queries = identifiers([row[0] for row in rows], "query", where).tolist()
        subtopics = identifiers([row[1] for row in rows], "subtopic", where).tolist()
        values = numbers([row[2] for row in rows], "probability", where)
        if (values <= 0).any():
            at = int(np.argmax(values <= 0))
            raise DataError(f"{where(at)}: the probability must be above 0, not {values[at]:g}")
        given = dict(zip(zip(queries, subtopics, strict=True), values.tolist(), strict=True))
        query_ids = [self.qrels.query_ids[query] for query in self.query.tolist()]
        probability = np.array([given.get(key, 0.0) for key in zip(query_ids, names, strict=True)])
        relevant = np.bincount(self.subtopic[self.grade > 0], minlength=len(names)) > 0
        lacking = np.flatnonzero(relevant & (probability == 0))
        if len(lacking):
            at = int(lacking[0])
            raise DataError(
                f"{source}: no probability for subtopic {shown(names[at])} of query {shown(query_ids[at])}, which has "
                f"relevant documents. Name all of them, or none."
            )
        return probability

    def relevant(self, rel: float) -> Relevant:
        """What is relevant if grades from `rel` up are."""
        if rel not in self._relevant:
            chosen = self.grade >= rel
            size = np.bincount(self.subtopic[chosen], minlength=len(self.query))
            counts = size > 0
            subtopics = np.bincount(self.query[counts], minlength=len(self.qrels.query_ids))
            likely = np.where(counts, self.probability, 0.0)
            whole = totals(self.query, likely, len(subtopics))[self.query]
            weight = np.divide(subtopics[self.query] * likely, whole, out=np.zeros(len(likely)), where=whole > 0)
            self._relevant[rel] = Relevant(self.document[chosen], self.subtopic[chosen], size, subtopics, weight)
        return self._relevant[rel]

    def ideal(self, rel: float, alpha: float, depth: int | None) -> Ideal:
        """The best ranking that choosing one document after the other finds, to a depth or to the end."""
        key = (rel, alpha, depth)
        if key not in self._ideals:
            r = self.relevant(rel)
            self._ideals[key] = diverse_ideal(
                self.qrels, r.document, r.subtopic, query=self.query, weight=r.weight, alpha=alpha, depth=depth
            )
        return self._ideals[key]


class Covered(NamedTuple):
    """What a ranking covers: a row for each retrieved document and subtopic it is relevant to, by query and rank."""

    query: Codes
    rank: Ints
    subtopic: Ints
    before: Ints | Floats
    """How many documents above it are relevant to the same subtopic."""
    weight: Floats
    row: Ints
    """The row of the rankings that the document has."""
    judgment: Ints
    """The row of the judgments that the document has."""


@dataclass(frozen=True, eq=False)
class SubtopicRankings:
    """The rankings of one run, joined with judgments by subtopic."""

    rankings: Rankings
    judgments: Subtopics
    _covered: dict[float, Covered] = field(default_factory=dict)

    @classmethod
    def from_subtopics(
        cls, ranks: Sequence[Any], *, unretrieved: Sequence[Any] = (), intents: Mapping[Any, Any] | None = None
    ) -> SubtopicRankings:
        """One query's ranking from the subtopics of the document at each rank, and of documents it missed.

        A document is a collection of subtopics (a text is one of its letters), a dict from subtopics to grades, or None
        if it is unjudged. Where documents are equally good, those that come first here come first in the ideal ranking.

        >>> r = SubtopicRankings.from_subtopics(["ab", None, {"a": 2}])
        >>> r.rankings.rank.tolist(), r.rankings.grade.tolist()
        ([1, 3], [1.0, 2.0])
        """
        documents = [*ranks, *unretrieved]
        rows: list[tuple[Any, ...]] = []
        for number, document in enumerate(documents):
            if document is not None:
                grades = document if isinstance(document, Mapping) else _all_of_one(document, number, len(ranks))
                name = b"%09d" % (len(documents) - number)
                rows += [("q", subtopic, name, grade) for subtopic, grade in (grades or {"": 0}).items()]
        judgments = Subtopics(Qrels.from_tuples(rows), None if intents is None else {"q": intents})
        found = np.array([rank for rank, document in enumerate(ranks, 1) if document is not None], dtype=np.int64)
        if not rows:
            judgments.qrels.query_ids, judgments.qrels.offset = (b"q",), np.zeros(2, dtype=np.int64)
        rankings = Rankings(
            judgments.qrels,
            np.array([len(ranks)]),
            np.array([0]),
            np.zeros(len(found), dtype=np.int32),
            found,
            np.arange(len(found)),
        )
        return cls(rankings, judgments)

    def condensed(self) -> SubtopicRankings:
        """Only the documents judged for some subtopic, the ranks closed up."""
        return self._condensed

    @cached_property
    def _condensed(self) -> SubtopicRankings:
        return SubtopicRankings(self.rankings.condensed(), self.judgments)

    def __len__(self) -> int:
        """The number of queries."""
        return len(self.rankings)

    @property
    def qrels(self) -> Qrels:
        """Each judged document once, with its highest grade."""
        return self.judgments.qrels

    def level(self, rel: float | None) -> float:
        """The least grade that is relevant."""
        return self.rankings.level if rel is None else rel

    def relevant(self, rel: float | None) -> Relevant:
        """What is relevant, retrieved or not."""
        return self.judgments.relevant(self.level(rel))

    def ideal(self, rel: float | None, alpha: float, depth: int | None) -> Ideal:
        """The best ranking of all judged documents; see `Subtopics.ideal`."""
        return self.judgments.ideal(self.level(rel), alpha, depth)

    def covered(self, rel: float | None) -> Covered:
        """What the ranking covers, document by document."""
        level = self.level(rel)
        if level not in self._covered:
            self._covered[level] = self._cover(self.judgments.relevant(level))
        return self._covered[level]

    def novel(self, rows: Covered, alpha: float) -> Floats:
        """For each row, what it is worth if every document above it on the same subtopic takes off a share alpha."""
        worth: Floats = np.power(1.0 - alpha, rows.before)
        return worth

    def _cover(self, relevant: Relevant) -> Covered:
        r = self.rankings
        row, subtopic = self._relevant_rows(relevant)
        weight = relevant.weight[subtopic]
        return Covered(r.query[row], r.rank[row], subtopic, self._before(row, subtopic), weight, row, r.judgment[row])

    def _relevant_rows(self, relevant: Relevant) -> tuple[Ints, Ints]:
        """The rows of the rankings, one for each subtopic a document is relevant to, and these subtopics."""
        r = self.rankings
        begin = np.searchsorted(relevant.document, np.arange(len(r.qrels) + 1))
        count = np.diff(begin)[r.judgment]
        row = np.repeat(np.arange(len(count)), count)
        within = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
        return row, relevant.subtopic[begin[r.judgment][row] + within]

    def _before(self, row: Ints, subtopic: Ints) -> Ints | Floats:
        """How many rows above each are about the same subtopic."""
        before = np.empty(len(row), dtype=np.int64)
        by_subtopic = np.argsort(subtopic, kind="stable")
        grouped = subtopic[by_subtopic]
        before[by_subtopic] = np.arange(len(row)) - np.searchsorted(grouped, grouped)
        return before

    def sum(
        self, rows: Covered, values: Floats, cutoff: int | None = None, *, name: str = "", column: str = ""
    ) -> Floats:
        """For each query, the values of some rows added up, to a rank or to the end; shown as `Rankings.sum` does."""
        if cutoff is not None:
            values = np.where(rows.rank <= cutoff, values, 0.0)
        total = totals(rows.query, values, len(self))
        if self.rankings.working is not None and name:
            self.show(column, rows, values)
            self.rankings.working.add_up(name, column, total[0])
        return total

    def show(self, column: str, rows: Covered, values: Floats) -> None:
        """Show for each document its values for all subtopics, added up."""
        if self.rankings.working is not None:
            judgment, document = np.unique(rows.judgment, return_inverse=True)
            together = np.bincount(document, weights=values, minlength=len(judgment))
            self.rankings.working.show(column, judgment.tolist(), together)

    def step(self, name: str, formula: str, value: Floats, **inputs: Any) -> Floats:
        """The value, as a step of the arithmetic; see `Rankings.step`."""
        return self.rankings.step(name, formula, value, **inputs)


def _all_of_one(document: Any, place: int, retrieved: int) -> dict[Any, int]:
    """The subtopics of a document, each with grade 1."""
    try:
        return dict.fromkeys(document, 1)
    except TypeError:
        where = f"rank {place + 1}" if place < retrieved else f"unretrieved document {place - retrieved + 1}"
        raise DataError(
            f"{where}: expected the subtopics of a document, as in 'ab' or {{'a': 2, 'b': 1}}, found {document!r:.40}"
        ) from None
