"""Writing lines with fields between a separator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import BinaryIO

import numpy as np

from cranfield.data.strings import Floats, Strings, number
from cranfield.data.values import shown
from cranfield.errors import DataError
from cranfield.formats.files import UTF8_BOM

_CHUNK = 1 << 16


def write_lines(fields: Sequence[Strings | Sequence[bytes]], out: BinaryIO, separator: bytes = b" ") -> None:
    """One line for each row, a field from each column."""
    for begin in range(0, len(fields[0]) if fields else 0, _CHUNK):
        rows = slice(begin, begin + _CHUNK)
        columns = [field.take(rows).tolist() if isinstance(field, Strings) else field[rows] for field in fields]
        lines = map(separator.join, zip(*columns, strict=True))
        out.write(b"\n".join(lines) + b"\n")


def number_texts(values: Floats, *, whole: bool = False) -> list[bytes]:
    """Each number in the shortest form that reads back as the same; whole ones without a point if `whole`.

    >>> number_texts(np.array([1.0, 0.1]), whole=True), number_texts(np.array([1.0]))
    ([b'1', b'0.1'], [b'1.0'])
    """
    if whole:
        exact = (values == np.floor(values)) & (np.abs(values) < 2**53)
        if exact.all():
            return [b"%d" % value for value in values.astype(np.int64).tolist()]
        pairs = zip(values.tolist(), exact.tolist(), strict=True)
        return [(b"%d" % value) if integral else repr(value).encode() for value, integral in pairs]
    return " ".join(map(repr, values.tolist())).encode().split()


def refuse_white_space(ids: Mapping[str, Strings], what: str) -> None:
    """An error if an identifier cannot stand between white space: it would read back as something else."""
    for name, column in ids.items():
        if (row := with_white_space(column)) is not None:
            raise DataError(
                f"{name} {shown(column[row])} holds white space, so it cannot be written as {what}. {INSTEAD}"
            )
    first = next(iter(ids))
    for identifier in number(ids[first])[0]:
        if identifier.startswith((b"#", UTF8_BOM)):
            raise DataError(
                f"{first} {shown(identifier)} cannot be written as {what}: the line would be read as a comment. "
                f"{INSTEAD}"
            )


INSTEAD = "Write json, jsonl, csv, tsv or parquet instead."


def with_white_space(column: Strings) -> int | None:
    """A row that holds white space or a NUL byte, if there is one.

    >>> with_white_space(Strings.from_list([b"d1", b"d 2"]))
    1
    """
    own = column.compact()
    text = own.data[: int(own.length.sum())]
    at = np.flatnonzero((text == 32) | ((text >= 9) & (text <= 13)) | (text == 0))
    return int(np.searchsorted(own.start, at[0], side="right")) - 1 if len(at) else None
