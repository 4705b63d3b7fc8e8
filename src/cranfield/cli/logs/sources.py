"""The sources of a log as tables: what was read, kept and rejected."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cranfield.cli.sections import Section
from cranfield.logs.counting import counted
from cranfield.logs.folder import LogRecord, Source


def sections_of(sources: Sequence[Source]) -> dict[str, Section]:
    """A row for each source, and one for each reason for which it had rows rejected."""
    reasons = [(source.name, reason, count) for source in sources for reason, count in sorted(source.rejected.items())]
    header = ("source", "rows", "kept", "rejected", "queries", "shown", "events")
    return {
        "sources": Section(header, [_row(source) for source in sources]),
        "rejected": Section(("source", "reason", "rows"), reasons, "Rejected", left=2),
    }


def rows_said(log: str, record: LogRecord) -> str:
    """How many rows the tables of a log have."""
    if not record.tables:
        return f"{log}: the import of this log did not end: import its files again"
    names = {"queries": "queries", "impressions": "documents shown", "events": "events"}
    return f"{log}: " + ", ".join(counted(record.rows[table], name) for table, name in names.items())


def notes_of(log: str, record: LogRecord, sources: Sequence[Source]) -> list[str]:
    """What was found, removed and rejected."""
    notes = [record.times_said] if record.times_said else []
    notes += [counted(count, what) for what, count in record.notes.items() if count]
    notes += [f"removed for good: {counted(count, what)}" for what, count in record.removed.items()]
    if record.removed:
        notes.append("what a source had is what was read from it, with what was removed since")
    if record.tables and not record.fresh:
        notes.append("the last change of this log did not end: `cranfield logs settle` ends it")
    if any(source.rejected for source in sources):
        notes.append(f"rejected rows are in {Path(log) / 'rejected'}, each with its reason")
    return notes


def whole_of(record: LogRecord, sources: Sequence[Source]) -> dict[str, Any]:
    """All of it, for programs."""
    return {
        "sources": [
            {
                "name": source.name,
                "sha256": source.sha256,
                "format": source.format,
                "read": source.read,
                "rows_kept": source.rows_kept,
                "kept": source.kept,
                "rejected": source.rejected,
                "rank_base": source.rank_base,
            }
            for source in sources
        ],
        "rows": record.rows,
        "notes": record.notes,
        "removed": record.removed,
        "forgotten": record.forgotten,
        "settings": record.settings,
    }


def _row(source: Source) -> tuple[str | int, ...]:
    kept = (source.kept.get(kind, 0) for kind in ("query", "impression", "event"))
    return (source.name, source.read, source.rows_kept, sum(source.rejected.values()), *kept)
