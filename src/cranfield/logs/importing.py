"""Importing files into a log: each once, whole or not at all, every row of it accounted for."""

from __future__ import annotations

import contextlib
import glob
import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cranfield.errors import DataError, UsageError, did_you_mean
from cranfield.formats.files import open_source
from cranfield.formats.workplaces import clear_left_behind, workplace
from cranfield.logs.duck import connection
from cranfield.logs.folder import SIMULATED, LogFolder, LogRecord, Source
from cranfield.logs.rank_base import rank_base
from cranfield.logs.renewing import PART, first_ms, renew, rules_of
from cranfield.logs.settling import Rules
from cranfield.logs.staging.reading import DROPPABLE, FORMATS, REJECTED, Rows, Ways, read, times_of
from cranfield.logs.staging.sql import hash_of, parquet_files

__all__ = ["FORMATS", "Imported", "Ways", "files_of", "import_files", "record_to_grow", "secret_of"]

_SECRET = "cranfield.log"
"""What is hashed to know a secret again; eight digits of it fit so many secrets that they tell none."""


@dataclass(frozen=True)
class Imported:
    """What came of an import."""

    record: LogRecord
    added: tuple[Source, ...]
    known: tuple[str, ...]
    """Files that the log had already."""
    recounted: tuple[str, ...] = ()
    """Those of them whose ranks are now counted in another way."""
    went_on: bool = False
    """Whether an earlier import had not ended, which is ended now."""


def import_files(
    files: Sequence[str | os.PathLike[str]],
    log: str | os.PathLike[str],
    ways: Ways,
    rules: Rules | None = None,
    *,
    names: Mapping[str, str] | None = None,
) -> Imported:
    """Add files to a log, which is made if it is not there; without rules it keeps those that it has. Files may have
    `names` by which the log calls them.

    Each file is read into a folder of its own, which takes its name when all of it is there: an import that was ended
    in the middle goes on with the next file. Then the tables are made anew from all sources, beside the old ones.
    """
    for column in ways.drop:
        if column not in DROPPABLE:
            raise UsageError(
                f"{column!r} cannot be dropped{did_you_mean(column, DROPPABLE)} There are {', '.join(DROPPABLE)}"
            )
    if "application" in ways.drop and any(ways.rank_base):
        raise UsageError("ranks cannot be counted by application where the application is dropped: import them apart")
    paths = list(files_of(files, log))
    folder = LogFolder(log)
    with folder.changing():
        record = record_to_grow(folder)
        went_on = bool(record.sources) and not (record.tables and record.fresh)
        secret = hash_of(_SECRET, ways.salt)[:8]
        if record.secret not in ("", secret):
            raise UsageError(
                f"{folder.path}: the users of this log were hashed with another secret, and one person would count as "
                "two: name the file of the first with --salt-file, or import into another log"
            )
        added, known, recounted = list[Source](), list[str](), list[str]()
        for number, path in enumerate(paths):
            name, sha256 = (names or {}).get(path, path), _sha256(path)
            sources = {source.sha256: source for source in record.sources}
            if sha256 in sources:
                known.append(name)
                counted = _recounted(sources[sha256], ways.rank_base)
                if counted == sources[sha256]:
                    continue
                recounted.append(name)
            else:
                with _one_of(len(paths), number):
                    counted = _stage(folder, path, name, sha256, ways, record.forgotten)
                added.append(counted)
            sources[sha256] = counted
            record = replace(record, sources=tuple(sources.values()), fresh=False, secret=secret)
            folder.write(record)
        rules = rules or rules_of(record)
        if not record.whole or rules != rules_of(record):
            record = renew(folder, record, rules)
    return Imported(record, tuple(added), tuple(known), tuple(recounted), went_on)


def record_to_grow(folder: LogFolder) -> LogRecord:
    """What is there, if files can be added to it; nothing yet is."""
    record = folder.read() if folder.exists else folder.begun()
    if any(source.format == SIMULATED for source in record.sources):
        raise UsageError(f"{folder.path}: this log is made up, nothing can be added to it: import into another folder")
    return record


def _recounted(source: Source, said: Mapping[str, int]) -> Source:
    """With ranks that begin as it is said."""
    return replace(source, rank_base=dict(said) if "" in said else {**source.rank_base, **said})


@contextlib.contextmanager
def _one_of(files: int, before: int) -> Iterator[None]:
    """What is wrong with a file that is one of several says what became of the others."""
    try:
        yield
    except DataError as error:
        if files == 1:
            raise
        others = "those before it were read" if before else f"none of the {files} files was imported"
        raise DataError(f"{error}. It is file {before + 1} of {files}, {others}: leave it out to go on") from None


def files_of(files: Sequence[str | os.PathLike[str]], log: str | os.PathLike[str]) -> Iterator[str]:
    """The files of these names: of a folder all that are in it, of a pattern all that it fits, but for hidden ones, and
    those of the log and its secret."""
    own = os.path.realpath(log)
    for file in files:
        name = os.fspath(file)
        if os.path.isdir(name):
            inside = (path for path in Path(name).rglob("*") if path.is_file())
            found = sorted(
                str(path) for path in inside if not _hidden(path.relative_to(name)) and not _is_own(path, own)
            )
            if not found:
                raise UsageError(f"{name}: there is no file in this folder")
        elif not os.path.exists(name) and glob.has_magic(name):
            fits = (path for path in glob.glob(name, recursive=True) if os.path.isfile(path))
            found = sorted(path for path in fits if not _is_own(Path(path), own))
            if not found:
                raise UsageError(f"{name}: there is no file that this pattern fits")
        else:
            found = [name]
        yield from found


def secret_of(log: str | os.PathLike[str]) -> Path:
    """Where the secret of a log is, if it has no other place."""
    return Path(f"{os.fspath(log).rstrip('/')}.salt")


def _is_own(path: Path, log: str) -> bool:
    real = Path(os.path.realpath(path))
    return real == secret_of(log) or real.is_relative_to(log)


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _sha256(file: str) -> str:
    with open_source(file):
        pass  # which says what is wrong with it in our words
    if not os.path.isfile(file):
        raise UsageError(f"{file}: a log is imported from files, not from a stream: write it to a file first")
    with open(file, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _useless(name: str, rows: Rows, format: str) -> DataError:
    if not rows.read:
        return DataError(f"{name}: is empty, there is no row in it")
    reasons = ", ".join(f"{count} {reason}" for reason, count in rows.rejected.most_common(5))
    none = f"none of its {rows.read:,} rows can be used" if rows.read > 1 else "its one row cannot be used"
    others = ", ".join(other for other in FORMATS if other != format)
    whole = format == "ubi" and "not JSON" in rows.rejected
    lines = "; UBI is one JSON object to a line, or one array of them" if whole else ""
    return DataError(f"{name}: {none} ({reasons}{lines}): is it {format}? --from names the other formats: {others}")


def _stage(folder: LogFolder, path: str, name: str, sha256: str, ways: Ways, forgotten: str) -> Source:
    """Read one file."""
    for part in ("sources", "rejected"):
        (folder.path / part).mkdir(exist_ok=True)
    target = folder.path / "sources" / sha256[:16]
    clear_left_behind(target, PART)
    shutil.rmtree(target, ignore_errors=True)
    with workplace(target, PART) as place, connection(place / "spill", time_zone=ways.time_zone) as base:
        rows = read(base, path, name, place, ways, (forgotten, first_ms(forgotten) if forgotten else 0))
        if not rows.kept:
            raise _useless(name, rows, ways.format)
        records = parquet_files("records-*.parquet", place)
        counts = base.execute(f"SELECT kind, count(*) FROM {records} GROUP BY kind ORDER BY kind").fetchall()
        first_rank = rank_base(base, records, name, ways.rank_base)
        shutil.rmtree(place / "spill", ignore_errors=True)
        source = Source(
            name=name,
            sha256=sha256,
            size=os.path.getsize(path),
            format=ways.format,
            read=rows.read,
            kept={kind: int(count) for kind, count in counts},
            rejected=dict(sorted(rows.rejected.items())),
            rank_base=first_rank,
            rows_kept=rows.kept,
            times=times_of(ways.format),
        )
        os.replace(place / REJECTED, folder.rejected(source))
        os.replace(place, target)
    return source
