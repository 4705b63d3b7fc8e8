"""Topics in a table with commas between the cells, and a header that names the columns, one of them the identifier."""

from __future__ import annotations

import csv
import io
from typing import BinaryIO

from cranfield.data.strings import decode, encode
from cranfield.data.topics import Topics
from cranfield.errors import DataError, FormatError
from cranfield.formats.documents.encodings import decoded
from cranfield.formats.files import Source
from cranfield.formats.topics import Found
from cranfield.formats.topics.field_names import ID_NAMES, refuse_identifiers
from cranfield.formats.topics.tab_separated import header, of_row

NAME = "csv"
DESCRIPTION = "csv: comma-separated, with a header such as id,title,description"
SUFFIXES = (".csv",)


def recognise(head: bytes) -> bool:
    """A first line that names an identifier and something else."""
    first = decode(next((line for line in head.split(b"\n") if line.strip()), b""))
    try:
        cells = next(csv.reader([first]), [])
    except csv.Error:
        return False
    return len(cells) > 1 and header(cells)


def iter_topics(source: Source) -> Found:
    """The topics row by row; a quoted cell may hold commas and line ends."""
    lines = (decoded(line, source.name, number) for number, line in enumerate(source.stream, 1))
    rows = csv.reader(lines, strict=True)
    names: list[str] | None = None
    while True:
        line = rows.line_num + 1
        try:
            cells = next(rows, None)
        except csv.Error as error:
            raise FormatError(f"{error}", source=source.name, line=line) from None
        if cells is None:
            return
        if not any(cell.strip() for cell in cells):
            continue
        if names is not None:
            yield line, of_row(names, cells, source.name, line)
        elif header(cells):
            names = [cell.strip() for cell in cells]
        else:
            reason = f"expected a header with the identifier ({', '.join(ID_NAMES)}), found {', '.join(cells)[:60]!r}"
            raise FormatError(reason, source=source.name, line=line)


def write(topics: Topics, out: BinaryIO) -> None:
    """A row for each topic and a column for each field that any of them has."""
    names = topics.field_names
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["id", *names])
    for topic in topics.values():
        refuse_identifiers(topic)
        for name, value in topic.fields.items():
            if not isinstance(value, str):
                raise DataError(f"topic {topic.id} has a {name} that is no text. Write jsonl or toml instead.")
        rows.writerow([topic.id, *(topic.fields.get(name, "") for name in names)])
    out.write(encode(text.getvalue()))
