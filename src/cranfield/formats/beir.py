"""BEIR judgments: tab-separated, under the header `query-id corpus-id score`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from cranfield.data.columns import Columns
from cranfield.data.qrels import Qrels
from cranfield.data.shapes import Shape
from cranfield.formats import delimited
from cranfield.formats.files import Source
from cranfield.formats.lines import OnProblem
from cranfield.formats.records import Records, reader

NAME = "beir"
DESCRIPTION = "BEIR: tab-separated with the header query-id corpus-id score"
HOLDS: frozenset[str] = frozenset()
HEADER = ["query-id", "corpus-id", "score"]


def recognise(head: bytes) -> bool:
    """Exactly that header."""
    return delimited.header_names(head, b"\t") == HEADER


def iter_records(source: Source, shape: Shape, on_problem: OnProblem) -> Iterator[Records]:
    """The file in pieces of about a megabyte."""
    return delimited.iter_records(source, shape, on_problem, b"\t")


read_qrels = reader("qrels", iter_records)


def write_qrels(qrels: Qrels, out: BinaryIO) -> None:
    """Write query by query."""
    qrels.refuse_judged_twice("BEIR cannot hold that, trec, json, jsonl, csv and parquet can")
    columns = qrels.to_columns()
    ids = {name: columns.ids[name] for name in ("query_id", "doc_id")}
    plain = Columns(ids, {"relevance": qrels.grade})
    delimited.write(plain, "qrels", out, b"\t", HEADER)
