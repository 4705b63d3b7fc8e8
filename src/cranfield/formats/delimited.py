"""Tables as text: a header that names the columns, then one record per line, with a comma or tab between cells.

A piece of the file without quoted cells is split with a few array operations; from the first quoted cell on Python's
own csv reader takes over.
"""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from cranfield.data.columns import Columns
from cranfield.data.shapes import QRELS, SHAPES, Shape, folded
from cranfield.data.strings import PADDING, Codes, Strings, decode, encode
from cranfield.errors import DataError
from cranfield.formats.chunks import iter_chunks
from cranfield.formats.files import Source
from cranfield.formats.lines import OnProblem
from cranfield.formats.records import Records, parse_cells
from cranfield.formats.text_fields import number_texts, write_lines

_NEWLINE, _RETURN = 10, 13
_ROWS = 1 << 14


def header_names(head: bytes, delimiter: bytes) -> list[str] | None:
    """The names in the first line, if there is a query and a document among them.

    >>> header_names(b"qid,docno,label\\n1,d1,0\\n", b",")
    ['qid', 'docno', 'label']
    >>> header_names(b"1,d1,0\\n", b",")
    """
    first = next((line for line in head.split(b"\n") if line.strip()), b"")
    if delimiter not in first:
        return None
    try:
        names = next(csv.reader([decode(first).strip("\r")], delimiter=decode(delimiter)), [])
    except csv.Error:
        return None
    known = {folded(name) for name in names}
    both = all(known.intersection(QRELS[column].names) for column in ("query_id", "doc_id"))
    return [name.strip() for name in names] if both else None


def iter_records(source: Source, shape: Shape, on_problem: OnProblem, delimiter: bytes) -> Iterator[Records]:
    """The records below the header, in pieces of about a megabyte."""
    chunks = iter_chunks(source)
    first = next(chunks, b"")
    blank = len(first) - len(first.lstrip(b"\r\n"))
    names = header_names(first, delimiter)
    if names is None:
        shown = decode(first[blank : blank + 80].split(b"\n")[0])
        raise DataError(
            f"{source.name}: expected a header that names the columns, such as "
            f"{decode(delimiter).join(c.name for c in shape.columns if c.required)!r}, found {shown!r}"
        )
    matched = shape.match(names, source.name)
    table = _Table(names, {ours: names.index(theirs) for ours, theirs in matched.items()}, delimiter)
    header_end = (first.find(b"\n", blank) + 1) or len(first)
    line = first.count(b"\n", 0, header_end) + 1
    numeric = [column.name for column in shape.columns if column.number]
    for cells, place in _iter_cells(itertools.chain([first[header_end:]], chunks), table, line, on_problem):
        yield parse_cells(cells, matched, numeric, place, on_problem)


@dataclass(frozen=True, slots=True)
class _Table:
    names: list[str]
    wanted: dict[str, int]
    delimiter: bytes

    def miscounted(self, found: int) -> str:
        wanted = decode(self.delimiter).join(self.names)
        return f"expected {len(self.names)} cells ({wanted!r}), found {found}"

    def columns(self, rows: Sequence[Sequence[bytes]]) -> dict[str, Strings]:
        return {name: Strings.from_list([row[at] for row in rows]) for name, at in self.wanted.items()}


def _iter_cells(
    chunks: Iterator[bytes], table: _Table, line: int, on_problem: OnProblem
) -> Iterator[tuple[dict[str, Strings], Codes]]:
    quoted = re.compile(rb'(?:^|[\n%b])"' % re.escape(table.delimiter))
    for chunk in chunks:
        if quoted.search(chunk):
            yield from _quoted(itertools.chain([chunk], chunks), table, line, on_problem)
            return
        yield _regular(chunk, table, line) or _irregular(chunk, table, line, on_problem)
        line += chunk.count(b"\n")


def _regular(chunk: bytes, table: _Table, line: int) -> tuple[dict[str, Strings], Codes] | None:
    """For a piece in which every line has all its cells and none is blank."""
    chunk = chunk if chunk.endswith(b"\n") else chunk + b"\n"
    text = np.frombuffer(chunk + PADDING, dtype=np.uint8)
    content = text[: len(chunk)]
    ends = np.flatnonzero((content == ord(table.delimiter)) | (content == _NEWLINE))
    rows, over = divmod(len(ends), len(table.names))
    if over:
        return None
    by_row = ends.reshape(rows, len(table.names))
    if np.count_nonzero(content == _NEWLINE) != rows or not (content[by_row[:, -1]] == _NEWLINE).all():
        return None
    begins = np.concatenate(([0], by_row[:-1, -1] + 1))
    cells = {}
    for name, at in table.wanted.items():
        begin = begins if at == 0 else by_row[:, at - 1] + 1
        end = by_row[:, at]
        if at == len(table.names) - 1:
            end = end - ((end > begin) & (content[end - 1] == _RETURN))
        cells[name] = Strings(text, begin, end - begin)
    return cells, np.arange(line, line + rows, dtype=np.int32)


def _irregular(chunk: bytes, table: _Table, line: int, on_problem: OnProblem) -> tuple[dict[str, Strings], Codes]:
    """For a piece with blank lines, or with lines that have too few cells or too many."""
    rows, place = [], []
    for at, content in enumerate(chunk.split(b"\n"), line):
        row = content.removesuffix(b"\r").split(table.delimiter)
        if len(row) == len(table.names):
            rows.append(row)
            place.append(at)
        elif content.strip():
            on_problem("fields", at, table.miscounted(len(row)))
    return table.columns(rows), np.array(place, dtype=np.int32)


def _quoted(
    chunks: Iterable[bytes], table: _Table, line: int, on_problem: OnProblem
) -> Iterator[tuple[dict[str, Strings], Codes]]:
    """For anything: quoted cells may hold the delimiter and even line ends."""
    lines = (decode(content) for chunk in chunks for content in _split_lines(chunk))
    reader = csv.reader(lines, delimiter=decode(table.delimiter), strict=True)
    rows: list[list[bytes]] = []
    place: list[int] = []
    while True:
        at = line + reader.line_num
        try:
            row = next(reader, None)
        except csv.Error as error:
            on_problem("fields", line + max(reader.line_num - 1, 0), f"{error}. Nothing below it could be read.")
            row = None
        if row is not None and len(row) == len(table.names):
            rows.append([encode(cell) for cell in row])
            place.append(at)
        elif row and any(row):
            on_problem("fields", at, table.miscounted(len(row)))
        if rows and (row is None or len(rows) == _ROWS):
            yield table.columns(rows), np.array(place, dtype=np.int32)
            rows, place = [], []
        if row is None:
            return


def _split_lines(chunk: bytes) -> list[bytes]:
    """The lines with their ends; a carriage return alone ends none."""
    return [content + b"\n" for content in chunk.removesuffix(b"\n").split(b"\n")]


def write(columns: Columns, kind: str, out: BinaryIO, delimiter: bytes, names: Sequence[str] = ()) -> None:
    """Write a header and a line per record; `names` replaces our names of the columns."""
    held = [c for c in SHAPES[kind].columns if c.name in columns.ids or c.name in columns.numbers]
    out.write(delimiter.join(encode(name) for name in names or [c.name for c in held]) + b"\n")
    special = re.compile(rb'["\s%b]' % re.escape(delimiter))
    fields: list[Strings | list[bytes]] = []
    for column in held:
        if column.number:
            fields.append(number_texts(columns.numbers[column.name], whole=column.name == "relevance"))
            continue
        cells = columns.ids[column.name].compact()
        if special.search(cells.data[: int(cells.length.sum())].tobytes()) or (cells.length == 0).any():
            fields.append([_quote(text) if special.search(text) else text for text in cells.tolist()])
        else:
            fields.append(cells)
    write_lines(fields, out, delimiter)


def _quote(text: bytes) -> bytes:
    return b'"%b"' % text.replace(b'"', b'""')
