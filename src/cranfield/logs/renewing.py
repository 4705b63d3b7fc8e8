"""Making the tables of a log anew from its sources, by rules that may have changed, and removing what is to be gone."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import UsageError
from cranfield.formats.workplaces import clear_left_behind, workplace
from cranfield.formats.writing import writing
from cranfield.logs.duck import connection
from cranfield.logs.folder import SIMULATED, VERSION, LogFolder, LogRecord, Source
from cranfield.logs.settling import KEPT_TEXTS, RARE, REMOVED_QUERIES, Rules, Staged, settle
from cranfield.logs.staging.sql import literal, parquet_files
from cranfield.logs.summaries import write_summaries
from cranfield.logs.tables import TABLES, a_day

if TYPE_CHECKING:
    import duckdb

PART = ".part"


def settle_anew(log: str | os.PathLike[str], change: Callable[[Rules], Rules]) -> LogRecord:
    """Make the tables of a log by rules that are changed."""
    folder = LogFolder(log)
    folder.read()
    with folder.changing():
        record = _of_sources(folder)
        return renew(folder, record, change(rules_of(record)))


def forget(log: str | os.PathLike[str], before: str) -> LogRecord:
    """Remove what happened before a day from a log: from its tables, the records they are made of, and rejected rows.

    Rejected rows have no time that can be relied on: of all that are there, only their numbers and reasons stay. Files
    imported later lose their older rows too.
    """
    first_ms(before)
    folder = LogFolder(log)
    folder.read()
    with folder.changing():
        record = _of_sources(folder)
        for source in record.sources:
            _strip_rejected(folder, source)
        record = replace(record, forgotten=max(before, record.forgotten), fresh=False)
        folder.write(record)
        return renew(folder, record, rules_of(record))


def renew(folder: LogFolder, record: LogRecord, rules: Rules) -> LogRecord:
    """Make the tables anew from all sources; the old ones go away when the new ones are known."""
    if not record.sources:
        raise UsageError(f"{folder.path}: there is nothing to import")
    number = int(record.tables.rpartition("-")[2] or 0) + 1 if record.tables else 1
    target = folder.path / f"tables-{number}"
    clear_left_behind(target, PART)
    shutil.rmtree(target, ignore_errors=True)
    removed = dict(record.removed)
    with workplace(target, PART) as place:
        with connection(place / "spill") as base:
            if record.forgotten:
                _add(removed, f"records before {record.forgotten}", _erase_old(base, folder, record))
            if rules.anonymity > 1:
                _check_users(base, folder, record)
            sources = [Staged(_records(folder, source), source.rank_base) for source in record.sources]
            notes = settle(base, sources, place, rules)
            if rules.anonymity > 1:
                _add(removed, RARE, notes.pop(RARE))
                _erase_rare(base, folder, record)
            rows = {name: _rows(base, place / name) for name in TABLES}
        shutil.rmtree(place / "spill", ignore_errors=True)
        write_summaries(place)
        os.replace(place, target)
    record = replace(
        record,
        tables=target.name,
        rows=rows,
        notes=notes,
        settings=asdict(rules),
        fresh=True,
        removed=removed,
        version=VERSION,
    )
    folder.write(record)
    _sweep(folder, record)
    return record


def rules_of(record: LogRecord) -> Rules:
    """The rules by which tables were made; the usual ones of a log without tables."""
    said = dict(record.settings)
    return Rules(**{**said, "click_actions": tuple(said["click_actions"])}) if said else Rules()


def first_ms(day: str) -> int:
    """The beginning of a day in UTC, in milliseconds."""
    return round(datetime.fromisoformat(a_day(day)).replace(tzinfo=UTC).timestamp() * 1000)


def _of_sources(folder: LogFolder) -> LogRecord:
    record = folder.read()
    if any(source.format == SIMULATED for source in record.sources):
        raise UsageError(f"{folder.path}: this log is made up, and has no sources to make tables of: simulate another")
    return record


def _records(folder: LogFolder, *sources: Source) -> str:
    return parquet_files("records-*.parquet", *map(folder.staged, sources))


def _erase_old(base: duckdb.DuckDBPyConnection, folder: LogFolder, record: LogRecord) -> int:
    """Remove records of a time that is forgotten; those without a time go with their query."""
    before = first_ms(record.forgotten)
    base.execute(
        "CREATE OR REPLACE TEMP TABLE recent AS SELECT DISTINCT query_id FROM "
        f"{_records(folder, *record.sources)} WHERE time_ms >= {before} AND query_id IS NOT NULL"
    )
    old = f"(coalesce(time_ms < {before}, query_id IS NULL OR query_id NOT IN (FROM recent)))"
    return sum(_rewrite(base, folder, source, "*", f"NOT {old}") for source in record.sources)


def _check_users(base: duckdb.DuckDBPyConnection, folder: LogFolder, record: LogRecord) -> None:
    """An error where all queries would be removed, because nobody is known to have put them."""
    records = _records(folder, *record.sources)
    rows, named = base.execute(f'SELECT count(*), count("user") FROM {records}').fetchall()[0]
    if rows and not named:
        raise UsageError(
            f"{folder.path}: no row names a user, so that all queries are rare: leave --anonymity out, or import with "
            "users, which are hashed"
        )


def _sweep(folder: LogFolder, record: LogRecord) -> None:
    """Remove what the log does not know: older tables, and what was left behind by processes that were killed."""
    known = {
        "sources": {one.folder for one in record.sources},
        "rejected": {f"{one.folder}.jsonl" for one in record.sources},
    }
    there = [
        place for part, names in known.items() for place in (folder.path / part).glob("*") if place.name not in names
    ]
    tables = [place for place in folder.path.glob("*tables-*") if place.name != record.tables]
    for place in [*there, *tables]:
        shutil.rmtree(place) if place.is_dir() else place.unlink()


def _erase_rare(base: duckdb.DuckDBPyConnection, folder: LogFolder, record: LogRecord) -> None:
    """Remove what was said of queries that are rare, and words that no query has that is kept."""
    known = f"text IN (SELECT text FROM {KEPT_TEXTS})"
    kept = (
        f"(query_id IS NULL OR query_id NOT IN (SELECT query_id FROM {REMOVED_QUERIES})) "
        f"AND (kind <> 'query' OR {known} IS TRUE)"
    )
    for source in record.sources:
        _rewrite(base, folder, source, f"* REPLACE (CASE WHEN {known} THEN text END AS text)", kept)
        _strip_rejected(folder, source)


def _rewrite(base: duckdb.DuckDBPyConnection, folder: LogFolder, source: Source, columns: str, kept: str) -> int:
    """Replace the records of a source by those that are kept; how many were not."""
    removed = 0
    for file in sorted(folder.staged(source).glob("records-*.parquet")):
        old, new = f"read_parquet({literal(str(file))})", file.with_suffix(".new")
        base.execute(
            f"COPY (SELECT {columns} FROM {old} WHERE {kept}) TO {literal(str(new))} (FORMAT parquet, COMPRESSION zstd)"
        )
        removed += _count(base, old) - _count(base, f"read_parquet({literal(str(new))})")
        os.replace(new, file)
    return removed


def _strip_rejected(folder: LogFolder, source: Source) -> None:
    """Keep numbers and reasons of rejected rows, not what they said."""
    place = folder.rejected(source)
    if not place.exists():
        return
    with open(place, "rb") as rows, writing(place) as out:
        for row in rows:
            said = json.loads(row)
            said.pop("raw", None)
            out.write(json.dumps(said, ensure_ascii=False).encode() + b"\n")


def _add(removed: dict[str, int], what: str, number: int) -> None:
    if number:
        removed[what] = removed.get(what, 0) + number


def _count(base: duckdb.DuckDBPyConnection, records: str) -> int:
    return int(base.execute(f"SELECT count(*) FROM {records}").fetchall()[0][0])


def _rows(base: duckdb.DuckDBPyConnection, table: Path) -> int:
    return _count(base, parquet_files("*/*.parquet", table))
