"""Judgments of the classic collections: lines of numbers whose columns are not those of TREC."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from cranfield.data.qrels import Qrels
from cranfield.data.values import shown
from cranfield.formats.files import open_source
from cranfield.formats.lines import Layout
from cranfield.formats.numbers import parse_number
from cranfield.formats.records import collect, iter_line_records, strict

QUERY, DOCUMENT, GRADE = "query", "document", "grade"


def columns(*names: str) -> Callable[[Path], Qrels]:
    """A reader of lines with these fields, of which query, document and grade are used."""
    return partial(_read, names)


def _read(names: tuple[str, ...], path: Path) -> Qrels:
    at = {name: names.index(name) for name in (QUERY, DOCUMENT, GRADE)}

    def check(fields: list[bytes]) -> str | None:
        grade = fields[at[GRADE]]
        return f"grade {shown(grade)} is not a number" if parse_number(grade) is None else None

    with open_source(path) as source:
        source.head()
        pieces = iter_line_records(
            source,
            Layout(names, check),
            strict(source.name),
            ids={"query_id": at[QUERY], "doc_id": at[DOCUMENT]},
            numbers={"relevance": at[GRADE]},
        )
        qrels: Qrels = collect("qrels", pieces, source.name, path.name)
    return qrels
