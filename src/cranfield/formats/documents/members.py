"""Files among others, in a folder or an archive: what they are called, and what they may not be called."""

from __future__ import annotations

import io
import posixpath
import re
from contextlib import AbstractContextManager
from typing import IO, Any, NamedTuple, cast

from cranfield.errors import DataError
from cranfield.formats.documents.identifiers import brief
from cranfield.formats.files import HEAD, Source, open_source

_PACKED = re.compile(r"\.(?:gz|zst|zstd)\Z", re.IGNORECASE)
_ENDING = re.compile(r"(?<=.)\.[A-Za-z][A-Za-z0-9]{0,9}\Z", re.DOTALL)
_UNSPEAKABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Member(NamedTuple):
    """A file, and its path from the folder or archive it is in."""

    path: str
    source: Source


class _Unpacked(io.RawIOBase):
    """The bytes of a member. Any error of the library that unpacks it is one that a `Source` knows."""

    def __init__(self, stream: IO[bytes], errors: tuple[type[Exception], ...]) -> None:
        self._stream, self._errors = stream, errors

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        try:
            content = self._stream.read(len(target))
        except self._errors as error:
            raise EOFError(str(error)[:100]) from None
        target[: len(content)] = content
        return len(content)


def opened(stream: IO[bytes], errors: tuple[type[Exception], ...], name: str) -> AbstractContextManager[Source]:
    """A member to read from, under a name that says where it is."""
    return open_source(cast(IO[bytes], io.BufferedReader(_Unpacked(stream, errors), HEAD)), name)


def document_name(path: str, ids: str) -> str:
    """What a document is called that is a file of its own.

    >>> document_name("news/1963/350.tim", "stem"), document_name("news/1963/350.tim", "path")
    ('350', 'news/1963/350.tim')
    >>> document_name("report-1.2", "stem"), document_name("page.html.gz", "stem")
    ('report-1.2', 'page')
    """
    return path if ids == "path" else _ENDING.sub("", _PACKED.sub("", posixpath.basename(path)))


def suffix(path: str) -> str:
    """The ending of a file's name in small letters, without that of its packing."""
    return posixpath.splitext(_PACKED.sub("", path))[1].lower()


def is_left_out(path: str) -> bool:
    """Whether a file is there for the system and not for readers.

    >>> is_left_out("docs/.DS_Store"), is_left_out("./docs/1.txt")
    (True, False)
    """
    parts = [part for part in path.split("/") if part not in (".", "..", "")]
    return any(part.startswith(".") or part in ("__MACOSX", "_SUCCESS") for part in parts)


def refuse_name(path: str, whole: str) -> None:
    """An error if a name cannot be shown on a line and written in UTF-8, as those of documents must."""
    if _UNSPEAKABLE.search(path):
        raise DataError(
            f"{whole}: the name {brief(path)} holds control characters, or bytes that are not UTF-8. Rename the file."
        )


def refuse_path(path: str, archive: str) -> None:
    """An error if the name of a member leads out of the archive: then somebody made it with bad intent."""
    if path.startswith(("/", "\\")) or re.match(r"[A-Za-z]:[\\/]", path) or ".." in re.split(r"[\\/]", path):
        raise DataError(
            f"{archive}: refused: the member {brief(path)} has a name that leads out of the archive. "
            "Pack it again with relative names."
        )
    refuse_name(path, archive)
