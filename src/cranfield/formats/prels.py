"""Judgments of a sample (prels): `query document grade method inclusion-probability`.

The Million Query and Web tracks published these: the last column is the chance that the document had of being judged,
the one before it says which method chose it.
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
from cranfield.formats.text_fields import number_texts, refuse_white_space, write_lines

NAME = "prels"
DESCRIPTION = "prels: query document grade method inclusion-probability"
HOLDS = frozenset({"method", "probability"})


def _check_all_but_the_probability(fields: list[bytes]) -> str | None:
    if parse_number(fields[2]) is None:
        return f"grade {shown(fields[2])} is not a number"
    if not fields[3].isdigit():
        return f"method {shown(fields[3])} is not the number of a method (preferences, -R prefs, have five fields too)"
    return None


def _check(fields: list[bytes]) -> str | None:
    probability = parse_number(fields[4])
    impossible = probability is None or not 0 < probability <= 1
    return _check_all_but_the_probability(fields) or (
        f"inclusion probability {shown(fields[4])} is not a number above 0 and at most 1" if impossible else None
    )


LAYOUT = Layout(("query", "document", "grade", "method", "inclusion-probability"), _check)


def recognise(head: bytes) -> bool:
    """Five fields: the second, the document, seldom repeats, the third and fourth are numbers.

    Whether the last is a chance is left to the reader, so that one that cannot be is not taken for something else.
    """
    lines = [tuple(fields[:2]) for _, fields in iter_fields(head)]
    like_these = LAYOUT._replace(check=_check_all_but_the_probability)
    return like_these.fits(head) and 2 * len(set(lines)) > len(lines)


def iter_records(source: Source, shape: Shape, on_problem: OnProblem) -> Iterator[Records]:
    """The file in pieces of about a megabyte."""

    def wrong(columns: Columns) -> Bools:
        probability = columns.numbers["probability"]
        methods, which = number(columns.ids["method"])
        no_number = np.array([not method.isdigit() for method in methods], dtype=np.bool_)
        return no_number[which] | (probability <= 0) | (probability > 1)

    return iter_line_records(
        source,
        LAYOUT,
        on_problem,
        ids={"query_id": 0, "doc_id": 1, "method": 3},
        numbers={"relevance": 2, "probability": 4},
        wrong=wrong,
    )


read_qrels = reader("qrels", iter_records)


def write_qrels(qrels: Qrels, out: BinaryIO) -> None:
    """Write query by query. Where nothing is known of sampling everything was judged for certain: method 0, chance 1.

    Strata give the chance: the share of its stratum that was judged.
    """
    qrels.refuse_judged_twice("prels cannot hold that, trec, json, jsonl, csv and parquet can")
    columns = qrels.to_columns().ids
    probability = np.ones(len(qrels)) if qrels.probability is None else qrels.probability
    if qrels.probability is None and qrels.stratum is not None:
        probability = qrels.inclusion
        if not probability.all():
            row = int(np.flatnonzero(probability == 0)[0])
            where = f"stratum {shown(qrels.stratum[row])} of query {shown(qrels.query_ids[qrels.query[row]])}"
            raise DataError(
                f"{where} has no judged document: its documents had no chance of being judged, which prels cannot "
                f"hold. Leave them out."
            )
    same = Strings.from_list([b"0" if qrels.stratum is None else b"1"]).take(qrels.query * 0)
    method = same if qrels.method is None else qrels.method
    ids = {"query": columns["query_id"], "document": qrels.documents, "method": method}
    refuse_white_space(ids, "prels")
    grade = number_texts(qrels.grade, whole=True)
    write_lines([ids["query"], qrels.documents, grade, method, number_texts(probability, whole=True)], out)
