"""JSON lines: one object per line, such as `{"query_id": "1", "doc_id": "d7", "relevance": 2}`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from json import JSONDecodeError
from typing import Any, BinaryIO

from cranfield.data.columns import Columns
from cranfield.data.shapes import SHAPES, Shape
from cranfield.data.strings import decode
from cranfield.formats.chunks import iter_chunks
from cranfield.formats.files import Source
from cranfield.formats.json_errors import json_reason
from cranfield.formats.lines import OnProblem
from cranfield.formats.records import Records, reader

NAME = "jsonl"
DESCRIPTION = "jsonl: one JSON object per line"
SUFFIXES = (".jsonl", ".ndjson")
HOLDS = frozenset({"iteration", "stratum", "method", "probability", "score"})

_OBJECT = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*[^{\s]')


def recognise(head: bytes) -> bool:
    """An object whose first value is not an object."""
    return _OBJECT.match(head) is not None


def key_names(head: bytes) -> list[str]:
    """The keys of the first object, as far as they can be seen."""
    first = head.lstrip().split(b"\n")[0]
    return [decode(key) for key in re.findall(rb'[{,]\s*"((?:[^"\\]|\\.)*)"\s*:', first)]


def iter_records(source: Source, shape: Shape, on_problem: OnProblem) -> Iterator[Records]:
    """The file in pieces of about a megabyte. The first piece decides which keys are the columns."""
    from cranfield.formats.json_values import load, records_from_dicts

    names: dict[str, str] = {}
    line = 1
    for chunk in iter_chunks(source):
        dicts: list[Any] = []
        place: list[int] = []
        for at, content in enumerate(chunk.split(b"\n"), line):
            if not content.strip():
                continue
            try:
                dicts.append(load(decode(content)))
                place.append(at)
            except ValueError as error:
                on_problem("json", at, _problem(content, error))
        if not names and dicts:
            keys = {key: None for record in dicts if isinstance(record, dict) for key in record}
            names = shape.match(list(keys), source.name)
        if dicts:
            yield records_from_dicts(dicts, place, names, shape, on_problem)
        line += chunk.count(b"\n")


def _problem(content: bytes, error: ValueError) -> str:
    """What is wrong with a line."""
    if content.strip() in (b"{", b"["):
        return (
            "what begins here goes on over several lines; expected one JSON object a line, or one document "
            '{"query": {"document": number}}'
        )
    return f"this is not a JSON object: {json_reason(error) if isinstance(error, JSONDecodeError) else error}"


read_qrels = reader("qrels", iter_records)
read_run = reader("run", iter_records)
read_preferences = reader("preferences", iter_records)


def write(columns: Columns, kind: str, out: BinaryIO) -> None:
    """Write an object per line, with our names of the columns as keys."""
    from cranfield.formats.json_values import dumps

    lines = (dumps(record) + b"\n" for record in iter_objects(columns, kind))
    while batch := b"".join(itertools.islice(lines, 4096)):
        out.write(batch)


def iter_objects(columns: Columns, kind: str) -> Iterator[dict[str, str | int | float]]:
    """The records as dicts, the keys in the order of the shape."""
    values: dict[str, list[Any]] = {}
    for column in SHAPES[kind].columns:
        if column.name in columns.ids:
            values[column.name] = [decode(text) for text in columns.ids[column.name].tolist()]
        elif column.name in columns.numbers:
            whole = column.name in ("relevance", "level")
            values[column.name] = [
                int(value) if whole and value.is_integer() and abs(value) < 2**53 else value
                for value in columns.numbers[column.name].tolist()
            ]
    for row in zip(*values.values(), strict=True):
        yield dict(zip(values, row, strict=True))
