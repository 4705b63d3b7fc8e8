"""The records of a single query, found in a file without reading the others.

Of a file of lines that begin with the query only the lines of this query are split into fields, wherever they stand;
the others are passed over a megabyte at a time. A file in another format is read as always.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.strings import Bools, Bytes, Ints
from cranfield.errors import DataError
from cranfield.formats import module, read_preferences, read_qrels, read_run, recognise, run_name
from cranfield.formats.files import Source, open_source
from cranfield.formats.lines import BLOCK, behind_last_newline

_READ: dict[str, Callable[..., Any]] = {"qrels": read_qrels, "run": read_run, "preferences": read_preferences}
_TAB, _NEWLINE, _RETURN, _SPACE = 9, 10, 13, 32


def read_query(
    kind: str, path: str | os.PathLike[str], query: bytes, *, format: str | None = None, ranks: bool = False
) -> Any:
    """Qrels, a Run or Preferences with what a file has for one query; None if it has nothing. See `read_run`."""
    read = partial(_READ[kind], name=run_name(path), **({"ranks": True} if ranks else {}))
    with open_source(path) as source:
        if not source.head().strip():
            raise DataError(f"{source.name}: the file is empty")
        chosen = recognise(kind, source) if format is None else module(format, kind)
        in_lines = hasattr(chosen, "LAYOUT")
        text = _lines_of(source, query) if in_lines and query.split() == [query] else b""
    if in_lines and not text:
        return None
    if in_lines:
        with suppress(DataError):  # it names a line of the extract: all is read, to name the line of the file
            return read(io.BytesIO(text), format=chosen.NAME)
    return of_query(read(path, format=format), query)


def of_query(thing: Any, query: bytes) -> Any:
    """What Qrels, a Run or Preferences have for one query; None if they have nothing."""
    if query not in thing.query_ids:
        return None
    return thing.only([query]) if isinstance(thing, Qrels) else thing.of_query(query)


def _lines_of(source: Source, query: bytes) -> bytes:
    """The lines whose first field is the query, one below the other."""
    spare = len(query) + 2
    data = np.zeros(BLOCK + spare, dtype=np.uint8)
    kept = 0
    found: list[bytes] = []
    while True:
        room = len(data) - spare - kept
        got = source.readinto(data[kept : kept + room].data)
        filled = kept + got
        if got < room and filled and data[filled - 1] != _NEWLINE:
            data[filled] = _NEWLINE
            filled += 1
        end = behind_last_newline(data[:filled])
        if end:
            found.append(_chosen(data, end, query))
        if got < room:
            return b"".join(found)
        kept = filled - end
        if end:
            data[:kept] = data[end:filled].copy()
        else:
            data = np.concatenate([data, np.zeros(len(data), dtype=np.uint8)])


def _chosen(data: Bytes, end: int, query: bytes) -> bytes:
    """The lines of the query among whole lines, which end at `end`."""
    last = np.flatnonzero(data[:end] == _NEWLINE)
    first = np.empty(len(last), dtype=np.int64)
    first[0], first[1:] = 0, last[:-1] + 1
    at = _behind_blanks(data, first)
    row = np.arange(len(at))
    for byte in query:
        same = data[at] == byte
        at, row = at[same] + 1, row[same]
    row = row[_blank(data[at])]
    lines = zip(first[row].tolist(), last[row].tolist(), strict=True)
    return b"".join(data[begin : newline + 1].tobytes() for begin, newline in lines)


def _behind_blanks(data: Bytes, at: Ints) -> Ints:
    """The places, each moved behind the white space at which it stands; not beyond the end of its line."""
    moving = np.flatnonzero(_blank(data[at]))
    if len(moving):
        at = at.copy()
    while len(moving):
        moving = moving[_blank(data[at[moving]]) & (data[at[moving]] != _NEWLINE)]
        at[moving] += 1
    return at


def _blank(byte: Bytes) -> Bools:
    blank: Bools = (byte == _SPACE) | ((byte >= _TAB) & (byte <= _RETURN))
    return blank
