"""Tables with a header, cells between commas (or semicolons or tabs, as in the header), quoted where they must be.

An empty cell is no field.
"""

from __future__ import annotations

import csv
import itertools
import sys
from collections.abc import Iterator

from cranfield.data.documents import Document
from cranfield.data.strings import decode, encode
from cranfield.data.values import shown
from cranfield.errors import FormatError
from cranfield.formats.documents.encodings import decoded
from cranfield.formats.documents.identifiers import checked_header, id_name, lacks_id, listed
from cranfield.formats.documents.pieces import Piece
from cranfield.formats.files import Source

NAME = "csv"
DESCRIPTION = "csv: comma-separated, with a header that names an id"
SUFFIXES = (".csv",)

_MANY = 1 << 20


def recognise(head: bytes) -> bool:
    """A first line of several names between commas or semicolons, one of them an identifier's."""
    first = decode(head.lstrip().partition(b"\n")[0])
    delimiter = _delimiter(first)
    if delimiter == "\t" or delimiter not in first:
        return False
    try:
        names = next(csv.reader([first.strip()], delimiter=delimiter), [])
    except csv.Error:
        return False
    return len(names) > 1 and id_name(names) is not None


def _delimiter(header: str) -> str:
    return max(",;\t", key=header.count)


def iter_pieces(source: Source) -> Iterator[Piece]:
    """The documents of about a megabyte at a time."""
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # the usual limit is for cells, and a text can be long
    rows = _iter_rows(source)
    line, cells = next(rows, (1, []))
    names = checked_header(cells, source.name, line)
    key = id_name(names)
    if key is None:
        raise FormatError(lacks_id(names), source=source.name, line=line)
    documents, places, size = list[Document](), list[int](), 0
    for line, row in rows:
        if len(row) != len(names):
            found = f"{len(row)}, the first {shown(encode(row[0][:40]))}"
            raise FormatError(
                f"expected {len(names)} cells ({listed(names)}), found {found}", source=source.name, line=line
            )
        fields = {name: cell for name, cell in zip(names, row, strict=True) if cell}
        name = fields.pop(key, "")
        if not name.strip():
            raise FormatError(f"{key} is empty", source=source.name, line=line)
        documents.append(Document(name, fields))
        places.append(line)
        size += sum(map(len, row))
        if size > _MANY:
            yield Piece(source.name, documents, places)
            documents, places, size = [], [], 0
    yield Piece(source.name, documents, places)


def _iter_rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row that is not blank, with the number of its first line."""
    lines = _iter_lines(source)
    above, first = next(((at, line) for at, line in enumerate(lines) if line.strip()), (0, ""))
    reader = csv.reader(itertools.chain([first], lines), delimiter=_delimiter(first), strict=True)
    while True:
        line = above + 1 + reader.line_num
        try:
            row = next(reader, None)
        except csv.Error as error:
            reason = f"{error}".partition(" - ")[0]
            raise FormatError(f"{reason}; the row begins here", source=source.name, line=line) from None
        if row is None:
            return
        if any(row):
            yield line, row


def _iter_lines(source: Source) -> Iterator[str]:
    line = 1
    while lines := source.readlines():
        yield from (decoded(content, source.name, at) for at, content in enumerate(lines, line))
        line += len(lines)
