"""A log as User Behavior Insights 1.3, one JSON object to a line, a day at a time.

What an import makes of it are the same tables, but for the names of users and sessions: they are hashes here, and are
hashed again there. Words are as the import normalised them, and what was rejected, said twice or removed is not there.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cranfield.errors import DataError
from cranfield.formats.files import progress_within
from cranfield.formats.writing import writing
from cranfield.logs.duck import connection
from cranfield.logs.folder import LogFolder
from cranfield.logs.staging.sql import parquet_files
from cranfield.logs.tables import TABLES

_AT_ONCE = 20_000


def export_ubi(log: str | os.PathLike[str], target: str | os.PathLike[str]) -> int:
    """Write all queries, documents shown and events to a file; how many lines there are."""
    folder = LogFolder(log)
    record = folder.read()
    if not record.tables:
        raise DataError(f"{folder.path}: the import of this log did not end: import its files again")
    tables = folder.path / record.tables
    days = sorted({place.name for name in TABLES for place in (tables / name).iterdir()})
    tell, lines = progress_within(0.0, 1.0), 0
    with writing(target) as out:
        for number, day in enumerate(days):
            if tell is not None:
                tell(os.fspath(target), number / len(days))
            for some in _day(tables, day):
                out.write("".join(f"{line}\n" for line in some).encode())
                lines += len(some)
    return lines


def _day(tables: Path, day: str) -> Iterator[list[str]]:
    """What happened on a day, in order."""
    parts = [
        f"SELECT time_ms, {number} AS part, rank, json_merge_patch('{{}}', to_json({line})) AS line FROM "
        + _rows(tables, name, day)
        for number, (name, line) in enumerate(_LINES.items())
        if any((tables / name / day).glob("*.parquet"))
    ]
    with tempfile.TemporaryDirectory() as spill, connection(Path(spill)) as base:
        found = base.execute(f"SELECT line FROM ({' UNION ALL '.join(parts)}) ORDER BY time_ms, part, rank, line")
        while some := found.fetchmany(_AT_ONCE):
            yield [line for (line,) in some]


def _rows(tables: Path, name: str, day: str) -> str:
    rows = parquet_files("*.parquet", tables / name / day)
    if name != "queries":
        return rows
    shown = parquet_files("*/*.parquet", tables / "impressions")
    if any((tables / "impressions" / day).glob("*.parquet")):  # those of a query have its day
        shown = parquet_files("*.parquet", tables / "impressions" / day)
    return (
        f"(SELECT *, 0 AS rank FROM {rows} LEFT JOIN (SELECT query_id, list(document_id ORDER BY rank, document_id) AS "
        f"hits FROM {shown} GROUP BY query_id) USING (query_id))"
    )


_WHO = """application: application, query_id: query_id, session_id: session_id, client_id: user_id, user_query: text,
timestamp: strftime(make_timestamp(time_ms * 1000), '%Y-%m-%dT%H:%M:%S.%gZ')"""
_LINES = {
    "queries": f"""{{{_WHO}, query_response_hit_ids: CASE WHEN shown IS NOT NULL THEN coalesce(hits, []) END,
        query_attributes: CASE WHEN results IS NOT NULL THEN {{result_count: results}} END}}""",
    "impressions": f"""{{action_name: 'impression', {_WHO}, event_attributes: {{
        object: {{object_id: document_id, object_id_type: listing}}, position: {{ordinal: rank}}}}}}""",
    "events": f"""{{action_name: action, {_WHO}, event_attributes: {{
        object: {{object_id: document_id, price: value}}, position: {{ordinal: rank}},
        dwell_time: dwell_ms / 1000}}}}""",
}
"""The objects of each table; nulls are left out."""
