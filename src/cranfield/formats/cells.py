"""Small tables as text: cells between commas, between tabs, or between white space."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from cranfield.data.strings import decode
from cranfield.errors import DataError, FormatError
from cranfield.formats.chunks import iter_chunks
from cranfield.formats.files import Source

Row = tuple[int, list[str]]
"""The number of a line, and its cells."""


def iter_rows(source: Source) -> Iterator[Row]:
    """The cells of each line that is not blank, without white space around them, with the number of the line."""
    head = source.head()
    if b"\0" in head:
        raise DataError(f"{source.name}: this is not a text file")
    text = decode(b"".join(iter_chunks(source)))
    first = text.lstrip().partition("\n")[0]
    delimiter = next((mark for mark in "\t," if mark in first), None)
    if delimiter is None:
        yield from ((number, line.split()) for number, line in enumerate(text.split("\n"), 1) if line.strip())
        return
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, [cell.strip() for cell in row]
    except csv.Error as error:
        raise FormatError(f"{error}", source=source.name, line=reader.line_num) from None
