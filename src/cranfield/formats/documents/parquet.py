"""Parquet tables with a column for the identifier; the others are the fields, and a missing value is no field.

Rows are read about a megabyte at a time from one row group after the other.
"""

from __future__ import annotations

import datetime
import decimal
import math
from collections.abc import Iterator
from typing import Any

from cranfield.data.documents import Document
from cranfield.errors import FormatError, MissingExtraError
from cranfield.formats.documents.copies import in_any_order
from cranfield.formats.documents.identifiers import as_id, checked_header, id_name, lacks_id
from cranfield.formats.documents.pieces import Piece
from cranfield.formats.files import Source

NAME = "parquet"
DESCRIPTION = "parquet: a column named like an identifier, and others"
SUFFIXES = (".parquet", ".pq")
BINARY = True

_MAGIC = b"PAR1"
_PIECE = 1 << 20


def recognise(head: bytes) -> bool:
    """The four bytes a Parquet file begins with."""
    return head.startswith(_MAGIC)


def iter_pieces(source: Source) -> Iterator[Piece]:
    """The rows in order."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtraError("Parquet", "parquet") from None
    with in_any_order(source) as content:
        try:
            with parquet.ParquetFile(content) as file:
                yield from _iter_rows(file, source.name)
        except (pyarrow.ArrowException, OSError, ValueError, IndexError) as error:
            reason = str(error).split("\n")[0][:200].rstrip(".")
            raise FormatError(
                f"this Parquet file is damaged or cut short ({reason}). Fetch it again.", source=source.name
            ) from None


def _iter_rows(file: Any, source: str) -> Iterator[Piece]:
    names = checked_header(file.schema_arrow.names, source, None)
    key = id_name(names)
    if key is None:
        raise FormatError(lacks_id(names), source=source)
    groups = [file.metadata.row_group(at) for at in range(file.num_row_groups)]
    widest = max((group.total_byte_size // max(group.num_rows, 1) for group in groups), default=0)
    row = 1
    for batch in file.iter_batches(batch_size=max(1, min(8192, _PIECE // max(widest, 1)))):
        piece = Piece(source, [], range(row, row + len(batch)), "row")
        for at, record in enumerate(batch.to_pylist()):
            try:
                value = record.pop(key)
                name = as_id("" if value is None else _plain(value), key)
                fields = {field: _plain(value) for field, value in record.items() if not _is_missing(value)}
            except ValueError as error:
                raise piece.error(at, str(error)) from None
            piece.documents.append(Document(name, fields))
        yield piece
        row += len(batch)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _plain(value: Any) -> Any:
    """A value as JSON would have it."""
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise ValueError("a field holds bytes that are not UTF-8 text. Leave it out, or put in a URL.") from None
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (decimal.Decimal, datetime.timedelta)):
        return str(value)
    if isinstance(value, dict):
        return {str(name): _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, (list, tuple)) else value
