"""Relevance judgments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.data.columns import Columns
from cranfield.data.judgments import JudgmentTable
from cranfield.data.sampling import CERTAIN_METHODS, Strata, impossible_chance, impossible_chances
from cranfield.data.strings import (
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
from cranfield.errors import DataError, FormatError


class Qrels:
    """Which documents were judged for which query, and how relevant they are. Frozen and columnar.

    Rows are grouped by query, queries in byte order. `iteration` is the second column of a TREC file: a subtopic
    or an assessor where the file has them, otherwise ignored. Judgments of a sample may have `stratum`, the part of
    the pool a document belongs to (one that was not judged has a negative grade), or `probability`, the chance each
    document had of being judged, and `method`, how it was chosen.

    >>> qrels = Qrels.from_dict({"q1": {"d1": 2, "d2": 0}, "q2": {"d9": 1}})
    >>> qrels.queries, len(qrels)
    (('q1', 'q2'), 3)
    >>> qrels["q1"]
    {'d1': 2, 'd2': 0}
    """

    def __init__(
        self,
        query: Strings | Numbered,
        documents: Strings,
        grade: Floats,
        iteration: Strings | None = None,
        *,
        stratum: Strings | None = None,
        method: Strings | None = None,
        probability: Floats | None = None,
        name: str = "qrels",
    ) -> None:
        ids, code = number(query)
        order: Ints | None = None
        if len(code) and (code[1:] < code[:-1]).any():
            order = np.argsort(code, kind="stable")
            code, documents, grade = code[order], documents.take(order), grade[order]
            iteration = iteration.take(order) if iteration is not None else None
            stratum = stratum.take(order) if stratum is not None else None
            method = method.take(order) if method is not None else None
            probability = probability[order] if probability is not None else None
        self.name = name
        self.query_ids: tuple[bytes, ...] = tuple(ids)
        self.query: Codes = code
        self.documents = documents
        self.grade = grade
        self.iteration = iteration
        self.stratum = stratum
        self.method = method
        self.probability = probability
        self.offset: Ints = np.searchsorted(code, np.arange(len(ids) + 1))
        self._given_order = order
        self._counts: dict[tuple[float, float], Ints] = {}

    @classmethod
    def from_tuples(cls, rows: Iterable[tuple[Any, ...]], *, name: str = "qrels") -> Qrels:
        """From (query, document, grade) or (query, iteration, document, grade) tuples.

        >>> Qrels.from_tuples([("q1", "d1", 1), ("q1", "d2", 0)])["q1"]
        {'d1': 1, 'd2': 0}
        """
        table = list(rows)
        width = {len(row) for row in table}
        if table and width not in ({3}, {4}):
            raise DataError(
                f"{name}: expected rows (query, document, grade) or (query, iteration, document, grade), "
                f"found rows of {', '.join(map(str, sorted(width)))} values"
            )
        where = in_row(name)
        return cls(
            identifiers([row[0] for row in table], "query", where),
            identifiers([row[-2] for row in table], "document", where),
            numbers([row[-1] for row in table], "grade", where),
            identifiers([row[1] for row in table], "iteration", where) if width == {4} else None,
            name=name,
        ).checked()

    @classmethod
    def from_dict(cls, judgments: Mapping[Any, Mapping[Any, Any]], *, name: str = "qrels") -> Qrels:
        """From `{query: {document: grade}}`."""
        return cls(*nested(judgments, "grade", name), name=name).checked()

    @classmethod
    def from_columns(cls, columns: Columns, *, name: str = "qrels") -> Qrels:
        """From the columns of `shapes.QRELS`, not yet checked."""
        ids, values = columns.ids, columns.numbers
        return cls(
            ids["query_id"],
            ids["doc_id"],
            values["relevance"],
            ids.get("iteration"),
            stratum=ids.get("stratum"),
            method=ids.get("method"),
            probability=values.get("probability"),
            name=name,
        )

    @classmethod
    def from_frame(cls, frame: Any, *, name: str = "qrels") -> Qrels:
        """From a pandas, polars or pyarrow table; `shapes.QRELS` has the names its columns may have."""
        from cranfield.data.frames import read_frame
        from cranfield.data.shapes import QRELS

        return cls.from_columns(read_frame(frame, QRELS, name), name=name).checked(unit="row")

    def to_columns(self) -> Columns:
        """The columns of `shapes.QRELS`; an iteration that is the same everywhere says nothing and is left out."""
        ids = {"query_id": self._query_strings, "doc_id": self.documents}
        values = {"relevance": self.grade}
        if self.iteration is not None and len(self.iteration_ids) > 1:
            ids["iteration"] = self.iteration
        if self.stratum is not None:
            ids["stratum"] = self.stratum
        if self.method is not None:
            ids["method"] = self.method
        if self.probability is not None:
            values["probability"] = self.probability
        return Columns(ids, values)

    def checked(self, *, source: str = "", line: Codes | None = None, unit: str = "line") -> Qrels:
        """Itself, if no document is judged twice by the same assessor (or for the same subtopic), and no probability is
        impossible.

        `line` gives the line of each row as it was handed in, for the message; `unit` says what is counted.
        """
        if self.probability is not None:
            self._refuse_impossible(self.probability, source or self.name, line, unit)
        group = self.query.astype(np.int64) * len(self.iteration_ids) + self.iteration_code
        twice = repeated_pairs(group, self.documents, self.hashes)
        if twice is None:
            return self
        first, second = twice
        reason = (
            f"document {shown(self.documents[second])} is judged twice for query "
            f"{shown(self.query_ids[self.query[second]])}: grades {self.grade[first]:g} and "
            f"{self.grade[second]:g}"
        )
        raise repetition(reason, (first, second), self._given_order, source or self.name, line, unit)

    def _refuse_impossible(self, probability: Floats, source: str, line: Codes | None, unit: str) -> None:
        rows = np.flatnonzero(impossible_chances(probability))
        if len(rows):
            given = rows if self._given_order is None else self._given_order[rows]
            first = int(given.argmin())
            place = int(given[first]) + 1 if line is None else int(line[given[first]])
            raise located(impossible_chance(probability[rows[first]]), place, source, unit)

    @cached_property
    def queries(self) -> tuple[str, ...]:
        return tuple(decode(query) for query in self.query_ids)

    @cached_property
    def hashes(self) -> Words:
        """The hash of each document identifier."""
        return self.documents.hash64()

    @cached_property
    def table(self) -> JudgmentTable:
        """Built once, shared by every run evaluated against these judgments."""
        return JudgmentTable(self.query, self.documents, self.hashes)

    @cached_property
    def position(self) -> dict[bytes, int]:
        return {query: index for index, query in enumerate(self.query_ids)}

    @cached_property
    def iteration_ids(self) -> list[bytes]:
        return self._iterations[0]

    @cached_property
    def iteration_code(self) -> Codes:
        return self._iterations[1]

    @cached_property
    def _iterations(self) -> tuple[list[bytes], Codes]:
        if self.iteration is None:
            return [b"0"], np.zeros(len(self), dtype=np.int32)
        return number(self.iteration)

    @cached_property
    def strata(self) -> Strata:
        """The strata of the pool; all documents of a query are one if nothing is said of strata."""
        code = number(self.stratum).code if self.stratum is not None else np.zeros(len(self), dtype=np.int32)
        return Strata.of(self.query, code, self.grade)

    @cached_property
    def inclusion(self) -> Floats:
        """For each judgment, the chance its document had of being judged.

        It is the probability where that is given, and 1 where `method` says that the document was not left to chance;
        otherwise the share of its stratum that was judged.
        """
        if self.probability is None:
            return self.strata.chance
        if self.method is None:
            return self.probability
        methods, which = number(self.method)
        certain = np.array([method in CERTAIN_METHODS for method in methods], dtype=np.bool_)
        return np.where(certain[which], 1.0, self.probability)

    @cached_property
    def is_sample(self) -> bool:
        """Whether the judgments say that some of the pool was not judged, for it was left to chance."""
        sampled = self.stratum is not None or self.probability is not None
        return sampled and bool((self.inclusion < 1).any())

    @cached_property
    def judged_twice(self) -> tuple[str, str] | None:
        """A (query, document) with more than one judgment: several assessors or subtopics; None if there is none."""
        if self.iteration is None or len(self.iteration_ids) == 1:
            return None
        twice = repeated_pairs(self.query, self.documents, self.hashes)
        if twice is None:
            return None
        return decode(self.query_ids[self.query[twice[1]]]), decode(self.documents[twice[1]])

    def refuse_judged_twice(self, what: str) -> None:
        """An error if a document is judged more than once, which not everything can hold or use."""
        if self.judged_twice is not None:
            query, document = self.judged_twice
            raise DataError(
                f"document {document!r} of query {query!r} is judged more than once, by several assessors or for "
                f"several subtopics: {what}."
            )

    def of_iteration(self, iteration: bytes) -> Qrels:
        """The judgments of one assessor, or for one subtopic."""
        rows = np.flatnonzero(self.iteration_code == self.iteration_ids.index(iteration))
        return self._choose(rows, self._query_strings.take(rows))

    def only(self, queries: Iterable[bytes]) -> Qrels:
        """The judgments for some of the queries."""
        chosen = sorted({self.position[query] for query in queries if query in self.position})
        size = np.diff(self.offset)[chosen]
        code = np.repeat(np.arange(len(chosen), dtype=np.int32), size)
        rows = np.arange(len(code)) + (self.offset[chosen] - (np.cumsum(size) - size))[code]
        return self._choose(rows, Numbered([self.query_ids[place] for place in chosen], code))

    def with_grades(self, grade: Floats) -> Qrels:
        """The same judgments with other grades, row by row.

        >>> Qrels.from_dict({"q1": {"d1": -1, "d2": 2}}).with_grades(np.array([0.0, 2.0]))["q1"]
        {'d1': 0, 'd2': 2}
        """
        changed = copy(self)
        changed.grade = grade
        changed._counts = {}
        for known in ("best_first", "strata", "inclusion", "is_sample"):
            changed.__dict__.pop(known, None)
        return changed

    def _choose(self, rows: Ints, query: Strings | Numbered) -> Qrels:
        return Qrels(
            query,
            self.documents.take(rows),
            self.grade[rows],
            self.iteration.take(rows) if self.iteration is not None else None,
            stratum=self.stratum.take(rows) if self.stratum is not None else None,
            method=self.method.take(rows) if self.method is not None else None,
            probability=self.probability[rows] if self.probability is not None else None,
            name=self.name,
        )

    @cached_property
    def best_first(self) -> Ints:
        """The rows sorted by query and then by grade, highest first: the ideal ranking of each query."""
        return np.lexsort((-self.grade, self.query))

    def count(self, low: float, below: float = np.inf) -> Ints:
        """For each query, how many judgments have a grade of at least `low` and below `below`."""
        key = (low, below)
        if key not in self._counts:
            chosen = (self.grade >= low) & (self.grade < below)
            self._counts[key] = np.bincount(self.query[chosen], minlength=len(self.query_ids))
        return self._counts[key]

    @property
    def _query_strings(self) -> Strings:
        return Strings.from_list(self.query_ids).take(self.query)

    def __len__(self) -> int:
        return len(self.query)

    def __getitem__(self, query: str) -> dict[str, int | float]:
        index = self.position[encode(query)]
        rows = slice(int(self.offset[index]), int(self.offset[index + 1]))
        grades = self.grade[rows].tolist()
        return {
            decode(document): int(grade) if grade.is_integer() else grade
            for document, grade in zip(self.documents.take(rows).tolist(), grades, strict=True)
        }

    def __iter__(self) -> Iterator[str]:
        return iter(self.queries)

    def to_dict(self) -> dict[str, dict[str, int | float]]:
        """`{query: {document: grade}}`."""
        return {query: self[query] for query in self.queries}

    def rows(self) -> Iterator[tuple[str, str, str, int | float]]:
        """(query, iteration, document, grade), query by query."""
        iteration = [decode(i) for i in self.iteration_ids]
        for query, code, document, grade in zip(
            self.query.tolist(),
            self.iteration_code.tolist(),
            self.documents.tolist(),
            self.grade.tolist(),
            strict=True,
        ):
            value = int(grade) if grade.is_integer() else grade
            yield self.queries[query], iteration[code], decode(document), value

    def __repr__(self) -> str:
        return f"<Qrels {self.name}: {len(self)} judgments for {len(self.query_ids)} queries>"


def repetition(
    reason: str,
    rows: tuple[int, int],
    order: Ints | None,
    source: str,
    line: Codes | None,
    unit: str = "line",
) -> FormatError:
    """The error for two records about the same document; says at which lines they stand, where that is known."""
    if line is None and unit == "line":
        return FormatError(f"{reason}. Keep one of them.", source=source)
    given = [row if order is None else int(order[row]) for row in rows]
    first, second = sorted(row + 1 if line is None else int(line[row]) for row in given)
    return located(f"{reason} (first at {unit} {first}). Keep one of them.", second, source, unit)


def located(reason: str, place: int, source: str, unit: str) -> FormatError:
    """The error for what stands at a place: a line of a file, or a row or entry of something else."""
    if unit == "line":
        return FormatError(reason, source=source, line=place)
    return FormatError(f"{unit} {place}: {reason}", source=source)
