"""A book of Quepid: a CSV with query, docid, and a column for each assessor, empty where one gave no rating.

Quepid has also had files with several ratings of one assessor in a cell (`1|2`): which of them counts it does not say,
and so they are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO

from cranfield.data.qrels import Qrels
from cranfield.data.shapes import QRELS, Shape, folded
from cranfield.errors import DataError, FormatError
from cranfield.formats.files import Source
from cranfield.formats.formula_cells import escaped, unescaped
from cranfield.formats.given_labels import GivenLabel, label_records
from cranfield.formats.lines import OnProblem
from cranfield.formats.quepid import csv_line, grade_of, header_cells, iter_rows, number_text
from cranfield.formats.records import Records, reader

NAME = "quepid-book"
DESCRIPTION = "quepid-book: comma-separated, query,docid and a column of ratings for each assessor"
HOLDS = frozenset({"iteration"})
BEGIN = ("query", "docid")
_KNOWN = frozenset(name for column in QRELS.columns for name in column.names)
"""What columns of judgments are called: no assessor's column may have such a name, or it would be taken for one."""


def recognise(head: bytes) -> bool:
    """Quepid's first two columns, and then none that has a meaning elsewhere."""
    cells = header_cells(head)
    return tuple(cells[:2]) == BEGIN and len(cells) > 2 and not _KNOWN.intersection(map(folded, cells[2:]))


def iter_labels(source: Source, on_problem: OnProblem) -> Iterator[GivenLabel]:
    """The ratings, row by row and in each by assessor."""
    rows = iter_rows(source, on_problem)
    line, header = next(rows, (1, []))
    if tuple(header[:2]) != BEGIN or len(header) < 3:
        found = repr(",".join(header)[:80])
        reason = f"expected the header {','.join(BEGIN)} and a column for each assessor, found {found}"
        raise FormatError(reason, source=source.name, line=line)
    assessors = [unescaped(cell) for cell in header[2:]]
    _check_names(assessors, source.name, line)
    for line, row in rows:
        if len(row) <= len(header) and not any(row[1:]):
            continue
        if len(row) != len(header):
            on_problem("fields", line, f"expected {len(header)} cells, as the header has, found {len(row)}")
            continue
        if not row[0] or not row[1]:
            on_problem("missing", line, f"{BEGIN[1] if row[0] else BEGIN[0]} is missing")
            continue
        query, document = unescaped(row[0]), unescaped(row[1])
        for assessor, cell in zip(assessors, row[2:], strict=True):
            if "|" in cell:
                reason = f"the cell of {assessor!r:.60} holds several ratings, {cell!r:.60}; keep one of them, or none"
                on_problem("number", line, reason)
            elif cell.strip():
                grade = grade_of(cell, f"the rating of {assessor[:60]!r}", line, on_problem)
                if grade is not None:
                    yield GivenLabel(line, query, document, assessor, grade)


def _check_names(assessors: Sequence[str], source: str, line: int) -> None:
    if "" in assessors:
        reason = f"column {assessors.index('') + 3} has no name; expected that of an assessor"
        raise FormatError(reason, source=source, line=line)
    twice = next((name for name in assessors if assessors.count(name) > 1), None)
    if twice is not None:
        reason = f"there are two columns named {twice!r:.60}: whose are they? Rename one of them."
        raise FormatError(reason, source=source, line=line)


def iter_records(source: Source, shape: Shape, on_problem: OnProblem) -> Iterator[Records]:
    """The ratings as judgments, with the assessor for an iteration."""
    return label_records(iter_labels(source, on_problem), assessors=True)


read_qrels = reader("qrels", iter_records)


def write_qrels(qrels: Qrels, out: BinaryIO) -> None:
    """Write judgments with the assessor in the second column."""
    book: dict[tuple[str, str], dict[str, float]] = {}
    for query, assessor, document, grade in qrels.rows():
        book.setdefault((query, document), {})[assessor] = grade
    assessors = sorted({assessor for grades in book.values() for assessor in grades})
    for line in iter_lines(assessors, ((*place, grades) for place, grades in book.items())):
        out.write(line)


def iter_lines(assessors: Sequence[str], rows: Iterable[tuple[str, str, Mapping[str, float]]]) -> Iterator[bytes]:
    """The lines of a book: query, document, and the grades by assessor.

    >>> list(iter_lines(["ann", "bob"], [("soup", "d1", {"bob": 2})]))
    [b'query,docid,ann,bob\\n', b'soup,d1,,2\\n']
    """
    taken = next((name for name in assessors if folded(name) in _KNOWN), None)
    if taken is not None:
        raise DataError(f"an assessor is called {taken!r}, like a column of judgments: write qrels_jg instead")
    yield csv_line([*BEGIN, *map(escaped, assessors)])
    for query, document, grades in rows:
        cells = (number_text(grades[name]) if name in grades else "" for name in assessors)
        yield csv_line([escaped(query), escaped(document), *cells])
