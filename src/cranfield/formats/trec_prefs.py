"""trec_eval's preferences: `query group subgroup document level`, the higher level preferred."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from cranfield.data.preferences import Preferences
from cranfield.data.shapes import Shape
from cranfield.data.values import shown
from cranfield.formats.files import Source
from cranfield.formats.lines import Layout, OnProblem
from cranfield.formats.numbers import parse_number
from cranfield.formats.records import Records, iter_line_records, reader
from cranfield.formats.text_fields import number_texts, refuse_white_space, write_lines

NAME = "trec"
DESCRIPTION = "TREC: query group subgroup document level"
HOLDS: frozenset[str] = frozenset()


def _check(fields: list[bytes]) -> str | None:
    return f"level {shown(fields[4])} is not a number" if parse_number(fields[4]) is None else None


LAYOUT = Layout(("query", "group", "subgroup", "document", "level"), _check)


def recognise(head: bytes) -> bool:
    """Five fields, the last a number."""
    return LAYOUT.fits(head)


def iter_records(source: Source, shape: Shape, on_problem: OnProblem) -> Iterator[Records]:
    """The file in pieces of about a megabyte."""
    ids = {"query_id": 0, "group": 1, "subgroup": 2, "doc_id": 3}
    return iter_line_records(source, LAYOUT, on_problem, ids=ids, numbers={"level": 4})


read_preferences = reader("preferences", iter_records)


def write_preferences(preferences: Preferences, out: BinaryIO) -> None:
    """Write query by query."""
    ids = preferences.to_columns().ids
    named = {"query": ids["query_id"], **{name: ids[name] for name in ("group", "subgroup")}}
    named["document"] = preferences.documents
    refuse_white_space(named, "TREC preferences")
    write_lines([*named.values(), number_texts(preferences.level, whole=True)], out)
