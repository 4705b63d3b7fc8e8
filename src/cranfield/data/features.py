"""Features of documents, for learning to rank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.strings import Floats, Ints, Strings, decode, encode
from cranfield.errors import DataError


class FeatureRow(NamedTuple):
    """A document for a query: its grade, and its features by number."""

    query: str
    document: str
    grade: float
    features: Mapping[int, float]


class Features:
    """What a learner sees of documents: for each query and document a grade, and numbered features.

    Columnar, with only the features that a row names: those of row i are at `offset[i]` up to `offset[i + 1]` in
    `number` and `value`. A document without a name goes by its query and its place among the rows of the query.

    >>> features = Features.from_rows([("q1", "d1", 2, {1: 0.5, 3: 1.0}), ("q1", None, 0, {2: 0.25})])
    >>> features.matrix().tolist()
    [[0.5, 0.0, 1.0], [0.0, 0.25, 0.0]]
    >>> features.qrels()["q1"]
    {'d1': 2, 'q1.2': 0}
    """

    def __init__(
        self,
        query: Strings,
        document: Strings,
        grade: Floats,
        offset: Ints,
        number: Ints,
        value: Floats,
        *,
        name: str = "features",
    ) -> None:
        self.query = query
        self.given_document = document
        """The names of the documents as given, empty where there is none."""
        self.grade = grade
        self.offset = offset
        self.number = number
        self.value = value
        self.name = name

    @classmethod
    def from_rows(
        cls, rows: Iterable[tuple[str, str | None, float, Mapping[int, float]]], *, name: str = "features"
    ) -> Features:
        """From (query, document or None, grade, {feature: value})."""
        table = list(rows)
        size = [len(row[3]) for row in table]
        return cls(
            Strings.from_list([encode(row[0]) for row in table]),
            Strings.from_list([encode(row[1] or "") for row in table]),
            np.array([row[2] for row in table], dtype=np.float64),
            np.concatenate(([0], np.cumsum(size, dtype=np.int64))),
            np.array([number for row in table for number in sorted(row[3])], dtype=np.int64),
            np.array([row[3][number] for row in table for number in sorted(row[3])], dtype=np.float64),
            name=name,
        )

    @cached_property
    def document(self) -> Strings:
        """The name of each row's document."""
        if self.given_document.length.all():
            return self.given_document
        place: dict[bytes, int] = {}
        names = []
        for query, given in zip(self.query.tolist(), self.given_document.tolist(), strict=True):
            place[query] = place.get(query, 0) + 1
            names.append(given or b"%b.%d" % (query, place[query]))
        return Strings.from_list(names)

    def matrix(self, width: int | None = None) -> Floats:
        """A row for each document, a column for each feature from 1 on; 0 where a row does not name it."""
        widest = int(self.number.max(initial=0))
        if len(self.number) and int(self.number.min()) < 1:
            raise DataError(f"{self.name}: feature {int(self.number.min())} has no column; they are counted from 1")
        if width is not None and width < widest:
            raise DataError(f"{self.name}: there is a feature {widest}, so {width} columns are too few")
        dense = np.zeros((len(self), widest if width is None else width))
        dense[np.repeat(np.arange(len(self)), np.diff(self.offset)), self.number - 1] = self.value
        return dense

    def qrels(self) -> Qrels:
        """The grades as judgments."""
        return Qrels(self.query, self.document, self.grade, name=self.name).checked()

    def rows(self) -> Iterator[FeatureRow]:
        """One by one."""
        ends = self.offset.tolist()
        ids = zip(self.query.tolist(), self.document.tolist(), self.grade.tolist(), strict=True)
        for at, (query, document, grade) in enumerate(ids):
            part = slice(ends[at], ends[at + 1])
            features = dict(zip(self.number[part].tolist(), self.value[part].tolist(), strict=True))
            yield FeatureRow(decode(query), decode(document), grade, features)

    def __len__(self) -> int:
        return len(self.grade)

    def __repr__(self) -> str:
        return f"<Features {self.name}: {len(self)} documents, features up to {int(self.number.max(initial=0))}>"
