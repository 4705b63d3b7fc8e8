"""Opening what is to be read."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any, cast

from cranfield.errors import DataError, FormatError, UsageError
from cranfield.formats import zstd

GZIP = b"\x1f\x8b\x08"
UTF8_BOM = b"\xef\xbb\xbf"
UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
HEAD = 1 << 16

Readable = str | os.PathLike[str] | IO[Any]


@dataclass
class Source:
    """Something to read bytes from, with the name that error messages give it.

    `path` is set where the bytes are those of a plain file, so that several processes can read it at once.
    """

    name: str
    stream: io.BufferedIOBase
    path: str | None = None

    def head(self) -> bytes:
        """The first bytes, without moving on; a byte-order mark is passed over."""
        peeked = self.stream.peek(HEAD)[:HEAD] if isinstance(self.stream, io.BufferedReader) else b""
        if peeked.startswith(UTF16_BOMS) and b"\0" in peeked:
            raise DataError(f"{self.name}: this is UTF-16 text. Convert it to UTF-8 first (iconv -f UTF-16).")
        if peeked.startswith(UTF8_BOM):
            self.stream.read(len(UTF8_BOM))
            self.path = None
            return self.head()
        return peeked

    def readinto(self, target: memoryview) -> int:
        """Fill the target as far as there are bytes left."""
        filled = 0
        try:
            while filled < len(target):
                got = self.stream.readinto(target[filled:])
                if not got:
                    break
                filled += got
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise FormatError(
                f"the compressed data is damaged or ends early ({error}). Fetch the file again.",
                source=self.name,
            ) from None
        except OSError as error:
            raise DataError(f"{self.name}: cannot be read: {error.strerror or error}") from None
        return filled

    def read(self) -> bytes:
        """All that is left."""
        blocks: list[bytes] = []
        while True:
            block = bytearray(1 << 20)
            got = self.readinto(memoryview(block))
            if not got:
                return b"".join(blocks)
            blocks.append(bytes(block[:got]))


@contextlib.contextmanager
def open_source(what: Readable, name: str | None = None) -> Iterator[Source]:
    """Open a path, `-` for standard input, or a file object; gzip and zstd are unpacked, whatever the name says."""
    if isinstance(what, (str, os.PathLike)) and os.fspath(what) != "-":
        path = os.fspath(what)
        with _open_path(path, name or path) as raw:
            plain = stat.S_ISREG(os.fstat(raw.fileno()).st_mode)
            yield _unpack(raw if plain else _patient(raw), name or path, path if plain else None)
    elif isinstance(what, (str, os.PathLike)):
        yield _unpack(_patient(_as_binary(sys.stdin)), name or "standard input", None)
    else:
        yield _unpack(_patient(_as_binary(what)), name or str(getattr(what, "name", "file object")), None)


def _open_path(path: str, name: str) -> io.BufferedReader:
    try:
        return io.BufferedReader(io.FileIO(path), HEAD)
    except FileNotFoundError:
        raise UsageError(f"{name}: there is no such file") from None
    except IsADirectoryError:
        raise UsageError(f"{name}: this is a directory, not a file") from None
    except PermissionError:
        if os.path.isdir(path):
            raise UsageError(f"{name}: this is a directory, not a file") from None
        raise UsageError(f"{name}: no permission to read it") from None
    except OSError as error:
        raise UsageError(f"{name}: cannot be opened: {error.strerror or error}") from None
    except ValueError as error:
        raise UsageError(f"{name!r}: this is not the name of a file: {error}") from None


class _Filling(io.RawIOBase):
    """Bytes of another stream, each read waiting until all it asked for is there; closing it closes nothing."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        return self._stream.readinto(target)


def _patient(stream: io.BufferedReader) -> io.BufferedReader:
    """A pipe gives what has arrived so far, be it half a line; this waits, so that `head` sees enough."""
    return io.BufferedReader(_Filling(stream), HEAD)


def _as_binary(stream: IO[Any]) -> io.BufferedReader:
    buffer = getattr(stream, "buffer", None)
    if isinstance(buffer, io.BufferedReader):
        return buffer
    if isinstance(stream, io.BufferedReader):
        return stream
    try:
        content = stream.read()
    except UnicodeDecodeError:
        raise UsageError(f"{getattr(stream, 'name', 'file object')}: open it in binary mode ('rb')") from None
    except OSError as error:
        raise UsageError(f"{getattr(stream, 'name', 'file object')}: cannot be read: {error}") from None
    if isinstance(content, str):
        content = content.encode("utf-8", "surrogateescape")
    return io.BufferedReader(cast(io.RawIOBase, io.BytesIO(content)), HEAD)


def _unpack(raw: io.BufferedReader, name: str, path: str | None) -> Source:
    try:
        magic = raw.peek(4)[:4]
    except OSError as error:
        raise UsageError(f"{name}: cannot be read: {error.strerror or error}") from None
    if magic.startswith(GZIP):
        return _peekable(gzip.GzipFile(fileobj=raw), name)
    if magic.startswith(zstd.MAGIC):
        return _peekable(zstd.reader(raw, name), name)
    return Source(name, raw, path)


def _peekable(unpacked: Any, name: str) -> Source:
    stream = io.BufferedReader(unpacked, HEAD)
    try:
        stream.peek(1)
    except (EOFError, zlib.error, OSError) as error:
        raise FormatError(
            f"the compressed data is damaged or ends early ({error}). Fetch the file again.", source=name
        ) from None
    return Source(name, stream)
