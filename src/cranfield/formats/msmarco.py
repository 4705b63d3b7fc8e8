"""MS MARCO runs: `query document rank`. There are no scores: the score is the rank taken negative."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from cranfield.data.columns import Columns
from cranfield.data.run import Run
from cranfield.data.shapes import Shape
from cranfield.data.strings import Bools
from cranfield.data.values import shown
from cranfield.formats.files import Source
from cranfield.formats.lines import Layout, OnProblem
from cranfield.formats.numbers import parse_number
from cranfield.formats.records import Records, iter_line_records, reader
from cranfield.formats.text_fields import refuse_white_space, write_lines

NAME = "msmarco"
DESCRIPTION = "MS MARCO: query document rank"
HOLDS: frozenset[str] = frozenset()


def _check(fields: list[bytes]) -> str | None:
    rank = parse_number(fields[2])
    if rank is None or rank < 0 or not rank.is_integer():
        return f"rank {shown(fields[2])} is not a whole number counted up from 0 or 1"
    return None


LAYOUT = Layout(("query", "document", "rank"), _check)


def recognise(head: bytes) -> bool:
    """Three fields, the last a whole number."""
    return LAYOUT.fits(head)


def iter_records(source: Source, shape: Shape, on_problem: OnProblem) -> Iterator[Records]:
    """The file in pieces of about a megabyte."""

    def wrong(columns: Columns) -> Bools:
        rank = columns.numbers["rank"]
        impossible: Bools = (rank < 0) | (rank != np.floor(rank))
        return impossible

    ids = {"query_id": 0, "doc_id": 1}
    return iter_line_records(source, LAYOUT, on_problem, ids=ids, numbers={"rank": 2}, wrong=wrong)


read_run = reader("run", iter_records)


def write_run(run: Run, out: BinaryIO) -> None:
    """Write in ranking order, ranks counted from 1; the scores themselves are not kept."""
    ids = run.to_columns().ids
    refuse_white_space({"query": ids["query_id"], "document": ids["doc_id"]}, "an MS MARCO run")
    rank = [b"%d" % rank for rank in run.rank.tolist()]
    write_lines([ids["query_id"], ids["doc_id"], rank], out, b"\t")
