"""What a search has found so far, in a file beside the run to be: one line for each topic that is done.

Whatever ends the search, the next one can go on from there. The first line says what is searched and how, so that
nothing is put together that does not belong together. Scores are base64 of little-endian doubles, which are read back
exactly and written ten times as fast as digits; documents are base64 too, of their bytes one behind the other and of
their lengths.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import WORD, Floats, Strings
from cranfield.engines.answers import Answer
from cranfield.engines.differences import differences
from cranfield.errors import DataError, UsageError

SCHEMA = "cranfield.search"
VERSION = 2
SUFFIX = ".part"


class Entry(NamedTuple):
    """A topic that is done."""

    documents: Strings
    scores: Floats
    found: int
    put_in_order: bool
    seconds: float | None

    @classmethod
    def of(cls, answer: Answer, seconds: float | None) -> Entry:
        return cls(*answer, seconds)


def journal_file(run: str | os.PathLike[str]) -> Path:
    """Where the journal of a run is, as long as that is not complete.

    >>> journal_file("bm25.run").name
    'bm25.run.part'
    """
    return Path(f"{os.fspath(run)}{SUFFIX}")


def belongs(path: Path, identity: Mapping[str, Any]) -> bool:
    """Whether a journal is of the search with this identity."""
    try:
        with path.open("rb") as file:
            header = json.loads(file.readline())
        return bool(header["version"] == VERSION and header["identity"] == json.loads(json.dumps(identity)))
    except (OSError, ValueError, KeyError, TypeError):
        return False


class Journal:
    """A journal that is open for more topics; `done` has those that it had before."""

    def __init__(self, path: Path, identity: Mapping[str, Any], *, resume: bool = False) -> None:
        """`identity` is what has to be the same for topics to belong together."""
        self.path = path
        self._identity = json.loads(json.dumps(identity))
        self.done: dict[str, Entry] = {}
        self._topics = 0
        try:
            self._file: BinaryIO = open(path, "a+b", buffering=0)  # noqa: SIM115
        except OSError as error:
            raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from None
        try:
            self._lock()
            self._go_on(resume)
        except BaseException:
            self._file.close()
            raise

    def record(self, topic: str, answer: Answer, seconds: float | None) -> None:
        """Write down a topic that is done."""
        self._topics += 1
        self._write(
            {
                "topic": topic,
                "seconds": seconds,
                "found": answer.found,
                "put_in_order": answer.put_in_order,
                "documents": _packed(answer.documents.data[: answer.documents.length.sum()]),
                "lengths": _packed(answer.documents.length.astype("<i4")),
                "scores": _packed(answer.scores.astype("<f8")),
            }
        )

    def remove(self) -> None:
        """The run is written: nothing has to be gone on with."""
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Nothing more will be written; a journal without topics goes away."""
        if not self._topics:
            self.remove()
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _write(self, content: Mapping[str, Any]) -> None:
        line = json.dumps(content, separators=(",", ":")).encode() + b"\n"
        try:
            self._file.write(line)
        except OSError as error:
            raise UsageError(f"{self.path}: cannot be written: {error.strerror or error}") from None

    def _lock(self) -> None:
        """Keep others from writing to the same file at the same time, where the system can."""
        with contextlib.suppress(ImportError):
            import fcntl

            try:
                fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise UsageError(f"{self.path}: another search is writing this run") from None

    def _go_on(self, resume: bool) -> None:
        self._file.seek(0)
        lines = list(self._whole_lines(self._file.read()))
        found = len(lines) - 1
        if found > 0 and not resume:
            raise UsageError(
                f"{self.path}: holds {found} topics of a search that did not end: go on with --resume, or delete it to "
                f"begin anew"
            )
        if found <= 0:
            self._file.truncate(0)
            self._write({"schema": SCHEMA, "version": VERSION, "identity": self._identity})
            return
        self._check(lines[0])
        for number, line in enumerate(lines[1:], 2):
            self._take(number, line)
        self._file.truncate(sum(len(line) for line in lines))

    @staticmethod
    def _whole_lines(content: bytes) -> Iterator[bytes]:
        """The lines, but not one that was cut off by the end of the process."""
        return (line for line in content.splitlines(keepends=True) if line.endswith(b"\n"))

    def _check(self, line: bytes) -> None:
        try:
            header = json.loads(line)
            known = (header["schema"], header["version"]) == (SCHEMA, VERSION)
            then = header["identity"]
            known = known and isinstance(then, dict)
        except (ValueError, KeyError, TypeError):
            known, then = False, {}
        if not known:
            raise DataError(f"{self.path}: this is no journal of a search that can be gone on with: delete it")
        if changed := differences(then, self._identity):
            raise UsageError(
                f"{self.path}: was begun with {'; with '.join(changed)}: ask for the same, or delete it to begin anew"
            )

    def _take(self, number: int, line: bytes) -> None:
        try:
            entry = json.loads(line)
            data, length = _unpacked(entry["documents"], "u1"), _unpacked(entry["lengths"], "<i4").astype(np.int64)
            scores = _unpacked(entry["scores"], "<f8").astype(np.float64)
            if len(length) != len(scores) or length.min(initial=0) < 0 or length.sum() != len(data):
                raise ValueError
            documents = Strings(np.append(data, np.zeros(WORD, np.uint8)), np.cumsum(length) - length, length)
            answer = Answer(documents, scores, entry["found"], entry["put_in_order"])
            self.done[entry["topic"]] = Entry.of(answer, entry["seconds"])
            self._topics += 1
        except (ValueError, KeyError, TypeError):
            raise DataError(f"{self.path}:{number}: this line is damaged: delete the file to begin anew") from None


def _packed(values: npt.NDArray[np.generic]) -> str:
    return base64.b64encode(values.tobytes()).decode()


def _unpacked(text: str, kind: str) -> npt.NDArray[Any]:
    return np.frombuffer(base64.b64decode(text, validate=True), dtype=kind)
