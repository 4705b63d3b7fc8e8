"""Judging events in a file: one JSON object for each line, only ever added to.

An event is on the disk before the next document is shown, so whatever ends the judging, at most the line that was being
written is not whole. That one is set aside when the file is next added to, in a file of the same name with `.torn`
behind it, and passed over by who reads.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple, Self

from cranfield.data.judging import JudgingEvent
from cranfield.data.judging_record import JudgingRecord
from cranfield.errors import DataError, FormatError, UsageError
from cranfield.formats import json_lines
from cranfield.formats.file_lock import Holder, read_holder, take_lock, write_holder
from cranfield.formats.json_errors import json_reason
from cranfield.formats.json_values import dumps, load

TORN, HOLDER = ".torn", ".holder"
_FIELDS = frozenset(field.name for field in fields(JudgingEvent))


class ReadEvents(NamedTuple):
    """What a file holds."""

    record: JudgingRecord
    torn: bytes
    """The beginning of a line that was being written when something ended the judging; mostly nothing."""


def holds_events(head: bytes) -> bool:
    """Whether a file that begins like this has judging events.

    >>> holds_events(b'{"event":"7d","time":"2026-03-01T09:30:00Z","assessor":"ann","action":"grade"}')
    True
    >>> holds_events(b'{"query_id": "1", "doc_id": "d7", "relevance": 2}')
    False
    """
    keys = json_lines.key_names(head) if json_lines.recognise(head) else []
    return "event" in keys and _FIELDS.issuperset(keys)  # not all of them: the first line may not be whole


def read_judging_events(path: str | os.PathLike[str]) -> ReadEvents:
    """The events of a file; the first line that is none is an error which says why."""
    source = os.fspath(path)
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{source}: cannot be read: {error.strerror or error}") from None
    return parse_judging_events(content, source)


def read_several_events(
    paths: Iterable[str | os.PathLike[str]], tell: Callable[[str], object] | None = None
) -> JudgingRecord:
    """The events of several files, in their order: of the same assessor the later file has the last word.

    `tell` hears of files whose last line is not whole.
    """
    together = JudgingRecord()
    for path in paths:
        read = read_judging_events(path)
        for event in read.record.events:
            try:
                together.add(event)
            except DataError as error:
                raise DataError(f"{os.fspath(path)}: {error}") from None
        if read.torn and tell is not None:
            tell(f"{os.fspath(path)}: the last line is not whole, and is left out")
    return together


def parse_judging_events(content: bytes, source: str) -> ReadEvents:
    """The events in the content of a file, of which messages say the lines."""
    *lines, last = content.split(b"\n")
    record = JudgingRecord()
    for number, line in enumerate(lines, 1):
        if line.strip():
            _add(record, line, source, number)
    try:  # an editor may have left out the end of the last line, which is no reason to lose it
        if last.strip():
            _add(record, last, source, len(lines) + 1)
    except FormatError:
        return ReadEvents(record, last)
    return ReadEvents(record, b"")


def _add(record: JudgingRecord, line: bytes, source: str, number: int) -> None:
    try:
        content = load(line.decode("utf-8"))
        if not isinstance(content, dict):
            raise DataError("expected a judging event, a JSON object")
        record.add(JudgingEvent.from_dict(content))
    except UnicodeDecodeError:
        raise FormatError("this is no text in UTF-8; expected a judging event", source=source, line=number) from None
    except json.JSONDecodeError as error:
        reason = f"this is no judging event: {json_reason(error)}"
        raise FormatError(reason, source=source, line=number) from None
    except (DataError, ValueError) as error:
        raise FormatError(str(error), source=source, line=number) from None


def event_line(event: JudgingEvent) -> bytes:
    """An event as its file has it."""
    return dumps(event.to_dict()) + b"\n"


class JudgingFile:
    """A file of events that is open for more, for one judge at a time.

    `record` has what was in it, and `torn` where the rest of a line went that was not whole.
    """

    def __init__(self, path: str | os.PathLike[str], holder: Holder) -> None:
        self.path = Path(path)
        self.torn: Path | None = None
        try:
            new = not self.path.exists()
            self._file = open(self.path, "a+b", buffering=0)  # noqa: SIM115
        except OSError as error:
            raise UsageError(f"{self.path}: cannot be written: {error.strerror or error}") from None
        try:
            self._lock(holder)
            if new:
                _keep_name(self.path)
            self.record = self._begin()
        except BaseException:
            self._file.close()
            raise

    def append(self, event: JudgingEvent) -> None:
        """Write an event, which is on the disk when this returns; if it cannot be, the file is as it was."""
        self.record.check(event)
        self._refuse_others_work()
        line = event_line(event)
        try:
            if self._file.write(line) != len(line):
                raise OSError(None, "the disk is full")
            os.fsync(self._file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.truncate(self._size)
            raise UsageError(f"{self.path}: cannot be written: {error.strerror or error}") from None
        self._size += len(line)
        self.record.add(event)

    def close(self) -> None:
        """Let go of the file."""
        with contextlib.suppress(OSError):
            _beside(self.path, HOLDER).unlink()
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _lock(self, holder: Holder) -> None:
        beside = _beside(self.path, HOLDER)
        if not take_lock(self._file):
            found = None
            with contextlib.suppress(OSError), beside.open("rb") as file:
                found = read_holder(file)
            who = str(found) if found else "another command"
            raise UsageError(f"{self.path}: {who} is judging there: wait until it is done, or give another file (-o)")
        with contextlib.suppress(OSError), beside.open("wb", buffering=0) as file:
            write_holder(file, holder)

    def _begin(self) -> JudgingRecord:
        """What is in the file; what is not whole at its end is set aside."""
        self._file.seek(0)
        content = self._file.read()
        found = parse_judging_events(content, str(self.path))
        self._size = len(content) - len(found.torn)
        if found.torn:
            self.torn = _beside(self.path, TORN)
            self._doing(lambda: _set_aside(found.torn, _beside(self.path, TORN)))
            self._doing(lambda: self._file.truncate(self._size))
        elif content and not content.endswith(b"\n"):
            self._doing(lambda: self._file.write(b"\n"))
            self._size += 1
        return found.record

    def _doing(self, write: Callable[[], object]) -> None:
        try:
            write()
        except OSError as error:
            raise UsageError(f"{self.path}: cannot be written: {error.strerror or error}") from None

    def _refuse_others_work(self) -> None:
        """An error if the file is not as this one left it: an event would go where nobody looks for it."""
        try:
            there, own = os.stat(self.path), os.fstat(self._file.fileno())
            same = os.path.samestat(there, own) and there.st_size == self._size
        except OSError:
            same = False
        if not same:
            raise UsageError(
                f"{self.path}: somebody else has changed, moved or removed this file since the judging began; this "
                f"judgment is not written: quit, put the file in order, and go on"
            )


def _set_aside(torn: bytes, path: Path) -> None:
    with path.open("ab") as file:
        file.write(torn + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _keep_name(path: Path) -> None:
    """Have the folder on the disk too, where the system can: a file without a name would be lost."""
    with contextlib.suppress(OSError):
        folder = os.open(path.absolute().parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
