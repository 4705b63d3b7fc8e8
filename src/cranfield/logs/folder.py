"""The folder of a log: which sources it has, and where its tables are. `log.json` is replaced whole, or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from cranfield.errors import DataError, UsageError
from cranfield.formats.file_lock import take_lock
from cranfield.formats.writing import writing
from cranfield.logs.tables import MADE_UP, SAID, TIMES, WITHIN

SCHEMA, VERSION = "cranfield.log", 4
OLDEST = 1
"""Of older versions tables are made anew from their sources."""
RECORD = "log.json"
SIMULATED = "simulated"
"""The format of the one source of a log that is made up."""


@dataclass(frozen=True)
class Source:
    """One file that was imported: all its rows are accounted for."""

    name: str
    sha256: str
    size: int
    format: str
    read: int
    """How many rows there were: kept and rejected ones together."""
    kept: dict[str, int]
    """How many queries, impressions and events the rows that were kept made."""
    rejected: dict[str, int]
    """How many rows were rejected, by reason; they are in `rejected/` with the reason."""
    rank_base: dict[str, int]
    """The ordinal of the first rank, by application; of all others under the empty name."""
    rows_kept: int = 0
    """How many rows were kept; some make several things, as a query and a click."""
    times: str = SAID
    """What its times are worth, of `cranfield.logs.tables.TIMES`."""

    @property
    def folder(self) -> str:
        """The name of what was read from it, in `sources/`."""
        return self.sha256[:16]


@dataclass(frozen=True)
class LogRecord:
    """What `log.json` says."""

    sources: tuple[Source, ...] = ()
    tables: str = ""
    """The folder that has the tables; another each time they are made."""
    rows: dict[str, int] = field(default_factory=dict)
    """How many each table has."""
    notes: dict[str, int] = field(default_factory=dict)
    """What was found when sources were put together, and how often: duplicates, clicks without a query, …"""
    settings: dict[str, Any] = field(default_factory=dict)
    """How sources were put together: the gap of sessions, the limit of bots, …"""
    fresh: bool = True
    """Whether the tables say what the sources say; not if an import was ended before they were made."""
    forgotten: str = ""
    """The first day that is remembered, if older ones were to be forgotten."""
    secret: str = ""
    """By which the secret that users are hashed with is known again; it does not tell the secret."""
    removed: dict[str, int] = field(default_factory=dict)
    """What was removed from the log for good, and how much of it."""
    version: int = VERSION
    """Of the schema that the tables have."""

    @property
    def whole(self) -> bool:
        """Whether there are tables that say what the sources say, of the schema that is known here."""
        return bool(self.tables) and self.fresh and self.version == VERSION

    @property
    def times(self) -> str:
        """What the times of the log are worth: those of the source of which they are worth least."""
        return max((source.times for source in self.sources), key=TIMES.index, default=SAID)

    @property
    def times_said(self) -> str:
        """What its times are not, in words; empty if all are those of its sources."""
        formats = ", ".join(sorted({source.format for source in self.sources if source.times == self.times}))
        if self.times == MADE_UP:
            return f"the log does not say when anything happened ({formats}): its times are made up"
        if self.times == WITHIN:
            return f"the log does not say when sessions began ({formats}): its days and hours are made up"
        return ""


class LogFolder:
    """A log on disk."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    @property
    def exists(self) -> bool:
        return (self.path / RECORD).is_file()

    def read(self) -> LogRecord:
        """What is there; an error if it is no log."""
        place = self.path / RECORD
        return read_record(str(self.path), place.read_text() if place.is_file() else None)

    def begun(self) -> LogRecord:
        """The record of a log that is to be; an error if something else is in its folder."""
        parts = re.compile(r"\.|sources$|rejected$|tables-")  # what an import leaves that was ended before its record
        others = sorted(place.name for place in self.path.glob("*") if not parts.match(place.name))
        if others:
            raise UsageError(
                f"{self.path}: this folder has other things in it, such as {others[0]!r}, and is no log; name a new or "
                "an empty folder"
            )
        return LogRecord()

    def write(self, record: LogRecord) -> None:
        content = {"schema": SCHEMA, **asdict(record)}
        with writing(self.path / RECORD) as out:
            out.write(json.dumps(content, indent=1, sort_keys=True).encode() + b"\n")

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        """While this lasts, no other process can change the log."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = (self.path / ".lock").open("ab")
        except OSError as error:
            raise UsageError(f"{self.path}: cannot be written: {error.strerror or error}") from None
        with lock:
            if not take_lock(lock) or not self._is_there(lock):
                raise UsageError(f"{self.path}: another process is changing this log; try again when it has ended")
            try:
                yield
            finally:
                if not self.exists:
                    self._leave_nothing()

    def _is_there(self, lock: IO[bytes]) -> bool:
        """Whether this is still the lock of the log: who leaves nothing behind removes it."""
        try:
            return os.path.samestat(os.fstat(lock.fileno()), os.stat(self.path / ".lock"))
        except FileNotFoundError:
            return False

    def _leave_nothing(self) -> None:
        """Remove what was made for a log that did not come to be; folders with anything else in them stay."""
        with contextlib.suppress(OSError):
            for part in ("sources", "rejected"):
                with contextlib.suppress(FileNotFoundError):
                    (self.path / part).rmdir()
            (self.path / ".lock").unlink()
            self.path.rmdir()

    def rejected(self, source: Source) -> Path:
        """The rows of a source that were rejected."""
        return self.path / "rejected" / f"{source.folder}.jsonl"

    def table(self, name: str, record: LogRecord | None = None) -> Path:
        """Where the files of a table are, one folder for each day."""
        return self.path / (record or self.read()).tables / name

    def staged(self, source: Source) -> Path:
        """What was read from a source."""
        return self.path / "sources" / source.folder


def read_record(place: str, content: str | None) -> LogRecord:
    """What the record of a log says, of which this is the content; an error if it has none, or a damaged one."""
    if content is None:
        there = f"there is no {RECORD} in it" if "://" in place or Path(place).is_dir() else "there is no such folder"
        raise UsageError(f"{place}: this is no log: {there}; `cranfield logs import` makes one")
    try:
        found = json.loads(content)
        if found.pop("schema") != SCHEMA or not OLDEST <= found["version"] <= VERSION:
            raise DataError(f"{place}/{RECORD}: was written by another version; import the sources anew")
        sources = tuple(Source(**source) for source in found.pop("sources"))
        return LogRecord(sources=sources, **found)
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{place}/{RECORD}: is damaged ({error}): import the sources anew") from None
