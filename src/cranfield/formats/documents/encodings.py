"""Bytes to text: UTF-8, or the encoding that is named. What does not fit is an error that says where it is."""

from __future__ import annotations

import codecs
import io
from typing import Any

from cranfield.errors import FormatError, ParameterError, did_you_mean
from cranfield.formats.documents.markup import declared_encoding
from cranfield.formats.files import HEAD, Source

_ADVICE = (
    'If it is in another encoding, name that (--encoding latin-1; in a workspace encoding = "latin-1" in [reading]; '
    "in Python encoding='latin-1'), or convert it (iconv)."
)
_OFTEN = ("utf-8", "utf-16", "latin-1", "cp1252", "iso-8859-15", "ascii", "gb18030", "shift_jis", "euc-jp", "koi8-r")


def known_encoding(name: str) -> str:
    """Python's own name of an encoding.

    >>> known_encoding("Latin1")
    'iso8859-1'
    """
    try:
        found = codecs.lookup(name)
        "".encode(name)  # some codecs turn bytes into bytes, or text into text: they are no encodings
    except (LookupError, ValueError):
        raise ParameterError(f"encoding={name!r}: there is no such encoding{did_you_mean(name, _OFTEN)}") from None
    return found.name


def decoded(content: bytes, source: str, line: int) -> str:
    """UTF-8 as text; `line` is the number of the first line in it."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        begin = content.rfind(b"\n", 0, error.start) + 1
        raise FormatError(
            f"byte 0x{content[error.start]:02X}, the {error.start - begin + 1}. of the line, is not UTF-8. {_ADVICE}",
            source=source,
            line=line + content.count(b"\n", 0, error.start),
        ) from None


def in_its_own_encoding(source: Source) -> Source:
    """In UTF-8, if the file is marked up and says that it is in another encoding."""
    said = declared_encoding(source.head())
    if said is None:
        return source
    try:
        return in_utf8(source, known_encoding(said))
    except ParameterError:
        reason = f"the file says that it is in the encoding {said!r}, which is not known. {_ADVICE}"
        raise FormatError(reason, source=source.name, line=1) from None


def in_utf8(source: Source, encoding: str) -> Source:
    """The same text in UTF-8, so that all that read it need to know one encoding only."""
    if encoding in ("utf-8", "utf-8-sig"):
        return source
    stream = io.BufferedReader(_Transcoded(source, encoding), HEAD)
    return Source(source.name, stream, share_read=source.share_read)


class _Transcoded(io.RawIOBase):
    def __init__(self, source: Source, encoding: str) -> None:
        self._source, self._encoding = source, encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._block = bytearray(HEAD)
        self._ready = memoryview(b"")
        self._line = 1

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        while not self._ready:
            got = self._source.readinto(memoryview(self._block))
            text = self._decode(bytes(self._block[:got]), final=not got)
            self._line += text.count("\n")
            self._ready = memoryview(text.encode())
            if not got and not self._ready:
                return 0
        size = min(len(target), len(self._ready))
        target[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _decode(self, block: bytes, *, final: bool) -> str:
        try:
            text = self._decoder.decode(block, final)
            text.encode()
        except UnicodeError as error:
            at, before, name = "", 0, self._encoding
            if isinstance(error, UnicodeDecodeError):
                at = f"byte 0x{error.object[error.start]:02X} "
                before = error.object[: error.start].decode(name, "ignore").count("\n")
            raise FormatError(
                f"{at or 'this '}is not {name}. Name the encoding that the file is in.",
                source=self._source.name,
                line=self._line + before,
            ) from None
        return text
