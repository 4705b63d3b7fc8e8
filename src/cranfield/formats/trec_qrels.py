"""TREC judgments: `query iteration document grade`.

The second column is ignored unless it names subtopics or assessors (qrels_jg). Lines whose first field begins with
`#` are comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from cranfield.data.qrels import Qrels
from cranfield.data.shapes import Shape
from cranfield.data.strings import Strings, encode
from cranfield.data.values import shown
from cranfield.formats.files import Source
from cranfield.formats.lines import Layout, OnProblem
from cranfield.formats.numbers import parse_number
from cranfield.formats.records import Records, iter_line_records, reader
from cranfield.formats.text_fields import number_texts, refuse_white_space, write_lines

NAME = "trec"
DESCRIPTION = "TREC: query iteration document grade"
HOLDS = frozenset({"iteration"})


def _check(fields: list[bytes]) -> str | None:
    return f"grade {shown(fields[3])} is not a number" if parse_number(fields[3]) is None else None


LAYOUT = Layout(("query", "iteration", "document", "grade"), _check)


def recognise(head: bytes) -> bool:
    """Four fields, the last a number."""
    return LAYOUT.fits(head)


def iter_records(source: Source, shape: Shape, on_problem: OnProblem) -> Iterator[Records]:
    """The file in pieces of about a megabyte."""
    ids = {"query_id": 0, "iteration": 1, "doc_id": 2}
    return iter_line_records(source, LAYOUT, on_problem, ids=ids, numbers={"relevance": 3})


read_qrels = reader("qrels", iter_records)


def write_qrels(qrels: Qrels, out: BinaryIO, *, queries: Sequence[str] | None = None) -> None:
    """Write query by query, in an order of their own where that is given; the iteration is 0 where there is none."""
    if queries is not None:
        for query in queries:
            name = encode(query)
            if name in qrels.position:
                write_qrels(qrels.only([name]), out)
        return
    columns = qrels.to_columns().ids
    nought = Strings.from_list([b"0"]).take(qrels.query * 0)
    iteration = nought if qrels.iteration is None else qrels.iteration
    ids = {"query": columns["query_id"], "iteration": iteration, "document": qrels.documents}
    refuse_white_space(ids, "TREC qrels")
    write_lines([*ids.values(), number_texts(qrels.grade, whole=True)], out)
