"""Tab-separated tables with a header that names the columns, in any order; further columns are ignored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from cranfield.data.columns import Columns
from cranfield.data.shapes import Shape
from cranfield.formats import delimited
from cranfield.formats.files import Source
from cranfield.formats.lines import OnProblem
from cranfield.formats.records import Records, reader

NAME = "tsv"
DESCRIPTION = "tsv: tab-separated, with a header such as query_id doc_id relevance"
SUFFIXES = (".tsv",)
HOLDS = frozenset({"iteration", "stratum", "method", "probability", "score"})


def recognise(head: bytes) -> bool:
    """A first line that names a query and a document column."""
    return delimited.header_names(head, b"\t") is not None


def iter_records(source: Source, shape: Shape, on_problem: OnProblem) -> Iterator[Records]:
    """The file in pieces of about a megabyte."""
    return delimited.iter_records(source, shape, on_problem, b"\t")


read_qrels = reader("qrels", iter_records)
read_run = reader("run", iter_records)
read_preferences = reader("preferences", iter_records)


def write(columns: Columns, kind: str, out: BinaryIO) -> None:
    """Write under our names of the columns; cells are quoted where they must be."""
    delimited.write(columns, kind, out, b"\t")
