"""Reading one file into records: every row is kept, or rejected with its reason."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import DataError
from cranfield.formats.files import Source, open_source
from cranfield.logs.staging import aol, arrays, lines, lists, table, ubi, yandex
from cranfield.logs.staging.columns import Columns
from cranfield.logs.staging.lines import BATCH, Lines
from cranfield.logs.staging.sql import hash_of, hashed, literal
from cranfield.logs.tables import MADE_UP, RECORDS, SAID, WITHIN

if TYPE_CHECKING:
    import duckdb

REJECTED = "rejected.jsonl"
DROPPABLE = ("text", "user", "session", "application", "listing", "dwell_ms", "value", "results")
"""Columns that can be left out. Words become a hash, so that the same queries are still known to be the same."""
_FIRST_CELL = re.compile(r"\A\s*([^\t]+)")


class Format(NamedTuple):
    """How files are laid out."""

    select: Callable[[str, str], str]
    """Makes SQL of a table of lines and of the salt: records, with a `reason` where a row is rejected; rows that stand
    `apart` are none of the log, as headers. A row can make several records."""
    end: bytes = b"\n"
    """Of a row."""
    people: re.Pattern[str] | None = None
    """What names people in the text of a row."""
    prepare: str = ""
    """SQL before the first batch."""
    note: str = ""
    """SQL after each batch."""
    numbered: bool = False
    """Whether sessions are counted in each file anew, so that those of two files are never the same."""
    times: str = SAID
    """What its times are worth, of `TIMES`."""


FORMATS: Mapping[str, Format | None] = {
    "ubi": Format(ubi.select, people=ubi.PEOPLE),
    "aol": Format(aol.select, people=_FIRST_CELL),
    "yandex": Format(
        yandex.select, people=_FIRST_CELL, prepare=yandex.PREPARE, note=yandex.NOTE, numbered=True, times=WITHIN
    ),
    "lists": Format(lists.select, people=_FIRST_CELL, numbered=True, times=MADE_UP),
    "pyclick": Format(lists.select_pyclick, end=b";", numbered=True, times=MADE_UP),
    "table": None,
}
"""By name; that of tables follows from their columns."""


def times_of(format: str) -> str:
    """What times of a format are worth, of `TIMES`; tables cannot be without them."""
    layout = FORMATS[format]
    return SAID if layout is None else layout.times


@dataclass(frozen=True)
class Ways:
    """How files are read."""

    format: str = "ubi"
    time_zone: str = "UTC"
    """Of times that name none."""
    rank_base: Mapping[str, int] = field(default_factory=dict)
    """The ordinal of the first rank, by application, or under the empty name; found out where nothing is said."""
    salt: str = ""
    """What identifiers of people are hashed with."""
    columns: Columns = field(default_factory=Columns)
    """Of a table."""
    drop: tuple[str, ...] = ()
    """Columns that are left out, of `DROPPABLE`."""
    raw: bool = True
    """Whether the text of rejected rows is kept, identifiers of people hashed."""
    batch: int = BATCH
    """How many bytes are read at a time."""


@dataclass
class Rows:
    """What became of the rows of a file."""

    read: int = 0
    kept: int = 0
    rejected: Counter[str] = field(default_factory=Counter)


def read(
    base: duckdb.DuckDBPyConnection, path: str, name: str, place: Path, ways: Ways, forgotten: tuple[str, int]
) -> Rows:
    """Write the records of a file, and its rejected rows beside them.

    What is older than the time in milliseconds that is `forgotten`, beside the day of it, is rejected.
    """
    rows = Rows()
    with open_source(path, name) as source, open(place / REJECTED, "ab") as side_file:
        layout, batches = _opened(source, ways)
        if layout.prepare:
            base.execute(layout.prepare)
        for number, batch in enumerate(batches):
            base.register("lines", batch.table)
            base.execute(
                f"CREATE OR REPLACE TEMP TABLE staged AS {_staged(layout.select('lines', ways.salt), forgotten)}"
            )
            base.unregister("lines")
            if layout.note:
                base.execute(layout.note).fetchall()
            out = literal(str(place / f"records-{number:05}.parquet"))
            base.execute(
                f"COPY (SELECT {_columns(ways)} FROM staged WHERE reason IS NULL AND NOT apart) "
                f"TO {out} (FORMAT parquet, COMPRESSION zstd)"
            )
            apart, kept = base.execute(
                "SELECT count(DISTINCT line) FILTER (apart), "
                "count(DISTINCT line) FILTER (reason IS NULL AND NOT apart) FROM staged"
            ).fetchall()[0]
            rows.read += batch.rows - apart
            rows.kept += kept
            bad = base.execute("SELECT DISTINCT line, reason, raw FROM staged WHERE reason IS NOT NULL AND NOT apart")
            shown = _hidden(layout, ways)
            for line, reason, raw in sorted([*bad.fetchall(), *batch.refused]):
                rows.rejected[reason] += 1
                said = {"source": name, "line": line, "reason": reason}
                if shown is not None and raw:
                    said["raw"] = shown(raw.rstrip("\r\n"))
                side_file.write(json.dumps(said, ensure_ascii=False).encode(errors="replace") + b"\n")
    return rows


def _staged(select: str, forgotten: tuple[str, int]) -> str:
    """Records with what is too old rejected; only rejected ones have the text of their row."""
    day, before_ms = forgotten
    reason, shown = "reason", "reason IS NOT NULL"
    if day:
        why = literal(f"older than {day}: the log has forgotten that time")
        reason = f"coalesce(reason, CASE WHEN time_ms < {before_ms} THEN {why} END)"
        shown += f" AND coalesce(time_ms >= {before_ms}, true)"
    return f"SELECT * REPLACE ({reason} AS reason, CASE WHEN {shown} THEN raw END AS raw) FROM ({select})"


def _opened(source: Source, ways: Ways) -> tuple[Format, Iterable[Lines]]:
    layout = FORMATS[ways.format]
    if layout is None:
        opened = table.open_table(source, ways.columns, ways.batch)
        return Format(partial(table.select, opened)), _nameless(opened)
    head = source.head()
    if head.startswith(table.PARQUET):
        raise DataError(f"{source.name}: this is a Parquet file, not {ways.format}: import it with --from table")
    batches = _batches(source, head, layout, ways)
    return (_told_apart(layout, head) if layout.numbered else layout), batches


def _told_apart(layout: Format, head: bytes) -> Format:
    """With the first row of the file in all hashes: two files have others, and one that has grown has the same."""
    beginning, select = head.split(layout.end, 1)[0].decode(errors="replace").strip(), layout.select
    return layout._replace(select=lambda rows, salt: select(rows, salt + beginning))


def _batches(source: Source, head: bytes, layout: Format, ways: Ways) -> Iterator[Lines]:
    if ways.format == "ubi" and arrays.is_array(head):
        return arrays.batches(source, ways.batch)
    return lines.batches(source, ways.batch, layout.end)


def _nameless(opened: table.Table) -> Iterator[Lines]:
    """The rows of a table; text that cannot be taken apart may name people anywhere, and is kept if none does."""
    for batch in opened.batches:
        names = opened.names_people
        yield batch._replace(refused=[row._replace(raw="" if names else row.raw) for row in batch.refused])


def _columns(ways: Ways) -> str:
    """The columns of the records, as far as they are kept."""
    out = []
    for column in RECORDS:
        said = f'"{column.name}"'
        if column.name in ways.drop:
            said = hashed("text", ways.salt) if column.name == "text" else "NULL"
        out.append(f'CAST({said} AS {column.kind}) AS "{column.name}"')
    return ", ".join(out)


def _hidden(layout: Format, ways: Ways) -> Callable[[str], str] | None:
    """What makes the text of a rejected row one that names nobody; none where it is not to be kept."""
    if not ways.raw or ways.drop:
        return None
    people = layout.people
    if people is None:
        return lambda raw: raw

    def hide(found: re.Match[str]) -> str:
        whole, group = found[0], found.lastindex or 0
        begin, end = (place - found.start() for place in found.span(group))
        return f"{whole[:begin]}{hash_of(found[group], ways.salt)}{whole[end:]}"

    return lambda raw: people.sub(hide, raw)
