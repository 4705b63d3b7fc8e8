"""One JSON document: `{query: {document: number}}`, or a list of objects with a key for each column.

The nested form is written where it can hold everything; judgments with iterations, strata or probabilities, and
preferences, become a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, BinaryIO

import numpy as np

from cranfield.data.columns import Columns
from cranfield.data.shapes import Shape
from cranfield.data.strings import decode, number
from cranfield.errors import DataError
from cranfield.formats.files import Source
from cranfield.formats.lines import OnProblem
from cranfield.formats.records import Records, reader

NAME = "json"
DESCRIPTION = 'json: {"query": {"document": number}}, or a list of objects'
SUFFIXES = (".json",)
UNIT = "entry"
HOLDS = frozenset({"iteration", "stratum", "method", "probability", "score"})

_NESTED = re.compile(rb'\s*\{\s*(?:"(?:[^"\\]|\\.)*"\s*:\s*\{|\})')
_LIST = re.compile(rb"\s*\[\s*[\[\]{]")
_VALUE = {"qrels": "relevance", "run": "score"}


class _Pairs(list[tuple[str, Any]]):
    """A JSON object as the pairs it is written with: a key that stands twice stays twice."""


def recognise(head: bytes) -> bool:
    """An object of objects, or a list of objects."""
    return bool(_NESTED.match(head) or _LIST.match(head))


def iter_records(source: Source, shape: Shape, on_problem: OnProblem) -> Iterator[Records]:
    """The whole document at once."""
    from cranfield.formats.json_values import brief, load_document

    document = load_document(source, object_pairs_hook=_Pairs)
    if isinstance(document, _Pairs):
        yield _nested(document, shape, source.name, on_problem)
    elif isinstance(document, list):
        yield _listed(document, shape, source.name, on_problem)
    else:
        raise DataError(f"{source.name}: expected a JSON object or list, found {brief(document)}")


read_qrels = reader("qrels", iter_records, UNIT)
read_run = reader("run", iter_records, UNIT)
read_preferences = reader("preferences", iter_records, UNIT)


def _nested(document: _Pairs, shape: Shape, source: str, on_problem: OnProblem) -> Records:
    from cranfield.formats.json_values import columns_from_values

    if shape.kind not in _VALUE:
        raise DataError(f"{source}: {shape.kind} in JSON are a list of objects, not an object of objects")
    value = _VALUE[shape.kind]
    entries: list[tuple[str, _Pairs]] = []
    place = 1
    for query, inner in document:
        if isinstance(inner, _Pairs):
            entries.append((query, inner))
        else:
            on_problem("json", place, f"query {query!r}: expected {{document: {value}}}, found {str(inner)[:40]!r}")
        place += len(inner) if isinstance(inner, _Pairs) else 1
    rows = list(chain.from_iterable(inner for _, inner in entries))
    queries = [query for query, inner in entries for _ in inner]

    def report(kind: str, row: int, reason: str) -> None:
        on_problem(kind, row + 1, f"query {queries[row]!r}, document {rows[row][0]!r}: {reason}")

    values = {"query_id": queries, "doc_id": [key for key, _ in rows], value: [number for _, number in rows]}
    names = {"query_id": "query", "doc_id": "document", value: value}
    columns, good = columns_from_values(values, names, shape, report)
    return Records(columns.take(good), (np.flatnonzero(good) + 1).astype(np.int32))


def _listed(document: list[Any], shape: Shape, source: str, on_problem: OnProblem) -> Records:
    from cranfield.formats.json_values import records_from_dicts

    dicts = [dict(record) if isinstance(record, _Pairs) else record for record in document]
    keys = {key: None for record in dicts if isinstance(record, dict) for key in record}
    if not keys:
        raise DataError(f"{source}: the list has no objects in it")
    names = shape.match(list(keys), source)
    return records_from_dicts(dicts, range(1, len(dicts) + 1), names, shape, on_problem)


def write(columns: Columns, kind: str, out: BinaryIO) -> None:
    """Write one line for each query, or for each object of the list."""
    from cranfield.formats.json_lines import iter_objects
    from cranfield.formats.json_values import dumps

    if kind in _VALUE and set(columns.ids) == {"query_id", "doc_id"} and len(columns.numbers) == 1:
        parts = _nested_parts(columns, kind)
        opening, closing = b"{\n", b"\n}\n"
    else:
        parts = map(dumps, iter_objects(columns, kind))
        opening, closing = b"[\n", b"\n]\n"
    out.write(opening)
    for at, part in enumerate(parts):
        out.write((b",\n" if at else b"") + part)
    out.write(closing)


def _nested_parts(columns: Columns, kind: str) -> Iterator[bytes]:
    from cranfield.formats.json_lines import iter_objects
    from cranfield.formats.json_values import dumps

    ids, _ = number(columns.ids["query_id"])
    of: dict[Any, dict[Any, Any]] = {decode(query): {} for query in ids}
    for record in iter_objects(columns, kind):
        of[record["query_id"]][record["doc_id"]] = record[_VALUE[kind]]
    for query, inner in of.items():
        yield dumps(query) + b": " + dumps(inner)
