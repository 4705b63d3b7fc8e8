"""Columns from Python values: identifiers and numbers that were checked on the way in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.data.strings import PADDING, Floats, Ints, Strings, decode, encode
from cranfield.errors import DataError

if TYPE_CHECKING:
    import numpy.typing as npt

Where = Callable[[int], str]
"""Says where a value comes from, given its place in the list."""


WHOLE = -1
"""The place that stands for the whole column."""


def in_row(name: str) -> Where:
    """The usual answer: the name of the table and the number of the row, counted from 1."""
    return lambda place: name if place == WHOLE else f"{name}, row {place + 1}"


def identifiers(values: Sequence[Any], what: str, where: Where) -> Strings:
    """Identifiers given as text, bytes or whole numbers.

    >>> identifiers(["d1", 7], "document", in_row("run")).tolist()
    [b'd1', b'7']
    >>> identifiers(["d1", 2.0], "document", in_row("run"))
    Traceback (most recent call last):
        ...
    cranfield.errors.DataError: run, row 2: document 2.0 is neither text nor a whole number
    """
    try:
        text = "".join(values)
        data = encode(text)
    except (TypeError, UnicodeEncodeError):
        return Strings.from_list([_as_bytes(value, what, where, at) for at, value in enumerate(values)])
    lengths = map(len, values) if len(data) == len(text) else (len(encode(value)) for value in values)
    length = np.fromiter(lengths, dtype=np.int64, count=len(values))
    return Strings(np.frombuffer(data + PADDING, dtype=np.uint8), np.cumsum(length) - length, length)


def whole_numbers(values: npt.NDArray[np.integer]) -> Strings:
    """Whole numbers as identifiers: their decimal text.

    >>> whole_numbers(np.array([7, -12])).tolist()
    [b'7', b'-12']
    """
    text = values.astype("S")
    width = text.dtype.itemsize
    length: Ints = np.strings.str_len(text).astype(np.int64)
    data = np.frombuffer(text.tobytes() + PADDING, dtype=np.uint8)
    return Strings(data, np.arange(len(text), dtype=np.int64) * width, length)


def numbers(values: Sequence[Any], what: str, where: Where) -> Floats:
    """Finite numbers; anything else is an error that says where it stands.

    >>> numbers([1, 0.5], "score", in_row("run")).tolist()
    [1.0, 0.5]
    >>> numbers([1, float("nan")], "score", in_row("run"))
    Traceback (most recent call last):
        ...
    cranfield.errors.DataError: run, row 2: score nan is not a finite number
    """
    try:
        column = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        column = np.zeros(0)
    if column.shape != (len(values),):
        column = np.array([_as_float(value, what, where, at) for at, value in enumerate(values)], dtype=np.float64)
    wrong = np.flatnonzero(~np.isfinite(column))
    if len(wrong):
        at = int(wrong[0])
        raise DataError(f"{where(at)}: {what} {values[at]!r} is not a finite number")
    return column


def nested(outer: Mapping[Any, Mapping[Any, Any]], what: str, name: str) -> tuple[Strings, Strings, Floats]:
    """The three columns of `{query: {document: number}}`.

    >>> query, document, grade = nested({"q1": {"d1": 1, "d2": 0}}, "grade", "qrels")
    >>> query.tolist(), document.tolist(), grade.tolist()
    ([b'q1', b'q1'], [b'd1', b'd2'], [1.0, 0.0])
    """
    queries = list(outer)
    for query, inner in outer.items():
        if not isinstance(inner, Mapping):
            raise DataError(
                f"{name}, query {query!r}: expected {{document: {what}}}, found {type(inner).__name__} {inner!r:.40}"
            )
    size = [len(inner) for inner in outer.values()]
    rows = np.repeat(np.arange(len(queries)), size)
    documents = list(chain.from_iterable(outer.values()))

    def where(row: int) -> str:
        return f"{name}, query {queries[int(rows[row])]!r}, document {documents[row]!r}"

    values = list(chain.from_iterable(inner.values() for inner in outer.values()))
    return (
        identifiers(queries, "query", lambda _: name).take(rows),
        identifiers(documents, "document", lambda row: f"{name}, query {queries[int(rows[row])]!r}"),
        numbers(values, what, where),
    )


def shown(identifier: bytes) -> str:
    """An identifier as messages show it: quoted, and cut if it is very long."""
    text = decode(identifier)
    return repr(text) if len(text) <= 80 else repr(text[:77]) + "..."


def _as_bytes(value: Any, what: str, where: Where, at: int) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        try:
            return encode(value)
        except UnicodeEncodeError:
            raise DataError(f"{where(at)}: {what} {value!r} holds half of a surrogate pair") from None
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return b"%d" % int(value)
    raise DataError(f"{where(at)}: {what} {value!r} is neither text nor a whole number")


def _as_float(value: Any, what: str, where: Where, at: int) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise DataError(f"{where(at)}: {what} {value!r} is not a number") from None
    except OverflowError:
        raise DataError(f"{where(at)}: {what} {value!r:.20}... is too large") from None
