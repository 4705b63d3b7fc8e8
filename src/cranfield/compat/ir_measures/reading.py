"""TREC files as rows, read when they are asked for. Evaluation goes to the file itself and makes no rows of it."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from typing import IO, Any, TypeVar

from cranfield.compat.ir_measures.deprecation import warn_deprecated
from cranfield.compat.ir_measures.failures import UnsupportedError
from cranfield.compat.ir_measures.records import Qrel, ScoredDoc

Row = TypeVar("Row", Qrel, ScoredDoc)


class TrecReader(Iterator[Row]):
    """The rows of a file, one after the other, as a generator has them: once.

    Whoever evaluates it takes the whole file, as often as need be, unless someone has begun to take rows one by one:
    then only those that are left count.
    """

    kind: str

    def __init__(self, file: Any) -> None:
        if not (isinstance(file, (str, os.PathLike)) or hasattr(file, "read")):
            raise UnsupportedError(
                f"a TREC file is given by its path, as a file object or as the text in it, not as {type(file).__name__}"
            )
        self._file = file
        self._text: bytes | None = _encoded(file) if isinstance(file, str) and "\n" in file else None
        self._rows: Iterator[Row] | None = None
        self._left = True

    def __next__(self) -> Row:
        if self._rows is None:
            self._rows = self._read()
        try:
            return next(self._rows)
        except StopIteration:
            self._left = False
            raise

    def _read(self) -> Iterator[Row]:
        raise NotImplementedError

    @property
    def begun(self) -> bool:
        """Whether some rows have been taken and some are left."""
        return self._rows is not None and self._left

    def source(self) -> str | os.PathLike[str] | IO[bytes]:
        """What there is to read: the path of the file, or its content where that cannot be read twice."""
        if self._text is None and hasattr(self._file, "read"):
            self._text = _encoded(self._file.read())
        elif self._text is None and stat.S_ISFIFO(_mode(self._file)):
            with open(self._file, "rb") as pipe:
                self._text = pipe.read()
        if self._text is None:
            path: str | os.PathLike[str] = self._file
            return path
        return _Content(self._text, f"the text of the {self.kind}")

    def is_empty(self) -> bool:
        """Whether there is nothing in the file."""
        from cranfield.formats.files import open_source

        with open_source(self.source()) as source:
            return not source.head().strip()


class RunReader(TrecReader[ScoredDoc]):
    """The documents of a run file."""

    kind = "run"

    def _read(self) -> Iterator[ScoredDoc]:
        from cranfield.data.strings import decode
        from cranfield.formats import iter_records

        for _, piece in iter_records("run", self.source(), format="trec"):
            query, document = (map(decode, piece.columns.ids[name].tolist()) for name in ("query_id", "doc_id"))
            yield from map(ScoredDoc, query, document, piece.columns.numbers["score"].tolist())


class QrelsReader(TrecReader[Qrel]):
    """The judgments of a qrels file."""

    kind = "qrels"

    def _read(self) -> Iterator[Qrel]:
        from cranfield.data.strings import decode
        from cranfield.formats import iter_records

        for _, piece in iter_records("qrels", self.source(), format="trec"):
            ids = (map(decode, piece.columns.ids[name].tolist()) for name in ("query_id", "doc_id", "iteration"))
            query, document, iteration = ids
            yield from map(Qrel, query, document, map(_grade, piece.columns.numbers["relevance"].tolist()), iteration)


def read_trec_run(file: Any) -> RunReader:
    """The documents of a TREC run: a path, a file object, or the text of a file, which has several lines.

    >>> next(read_trec_run("q1 Q0 d1 1 0.5 tag\\n"))
    ScoredDoc(query_id='q1', doc_id='d1', score=0.5)
    """
    return RunReader(file)


def read_trec_qrels(file: Any) -> QrelsReader:
    """The judgments of a TREC qrels file; see `read_trec_run`.

    >>> next(read_trec_qrels("q1 0 d1 2\\n"))
    Qrel(query_id='q1', doc_id='d1', relevance=2, iteration='0')
    """
    return QrelsReader(file)


def parse_trec_run(file: Any) -> RunReader:
    """The old name of `read_trec_run`."""
    warn_deprecated("parse_trec_run", "read_trec_run")
    return read_trec_run(file)


def parse_trec_qrels(file: Any) -> QrelsReader:
    """The old name of `read_trec_qrels`."""
    warn_deprecated("parse_trec_qrels", "read_trec_qrels")
    return read_trec_qrels(file)


class _Content(io.BytesIO):
    """The bytes of a file, with the name that messages give it."""

    def __init__(self, content: bytes, name: str) -> None:
        super().__init__(content)
        self.name = name


def _mode(path: str | os.PathLike[str]) -> int:
    """What kind of file it is; 0 if there is none."""
    try:
        return os.stat(path).st_mode
    except (OSError, ValueError):
        return 0


def _encoded(text: str | bytes) -> bytes:
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text


def _grade(grade: float) -> Any:
    return int(grade) if grade.is_integer() else grade
