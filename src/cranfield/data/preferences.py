"""Preferences between documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.data.columns import Columns
from cranfield.data.qrels import Qrels, repetition
from cranfield.data.strings import Codes, Floats, Ints, Strings, decode, number, repeated_pairs
from cranfield.data.values import identifiers, in_row, numbers, shown
from cranfield.errors import DataError


class Preferences:
    """Which documents assessors prefer to which, query by query. Frozen and columnar.

    A *group* holds the judgments of one assessor with one need, free of contradictions; within a *subgroup* of it a
    document of a higher level is preferred to one of a lower level. Documents of different subgroups are compared
    only through documents they share. Rows are sorted by query, queries in byte order.

    >>> preferences = Preferences.from_tuples([("q1", "ann", "0", "d1", 2), ("q1", "ann", "0", "d2", 1)])
    >>> preferences
    <Preferences preferences: 2 judgments in 1 group for 1 query>
    """

    def __init__(
        self,
        query: Strings,
        group: Strings,
        subgroup: Strings,
        documents: Strings,
        level: Floats,
        *,
        name: str = "preferences",
    ) -> None:
        ids, code = number(query)
        order: Ints | None = None
        if len(code) and (code[1:] < code[:-1]).any():
            order = np.argsort(code, kind="stable")
            code, documents, level = code[order], documents.take(order), level[order]
            group, subgroup = group.take(order), subgroup.take(order)
        self.name = name
        self.query_ids: tuple[bytes, ...] = tuple(ids)
        self.query: Codes = code
        self.group = group
        self.subgroup = subgroup
        self.documents = documents
        self.level = level
        self.offset: Ints = np.searchsorted(code, np.arange(len(ids) + 1))
        self._given_order = order

    @classmethod
    def from_tuples(cls, rows: Iterable[tuple[Any, ...]], *, name: str = "preferences") -> Preferences:
        """From (query, group, subgroup, document, level) tuples."""
        table = list(rows)
        for at, row in enumerate(table):
            if len(row) != 5:
                raise DataError(
                    f"{name}, row {at + 1}: expected (query, group, subgroup, document, level), found {len(row)} values"
                )
        where = in_row(name)
        return cls(
            identifiers([row[0] for row in table], "query", where),
            identifiers([row[1] for row in table], "group", where),
            identifiers([row[2] for row in table], "subgroup", where),
            identifiers([row[3] for row in table], "document", where),
            numbers([row[4] for row in table], "level", where),
            name=name,
        ).checked()

    @classmethod
    def from_qrels(cls, qrels: Qrels) -> Preferences:
        """Every document preferred to those the same assessor (the iteration column) gave a lower grade.

        >>> preferences = Preferences.from_qrels(Qrels.from_dict({"q1": {"d1": 2, "d2": 0}}))
        >>> list(preferences.rows())
        [('q1', '0', '0', 'd1', 2), ('q1', '0', '0', 'd2', 0)]
        """
        query = Strings.from_list(qrels.query_ids).take(qrels.query)
        nought = Strings.from_list([b"0"]).take(np.zeros(len(qrels), dtype=np.int64))
        group = nought if qrels.iteration is None else qrels.iteration
        return cls(query, group, nought, qrels.documents, qrels.grade, name=qrels.name)

    @classmethod
    def from_columns(cls, columns: Columns, *, name: str = "preferences") -> Preferences:
        """From the columns of `shapes.PREFERENCES`, not yet checked."""
        ids = columns.ids
        return cls(ids["query_id"], ids["group"], ids["subgroup"], ids["doc_id"], columns.numbers["level"], name=name)

    def to_columns(self) -> Columns:
        """The columns of `shapes.PREFERENCES`."""
        query = Strings.from_list(self.query_ids).take(self.query)
        ids = {"query_id": query, "group": self.group, "subgroup": self.subgroup, "doc_id": self.documents}
        return Columns(ids, {"level": self.level})

    def checked(self, *, source: str = "", line: Codes | None = None, unit: str = "line") -> Preferences:
        """Itself, if no document stands twice in the same subgroup; see `Qrels.checked`."""
        _, group = number(self.group)
        _, subgroup = number(self.subgroup)
        apart = np.unique(np.stack([self.query, group, subgroup], axis=1), axis=0, return_inverse=True)[1]
        twice = repeated_pairs(apart.reshape(-1), self.documents, self.documents.hash64())
        if twice is None:
            return self
        at = twice[1]
        reason = (
            f"document {shown(self.documents[at])} stands twice in group {shown(self.group[at])}, subgroup "
            f"{shown(self.subgroup[at])} of query {shown(self.query_ids[self.query[at]])}"
        )
        raise repetition(reason, twice, self._given_order, source or self.name, line, unit)

    @cached_property
    def queries(self) -> tuple[str, ...]:
        return tuple(decode(query) for query in self.query_ids)

    def of_query(self, query: bytes) -> Preferences:
        """The preferences of one of the queries."""
        rows = np.flatnonzero(self.query == self.query_ids.index(query))
        return Preferences.from_columns(self.to_columns().take(rows), name=self.name)

    def __len__(self) -> int:
        return len(self.query)

    def __iter__(self) -> Iterator[str]:
        return iter(self.queries)

    def rows(self) -> Iterator[tuple[str, str, str, str, int | float]]:
        """(query, group, subgroup, document, level), query by query."""
        for query, group, subgroup, document, level in zip(
            self.query.tolist(),
            self.group.tolist(),
            self.subgroup.tolist(),
            self.documents.tolist(),
            self.level.tolist(),
            strict=True,
        ):
            value = int(level) if level.is_integer() else level
            yield self.queries[query], decode(group), decode(subgroup), decode(document), value

    def __repr__(self) -> str:
        groups = len({*zip(self.query.tolist(), self.group.tolist(), strict=True)})
        queries = len(self.query_ids)
        return (
            f"<Preferences {self.name}: {len(self)} judgments in {groups} group{'s' * (groups != 1)} "
            f"for {queries} quer{'y' if queries == 1 else 'ies'}>"
        )
