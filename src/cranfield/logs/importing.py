"""Importing files into a log: each once, whole or not at all, every row of it accounted for."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import DataError, UsageError
from cranfield.formats.files import open_source
from cranfield.formats.workplaces import clear_left_behind, workplace
from cranfield.logs.duck import connection
from cranfield.logs.folder import SIMULATED, LogFolder, LogRecord, Source
from cranfield.logs.rank_base import rank_base
from cranfield.logs.settling import Rules, Staged, settle
from cranfield.logs.staging import aol, lines, lists, ubi, yandex
from cranfield.logs.staging.sql import literal
from cranfield.logs.tables import RECORDS, TABLES, columns_of

if TYPE_CHECKING:
    import duckdb

_PART = ".part"
_REJECTED = "rejected.jsonl"


class Format(NamedTuple):
    """How files are laid out."""

    select: Callable[[str, str], str]
    """Makes SQL of a table of lines and of the salt: records, with a `reason` where a row is rejected; rows that stand
    `apart` are none of the log, as headers. A row can make several records."""
    end: bytes = b"\n"
    """Of a row."""


FORMATS: Mapping[str, Format] = {
    "ubi": Format(ubi.select),
    "aol": Format(aol.select),
    "yandex": Format(yandex.select),
    "lists": Format(lists.select),
    "pyclick": Format(lists.select_pyclick, end=b";"),
}


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


@dataclass(frozen=True)
class Imported:
    """What came of an import."""

    record: LogRecord
    added: tuple[Source, ...]
    known: tuple[str, ...]
    """Files that the log had already."""


def import_files(
    files: Sequence[str | os.PathLike[str]], log: str | os.PathLike[str], ways: Ways, rules: Rules
) -> Imported:
    """Add files to a log, which is made if it is not there.

    Each file is read into a folder of its own, which takes its name when all of it is there: an import that was ended
    in the middle goes on with the next file. Then the tables are made anew from all sources, beside the old ones.
    """
    folder = LogFolder(log)
    folder.path.mkdir(parents=True, exist_ok=True)
    record = folder.read() if folder.exists else LogRecord()
    if any(source.format == SIMULATED for source in record.sources):
        raise UsageError(f"{folder.path}: this log is made up, nothing can be added to it: import into another folder")
    added, known = list[Source](), list[str]()
    (folder.path / "sources").mkdir(exist_ok=True)
    (folder.path / "rejected").mkdir(exist_ok=True)
    for file in files:
        name, sha256 = os.fspath(file), _sha256(file)
        if any(source.sha256 == sha256 for source in (*record.sources, *added)):
            known.append(name)
            continue
        added.append(_stage(folder, name, sha256, ways))
        record = replace(record, sources=(*record.sources, added[-1]))
        folder.write(record)
    if added or not record.tables:
        record = _settled(folder, record, rules)
    return Imported(record, tuple(added), tuple(known))


def _sha256(file: str | os.PathLike[str]) -> str:
    with open_source(file):
        pass  # which says what is wrong with it in our words
    with open(file, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _stage(folder: LogFolder, name: str, sha256: str, ways: Ways) -> Source:
    """Read one file."""
    target = folder.path / "sources" / sha256[:16]
    clear_left_behind(target, _PART)
    shutil.rmtree(target, ignore_errors=True)
    with workplace(target, _PART) as place, connection(place / "spill", time_zone=ways.time_zone) as base:
        rows = _read(base, name, place, ways)
        if not rows.kept:
            reasons = ", ".join(f"{count} {reason}" for reason, count in rows.rejected.most_common(5)) or "it is empty"
            raise DataError(f"{name}: none of its {rows.read} rows can be used ({reasons}): is it {ways.format}?")
        records = f"read_parquet({literal(str(place / 'records-*.parquet'))})"
        counts = base.execute(f"SELECT kind, count(*) FROM {records} GROUP BY kind ORDER BY kind").fetchall()
        first_rank = rank_base(base, records, name, ways.rank_base)
        shutil.rmtree(place / "spill", ignore_errors=True)
        os.replace(place / _REJECTED, folder.path / "rejected" / f"{sha256[:16]}.jsonl")
        os.replace(place, target)
    return Source(
        name=name,
        sha256=sha256,
        size=os.path.getsize(name),
        format=ways.format,
        read=rows.read,
        kept={kind: int(count) for kind, count in counts},
        rejected=dict(sorted(rows.rejected.items())),
        rank_base=first_rank,
        rows_kept=rows.kept,
    )


@dataclass
class _Rows:
    """What became of the rows of a file."""

    read: int = 0
    kept: int = 0
    rejected: Counter[str] = field(default_factory=Counter)


def _read(base: duckdb.DuckDBPyConnection, name: str, place: Path, ways: Ways) -> _Rows:
    """Write the records of a file."""
    layout, rows = FORMATS[ways.format], _Rows()
    with open_source(name) as source, open(place / _REJECTED, "ab") as side_file:
        for number, batch in enumerate(lines.batches(source, end=layout.end)):
            base.register("lines", batch.table)
            base.execute(f"CREATE OR REPLACE TEMP TABLE staged AS {layout.select('lines', ways.salt)}")
            base.unregister("lines")
            out = place / f"records-{number:05}.parquet"
            base.execute(
                f"COPY (SELECT {columns_of(RECORDS)} FROM staged WHERE reason IS NULL AND NOT apart) "
                f"TO {literal(str(out))} (FORMAT parquet, COMPRESSION zstd)"
            )
            apart, kept = base.execute(
                "SELECT count(DISTINCT line) FILTER (apart), "
                "count(DISTINCT line) FILTER (reason IS NULL AND NOT apart) FROM staged"
            ).fetchall()[0]
            bad = base.execute(
                "SELECT DISTINCT line, reason, raw FROM staged WHERE reason IS NOT NULL AND NOT apart"
            ).fetchall()
            bad += [(line, "not UTF-8", raw.decode(errors="backslashreplace")) for line, raw in batch.undecodable]
            rows.read += batch.rows - apart
            rows.kept += kept
            for line, reason, raw in sorted(bad):
                rows.rejected[reason] += 1
                said = {"source": name, "line": line, "reason": reason, "raw": raw.rstrip("\r\n")}
                side_file.write(json.dumps(said, ensure_ascii=False).encode() + b"\n")
    return rows


def _settled(folder: LogFolder, record: LogRecord, rules: Rules) -> LogRecord:
    """Make the tables anew from all sources; the old ones go away when the new ones are known."""
    if not record.sources:
        raise UsageError(f"{folder.path}: there is nothing to import")
    number = int(record.tables.rpartition("-")[2] or 0) + 1 if record.tables else 1
    target = folder.path / f"tables-{number}"
    clear_left_behind(target, _PART)
    shutil.rmtree(target, ignore_errors=True)
    with workplace(target, _PART) as place, connection(place / "spill") as base:
        sources = [
            Staged(str(folder.staged(source) / "records-*.parquet"), source.rank_base) for source in record.sources
        ]
        notes = settle(base, sources, place, rules)
        rows = {name: _rows(base, place / name) for name in TABLES}
        shutil.rmtree(place / "spill", ignore_errors=True)
        os.replace(place, target)
    old = record.tables
    record = replace(record, tables=target.name, rows=rows, notes=notes, settings=asdict(rules))
    folder.write(record)
    if old:
        shutil.rmtree(folder.path / old, ignore_errors=True)
    return record


def _rows(base: duckdb.DuckDBPyConnection, table: Path) -> int:
    found = base.execute(f"SELECT count(*) FROM read_parquet({literal(str(table / '*' / '*.parquet'))})").fetchall()
    return int(found[0][0])
