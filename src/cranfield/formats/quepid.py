"""Quepid's ratings: a CSV with the header `query,docid,rating`.

A query without ratings stands alone on its line, and a document without one has an empty cell. Cells that a spreadsheet
would take for formulas have a space before them (`formula_cells`).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.shapes import Shape
from cranfield.data.strings import decode, encode
from cranfield.errors import FormatError
from cranfield.formats.files import Source
from cranfield.formats.formula_cells import escaped, unescaped
from cranfield.formats.given_labels import GivenLabel, finite_number, label_records
from cranfield.formats.lines import OnProblem
from cranfield.formats.records import Records, reader
from cranfield.formats.text_fields import number_texts

NAME = "quepid"
DESCRIPTION = "quepid: comma-separated ratings of Quepid, with the header query,docid,rating"
HOLDS = frozenset[str]()
HEADER = ("query", "docid", "rating")
_SPECIAL = re.compile(r'[",\s]')


def recognise(head: bytes) -> bool:
    """Quepid's header, and no other column."""
    return header_cells(head) == list(HEADER)


def header_cells(head: bytes) -> list[str]:
    """The cells of the first line."""
    first = next((line for line in head.split(b"\n") if line.strip()), b"")
    try:
        return next(csv.reader([decode(first).strip("\r")], strict=True), [])
    except csv.Error:
        return []


def iter_labels(source: Source, on_problem: OnProblem) -> Iterator[GivenLabel]:
    """The ratings, of nobody in particular."""
    rows = iter_rows(source, on_problem)
    line, header = next(rows, (1, []))
    if header != list(HEADER):
        raise FormatError(
            f"expected the header {','.join(HEADER)}, found {_shown(header)}", source=source.name, line=line
        )
    for line, row in rows:
        if len(row) == 1 or (len(row) <= len(HEADER) and not any(row[1:])):
            continue
        if len(row) != len(HEADER):
            on_problem("fields", line, f"expected {len(HEADER)} cells ({','.join(HEADER)}), found {len(row)}")
            continue
        query, document, rating = row
        if not query or not document:
            on_problem("missing", line, f"{'docid' if query else 'query'} is missing")
        elif rating.strip():
            grade = grade_of(rating, "rating", line, on_problem)
            if grade is not None:
                yield GivenLabel(line, unescaped(query), unescaped(document), "", grade)


def iter_rows(source: Source, on_problem: OnProblem) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that is not empty, and the line it begins at: quoted cells may hold line ends."""
    lines = (decode(line) for batch in iter(source.readlines, []) for line in batch)
    table = csv.reader(lines, strict=True)
    while True:
        line = table.line_num + 1
        try:
            row = next(table)
        except StopIteration:
            return
        except csv.Error as error:
            on_problem("fields", line, f"this is no CSV: {error}. Nothing below it could be read.")
            return
        if any(row):
            yield line, row


def grade_of(cell: str, name: str, line: int, on_problem: OnProblem) -> float | None:
    """The number in a cell; if there is none, that is a problem."""
    grade = finite_number(cell.strip())
    if grade is None:
        on_problem("number", line, f"{name} {_shown([cell])} is not a finite number")
    return grade


def iter_records(source: Source, shape: Shape, on_problem: OnProblem) -> Iterator[Records]:
    """The ratings as judgments."""
    return label_records(iter_labels(source, on_problem), assessors=False)


read_qrels = reader("qrels", iter_records)


def write_qrels(qrels: Qrels, out: BinaryIO) -> None:
    """Write judgments, the query's name for its words."""
    qrels.refuse_judged_twice("Quepid has one rating for each: write quepid-book, which has a column for each assessor")
    rows = ((query, document, grade) for query, _, document, grade in qrels.rows())
    for line in iter_lines(rows):
        out.write(line)


def iter_lines(rows: Iterable[tuple[str, str, float]]) -> Iterator[bytes]:
    """The lines of a file of ratings: query, document and grade.

    >>> list(iter_lines([("soup, hot", "-d1", 2)]))
    [b'query,docid,rating\\n', b'"soup, hot"," -d1",2\\n']
    """
    yield csv_line(HEADER)
    for query, document, grade in rows:
        yield csv_line([escaped(query), escaped(document), number_text(grade)])


def number_text(grade: float) -> str:
    """A grade in the shortest form that reads back as the same."""
    return number_texts(np.array([grade], dtype=np.float64), whole=True)[0].decode()


def csv_line(cells: Sequence[str]) -> bytes:
    """A line of CSV; cells are quoted where they must be."""
    return encode(",".join(_quoted(cell) if _SPECIAL.search(cell) else cell for cell in cells) + "\n")


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def _shown(cells: Sequence[str]) -> str:
    return repr(",".join(cells)[:80])
