"""Lines of a file that were read and are not dicts yet.

What `parse_run` and `parse_qrel` give is a dict of dicts like any other, but the inner dicts are filled when someone
looks into them. Whoever only hands them to an evaluator, as most scripts do, never pays for millions of small objects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.compat.pytrec_eval.dicts import Nested
from cranfield.data.strings import Floats, Ints, Strings, Words, decode


@dataclass(frozen=True, eq=False)
class Piece:
    """Lines of whole queries, one query behind the other, each in the order of the file."""

    heads: Ints
    """Where each query begins; the last is where all end."""
    documents: Strings
    hashes: Words
    values: Floats
    """Scores or grades."""
    grades: bool = False
    """Whether whole numbers are to be shown as such."""

    def items(self, number: int) -> zip[tuple[str, float]]:
        """The documents of a query, each with its score or grade."""
        rows = slice(int(self.heads[number]), int(self.heads[number + 1]))
        values = self.values[rows].tolist()
        if self.grades:
            values = [int(value) if value.is_integer() else value for value in values]
        return zip(texts(self.documents.take(rows)), values, strict=True)

    def only(self, numbers: Sequence[int]) -> Piece:
        """Some of the queries, in this order."""
        if len(numbers) == len(self.heads) - 1 and list(numbers) == list(range(len(numbers))):
            return self
        begins, size = self.heads[:-1][numbers], np.diff(self.heads)[numbers]
        heads = np.concatenate(([0], np.cumsum(size)))
        rows = np.arange(heads[-1]) + np.repeat(begins - heads[:-1], size)
        return Piece(heads, self.documents.take(rows), self.hashes[rows], self.values[rows], self.grades)


Place = tuple[Piece, int]
"""Where a query is held, and which it is there."""


def in_pieces(queries: Mapping[str, Place]) -> list[tuple[list[str], Piece]]:
    """Queries that are held somewhere, those of the same piece together."""
    together: dict[int, tuple[Piece, list[str], list[int]]] = {}
    for query, (piece, number) in queries.items():
        _, names, numbers = together.setdefault(id(piece), (piece, [], []))
        names.append(query)
        numbers.append(number)
    return [(names, piece.only(numbers)) for piece, names, numbers in together.values()]


def split(queries: Nested) -> tuple[dict[str, Place], Nested]:
    """Queries nobody has looked into, with where they are held, and the others, whose documents are in the dicts."""
    if Unread not in set(map(type, queries.values())):
        return {}, queries
    places: dict[str, Place] = {}
    dicts: dict[str, Mapping[str, float]] = {}
    for query, documents in queries.items():
        place = documents.held if isinstance(documents, Unread) else None
        if place is None:
            dicts[query] = documents
        else:
            places[query] = place
    return places, dicts


def texts(column: Strings) -> list[str]:
    """A column as text, fast where its strings stand close together in their buffer and are ASCII.

    >>> texts(Strings.from_list([b"d1", b"d22"]))
    ['d1', 'd22']
    """
    if not len(column):
        return []
    ends = column.start + column.length
    first = int(column.start.min())
    begins, ends = (column.start - first).tolist(), (ends - first).tolist()
    buffer = column.data[first : first + max(ends)].tobytes()
    if buffer.isascii():
        text = buffer.decode("ascii")
        return [text[begin:end] for begin, end in zip(begins, ends, strict=True)]
    return [decode(buffer[begin:end]) for begin, end in zip(begins, ends, strict=True)]


class Documents(dict[str, float]):
    """The documents of a query with their scores or grades: a dict, pickled and copied as a plain one."""

    __slots__ = ("held",)

    held: Place | None
    """Where they are, until someone looks."""

    def __reduce__(self) -> Any:
        return dict, (), None, None, iter(self.items())


class Unread(Documents):
    """The same before anyone has looked: the first look fills it, and makes it `Documents`.

    Until then it holds one entry that is no document, for code in C that asks no method: it stops there rather than
    take the dict for empty.
    """

    __slots__ = ()

    def __init__(self, piece: Piece, number: int) -> None:
        self.held = (piece, number)
        dict.__setitem__(self, _NOT_READ, 0.0)  # type: ignore[misc]


class _NotReadType:
    def __repr__(self) -> str:
        return "<documents not read yet; dict(...) reads them>"


_NOT_READ = _NotReadType()


def _read(documents: Unread) -> None:
    held = documents.held
    if held is None:  # another thread was faster
        return
    entries = list(held[0].items(held[1]))
    dict.clear(documents)
    dict.update(documents, entries)
    documents.held = None
    documents.__class__ = Documents  # type: ignore[assignment]


def _reading_first(name: str) -> Callable[..., Any]:
    method = getattr(Documents, name)

    def read_then_do(self: Unread, *arguments: Any, **named: Any) -> Any:
        for each in (self, *arguments):
            if isinstance(each, Unread):
                _read(each)
        return method(self, *arguments, **named)

    return read_then_do


_LOOKS = (
    *("__contains__", "__delitem__", "__eq__", "__getitem__", "__ior__", "__iter__", "__len__", "__ne__", "__or__"),
    *("__reduce__", "__repr__", "__reversed__", "__ror__", "__setitem__"),
    *("clear", "copy", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values"),
)
"""All that can be done with a dict."""

for _name in _LOOKS:
    setattr(Unread, _name, _reading_first(_name))
