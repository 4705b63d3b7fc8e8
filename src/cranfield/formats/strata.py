"""Judgments of a sample drawn from strata: `query iteration document stratum grade`.

This is what NIST's sample_eval reads. Every document of the pool has a line; the grade is -1 if it was not judged. The
strata of a query are numbered as one likes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from cranfield.data.columns import Columns
from cranfield.data.qrels import Qrels
from cranfield.data.shapes import Shape
from cranfield.data.strings import Bools, Strings, number
from cranfield.data.values import shown
from cranfield.errors import DataError
from cranfield.formats.files import Source
from cranfield.formats.lines import Layout, OnProblem, iter_fields
from cranfield.formats.numbers import parse_number
from cranfield.formats.records import Records, iter_line_records, reader
from cranfield.formats.text_fields import INSTEAD, number_texts, refuse_white_space, write_lines

NAME = "strata"
DESCRIPTION = "strata: query iteration document stratum grade"
HOLDS = frozenset({"iteration", "stratum"})


def _check(fields: list[bytes]) -> str | None:
    if not fields[3].isdigit():
        return (
            f"stratum {shown(fields[3])} is not the number of a stratum (preferences, -R prefs, have five fields too)"
        )
    return f"grade {shown(fields[4])} is not a number" if parse_number(fields[4]) is None else None


def _check_unmistakable(fields: list[bytes]) -> str | None:
    if fields[1] != b"0":
        return f"iteration {shown(fields[1])} is not 0. If these are strata all the same, name their format: strata"
    return _check(fields)


_NAMES = ("query", "iteration", "document", "stratum", "grade")
LAYOUT = Layout(_NAMES, _check_unmistakable)
"""What tells a file from prels and preferences; one that is known to hold strata may have any iteration."""


def recognise(head: bytes) -> bool:
    """Five fields: the second 0, where prels have the document; the fourth a number that repeats more often than the
    third, where preferences have the document. The reader refuses lines in which the second is not 0."""
    if not LAYOUT.fits(head):
        return False
    lines = [fields for _, fields in iter_fields(head) if not LAYOUT.miscounts(fields)]
    documents, strata = ({(fields[0], fields[at]) for fields in lines} for at in (2, 3))
    return 2 * sum(fields[1] == b"0" for fields in lines) > len(lines) and len(documents) >= len(strata)


def iter_records(source: Source, shape: Shape, on_problem: OnProblem) -> Iterator[Records]:
    """The file in pieces of about a megabyte."""
    layout = LAYOUT if source.recognised else Layout(_NAMES, _check)

    def wrong(columns: Columns) -> Bools:
        strata, which = number(columns.ids["stratum"])
        no_number = np.array([not stratum.isdigit() for stratum in strata], dtype=np.bool_)[which]
        iterations, which = number(columns.ids["iteration"])
        not_0 = np.array([iteration != b"0" for iteration in iterations], dtype=np.bool_)[which]
        return no_number | not_0 if source.recognised else no_number

    ids = {"query_id": 0, "iteration": 1, "doc_id": 2, "stratum": 3}
    return iter_line_records(source, layout, on_problem, ids=ids, numbers={"relevance": 4}, wrong=wrong)


read_qrels = reader("qrels", iter_records)


def write_qrels(qrels: Qrels, out: BinaryIO) -> None:
    """Write query by query; all documents of a query are in stratum 1 where nothing is said of strata."""
    same = qrels.query * 0
    ids = {
        "query": qrels.to_columns().ids["query_id"],
        "iteration": Strings.from_list([b"0"]).take(same) if qrels.iteration is None else qrels.iteration,
        "document": qrels.documents,
        "stratum": Strings.from_list([b"1"]).take(same) if qrels.stratum is None else qrels.stratum,
    }
    refuse_white_space(ids, "strata")
    for stratum in number(ids["stratum"]).ids:
        if not stratum.isdigit():
            raise DataError(f"stratum {shown(stratum)} is not a number. {INSTEAD}")
    write_lines([*ids.values(), number_texts(qrels.grade, whole=True)], out)
