"""What a search system returned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.data.columns import Columns
from cranfield.data.qrels import repetition
from cranfield.data.strings import (
    Bools,
    Codes,
    Floats,
    Ints,
    Numbered,
    Strings,
    Words,
    decode,
    encode,
    number,
    repeated_pairs,
)
from cranfield.data.values import identifiers, in_row, nested, numbers, shown
from cranfield.errors import DataError

if TYPE_CHECKING:
    import numpy.typing as npt


class Run:
    """The documents a system returned for each query, best first. Frozen and columnar.

    Rows are grouped by query, queries in byte order; within a query by score, highest first, documents with the
    same score by identifier, last first (as trec_eval does).

    >>> run = Run.from_dict({"q1": {"d1": 0.5, "d2": 0.9, "d3": 0.5}})
    >>> run["q1"]
    {'d2': 0.9, 'd3': 0.5, 'd1': 0.5}
    """

    def __init__(
        self,
        query: Strings | Numbered,
        documents: Strings,
        score: Floats,
        *,
        name: str = "run",
        tag: str | None = None,
        rank: Floats | None = None,
    ) -> None:
        ids, code = number(query)
        order = ranking_order(code, score, documents)
        if order is not None:
            code, score, documents = code[order], score[order], documents.take(order)
            rank = None if rank is None else rank[order]
        self.name = name
        self.tag = name if tag is None else tag
        self.query_ids: tuple[bytes, ...] = tuple(ids)
        self.query: Codes = code
        self.documents = documents
        self.score = score
        self.offset: Ints = np.searchsorted(code, np.arange(len(ids) + 1))
        self.given_rank = rank
        """The rank that each row came with, which decides nothing here; None if it is not known."""
        self._given_order = order

    @classmethod
    def from_tuples(cls, rows: Iterable[tuple[Any, ...]], *, name: str = "run", tag: str | None = None) -> Run:
        """From (query, document, score) tuples.

        >>> Run.from_tuples([("q1", "d1", 0.5), ("q1", "d2", 0.9)])["q1"]
        {'d2': 0.9, 'd1': 0.5}
        """
        table = list(rows)
        for at, row in enumerate(table):
            if len(row) != 3:
                raise DataError(f"{name}, row {at + 1}: expected (query, document, score), found {len(row)} values")
        where = in_row(name)
        return cls(
            identifiers([row[0] for row in table], "query", where),
            identifiers([row[1] for row in table], "document", where),
            numbers([row[2] for row in table], "score", where),
            name=name,
            tag=tag,
        ).checked()

    @classmethod
    def from_dict(cls, results: Mapping[Any, Mapping[Any, Any]], *, name: str = "run", tag: str | None = None) -> Run:
        """From `{query: {document: score}}`."""
        return cls(*nested(results, "score", name), name=name, tag=tag).checked()

    @classmethod
    def from_columns(cls, columns: Columns, *, name: str = "run", tag: str | None = None) -> Run:
        """From the columns of `shapes.RUN`, not yet checked. Without scores the ranks decide: the score is -rank."""
        ids, values = columns.ids, columns.numbers
        score = values["score"] if "score" in values else -values["rank"]
        if tag is None and "tag" in ids and len(ids["tag"]):
            tag = decode(ids["tag"][len(ids["tag"]) - 1])
        return cls(ids["query_id"], ids["doc_id"], score, name=name, tag=tag, rank=values.get("rank"))

    @classmethod
    def from_frame(cls, frame: Any, *, name: str = "run", tag: str | None = None) -> Run:
        """From a pandas, polars or pyarrow table; `shapes.RUN` has the names its columns may have."""
        from cranfield.data.frames import read_frame
        from cranfield.data.shapes import RUN

        return cls.from_columns(read_frame(frame, RUN, name), name=name, tag=tag).checked(unit="row")

    def to_columns(self) -> Columns:
        """The columns of `shapes.RUN` but for rank and tag, best document first."""
        query = Strings.from_list(self.query_ids).take(self.query)
        return Columns({"query_id": query, "doc_id": self.documents}, {"score": self.score})

    def checked(self, *, source: str = "", line: Codes | None = None, unit: str = "line") -> Run:
        """Itself, if no document is returned twice for a query.

        `line` gives the line of each row as it was handed in, for the message; `unit` says what is counted.
        """
        twice = repeated_pairs(self.query, self.documents, self.hashes)
        if twice is None:
            return self
        reason = (
            f"document {shown(self.documents[twice[1]])} is returned twice for query "
            f"{shown(self.query_ids[self.query[twice[1]]])}"
        )
        raise repetition(reason, twice, self._given_order, source or self.name, line, unit)

    @cached_property
    def hashes(self) -> Words:
        """The hash of each document identifier."""
        return self.documents.hash64()

    @cached_property
    def queries(self) -> tuple[str, ...]:
        return tuple(decode(query) for query in self.query_ids)

    @property
    def queries_as_given(self) -> list[str]:
        """The queries in the order in which they were handed in, not in byte order.

        >>> Run.from_dict({"9": {"d1": 1}, "10": {"d1": 1}}).queries_as_given
        ['9', '10']
        """
        there = np.flatnonzero(np.diff(self.offset))
        if not len(there):
            return []
        first = np.minimum.reduceat(self.given_place, self.offset[there])
        return [self.queries[place] for place in there[np.argsort(first)].tolist()]

    @cached_property
    def position(self) -> dict[bytes, int]:
        return {query: index for index, query in enumerate(self.query_ids)}

    def of_query(self, query: bytes) -> Run:
        """The documents of one of the queries.

        >>> Run.from_dict({"q1": {"d1": 0.5}, "q2": {"d2": 0.9}}).of_query(b"q2").to_dict()
        {'q2': {'d2': 0.9}}
        """
        index = self.position[query]
        rows = slice(int(self.offset[index]), int(self.offset[index + 1]))
        alone = Numbered([query], np.zeros(rows.stop - rows.start, dtype=np.int32))
        rank = None if self.given_rank is None else self.given_rank[rows]
        run = Run(alone, self.documents.take(rows), self.score[rows], name=self.name, tag=self.tag, rank=rank)
        run._given_order = np.argsort(np.argsort(self.given_place[rows]))
        return run

    def first(self, depth: int) -> Run:
        """The first documents of each query, so many at most.

        >>> Run.from_dict({"q1": {"d1": 0.5, "d2": 0.9}}).first(1).to_dict()
        {'q1': {'d2': 0.9}}
        """
        rows = np.flatnonzero(self.rank <= depth)
        rank = None if self.given_rank is None else self.given_rank[rows]
        query = Numbered(list(self.query_ids), self.query[rows])
        run = Run(query, self.documents.take(rows), self.score[rows], name=self.name, tag=self.tag, rank=rank)
        run._given_order = np.argsort(np.argsort(self.given_place[rows]))
        return run

    def __len__(self) -> int:
        return len(self.query)

    def __getitem__(self, query: str) -> dict[str, float]:
        index = self.position[encode(query)]
        rows = slice(int(self.offset[index]), int(self.offset[index + 1]))
        return {
            decode(document): score
            for document, score in zip(self.documents.take(rows).tolist(), self.score[rows].tolist(), strict=True)
        }

    def __iter__(self) -> Iterator[str]:
        return iter(self.queries)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """`{query: {document: score}}`, best document first."""
        return {query: self[query] for query in self.queries}

    @property
    def rank(self) -> Ints:
        """The place of each row among the documents of its query, counted from 1."""
        return np.arange(len(self)) - self.offset[self.query] + 1

    @property
    def given_place(self) -> Ints:
        """The place of each row among all rows as they were handed in, counted from 0."""
        return np.arange(len(self)) if self._given_order is None else self._given_order

    def rows(self) -> Iterator[tuple[str, str, int, float]]:
        """(query, document, rank, score), best document first."""
        for query, document, place, score in zip(
            self.query.tolist(), self.documents.tolist(), self.rank.tolist(), self.score.tolist(), strict=True
        ):
            yield self.queries[query], decode(document), place, score

    def __repr__(self) -> str:
        return f"<Run {self.name}: {len(self)} documents for {len(self.query_ids)} queries>"


def ranking_order(code: Codes, score: Floats, documents: Strings) -> Ints | None:
    """The rows sorted by query, score (highest first) and document (last first), or None if they are already."""
    if len(code) < 2:
        return None
    order = _by_query_and_score(code, score)
    tied = ties_with_next(code, score) if order is None else ties_with_next(code[order], score[order])
    if not tied.any():
        return order
    places = tie_places(tied)
    rows = places if order is None else order[places]
    moved = rows[order_in_ties(tied, places, documents.take(rows))]
    if np.array_equal(moved, rows):
        return order
    order = np.arange(len(code)) if order is None else order
    order[places] = moved
    return order


def _by_query_and_score(code: Codes, score: Floats) -> Ints | None:
    """The rows sorted by query and score (highest first), or None if they are already."""
    if _ranked(code, score):
        return None
    if not ((code[1:] == code[:-1]) & (score[1:] > score[:-1])).any():
        # In most files each query is in order and only the queries are not: to move these is quicker than to sort rows.
        order = np.argsort(code, kind="stable")
        if _ranked(code[order], score[order]):
            return order
    return np.lexsort((-score, code))


def _ranked(code: Codes, score: Floats) -> bool:
    """Whether each row may stand above the next: of an earlier query, or of the same and not worse."""
    return bool(((code[1:] > code[:-1]) | ((code[1:] == code[:-1]) & (score[1:] <= score[:-1]))).all())


def as_single(score: Floats) -> npt.NDArray[np.float32]:
    """Scores as 32-bit floats; what is too large becomes infinite."""
    with np.errstate(over="ignore"):
        return score.astype(np.float32)


def ties_with_next(code: Codes, score: npt.NDArray[np.floating]) -> Bools:
    """For rows in ranking order, whether a row and the next one are tied: the same query and the same score."""
    tied: Bools = (code[1:] == code[:-1]) & (score[1:] == score[:-1])
    return tied


def tie_places(tied: Bools) -> Ints:
    """The places that are tied with a neighbour; `tied[i]` says that places i and i+1 are."""
    member = np.zeros(len(tied) + 1, dtype=np.bool_)
    member[:-1] |= tied
    member[1:] |= tied
    return np.flatnonzero(member)


def order_in_ties(tied: Bools, places: Ints, documents: Strings, *, ascending: bool = False) -> Ints:
    """How to arrange the documents that stand at these places so that each tie is in order."""
    begins = np.ones(len(places), dtype=np.bool_)
    begins[1:] = ~tied[places[1:] - 1]
    keys = documents.sort_keys()
    if not ascending:
        keys = [~key for key in keys]
    if _are_in_order(begins, keys):
        return np.arange(len(places))
    return np.lexsort([*reversed(keys), np.cumsum(begins)])


def _are_in_order(begins: Bools, keys: list[Words]) -> bool:
    """Whether no row has higher keys than the next one of its group; the first keys decide, and the next if equal."""
    undecided = ~begins[1:]
    for key in keys:
        if (undecided & (key[:-1] > key[1:])).any():
            return False
        undecided &= key[:-1] == key[1:]
    return True
