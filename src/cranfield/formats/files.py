"""Opening what is to be read."""

from __future__ import annotations

import contextlib
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import IO, Any, cast

from cranfield.errors import DataError, FormatError, UsageError
from cranfield.formats import zstd

GZIP = b"\x1f\x8b\x08"
UTF8_BOM = b"\xef\xbb\xbf"
UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
HEAD = 1 << 16
_NAMED = 8
"""So many files are named of a directory that was given for one."""

Readable = str | os.PathLike[str] | IO[Any]
Progress = Callable[[str, float], None]
"""Told the name of a file and what share of it has been read."""

_progress: ContextVar[Progress | None] = ContextVar("progress", default=None)
_hearer: ContextVar[Callable[[memoryview], object] | None] = ContextVar("hearer", default=None)


@contextlib.contextmanager
def telling_progress(tell: Progress | None) -> Iterator[None]:
    """Within this context, `tell` hears how far files have been read; None tells nobody."""
    token = _progress.set(tell)
    try:
        yield
    finally:
        _progress.reset(token)


def progress_within(begin: float, end: float) -> Progress | None:
    """Who is told now, as one who hears of a stretch of a file as if it were the whole."""
    tell = _progress.get()
    if tell is None:
        return None
    return lambda name, share: tell(name, (share - begin) / (end - begin))


@contextlib.contextmanager
def hearing_streams(hear: Callable[[memoryview], object]) -> Iterator[None]:
    """Within this context, `hear` is given all bytes of what can be read only once: a pipe, or a file object."""
    token = _hearer.set(hear)
    try:
        yield
    finally:
        _hearer.reset(token)


@dataclass(eq=False, repr=False)
class Source:
    """Something to read bytes from, with the name that error messages give it.

    `path` is set where the bytes are those of a plain file, so that several processes can read it at once.
    """

    name: str
    stream: io.BufferedIOBase
    path: str | None = None
    share_read: Callable[[], float] | None = None
    """How much of the file has been read, where that is known."""
    recognised: bool = False
    """Whether the format was recognised by the content, and not named."""

    def first_bytes(self) -> bytes:
        """The first bytes as they are, without moving on."""
        with self._reading():
            return self.stream.peek(HEAD)[:HEAD] if isinstance(self.stream, io.BufferedReader) else b""

    def head(self) -> bytes:
        """The first bytes, without moving on; a byte-order mark is passed over."""
        peeked = self.first_bytes()
        if peeked.startswith(UTF16_BOMS) and b"\0" in peeked:
            raise DataError(
                f"{self.name}: this is UTF-16 text. Convert it to UTF-8 first (iconv -f UTF-16); documents and topics "
                "can also be read as they are (--encoding utf-16)."
            )
        if peeked.startswith(UTF8_BOM):
            self.stream.read(len(UTF8_BOM))
            self.path = None
            return self.head()
        return peeked

    def readinto(self, target: memoryview) -> int:
        """Fill the target as far as there are bytes left."""
        filled = 0
        with self._reading():
            while filled < len(target):
                got = self.stream.readinto(target[filled:])
                if not got:
                    break
                filled += got
        return filled

    def read(self) -> bytes:
        """All that is left."""
        blocks: list[bytes] = []
        size = HEAD
        while True:
            block = bytearray(size)
            got = self.readinto(memoryview(block))
            if not got:
                return b"".join(blocks)
            blocks.append(bytes(block[:got]))
            size = 1 << 20

    def readlines(self, size: int = HEAD) -> list[bytes]:
        """Whole lines, about so many bytes of them; none if there are no more."""
        with self._reading():
            return self.stream.readlines(size)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        """What goes wrong while reading is told in our words, and how far it got to who wants to know."""
        try:
            yield
        except _damage() as error:
            raise FormatError(
                f"the compressed data is damaged or ends early ({error}). Fetch the file again.",
                source=self.name,
            ) from None
        except OSError as error:
            raise DataError(f"{self.name}: cannot be read: {error.strerror or error}") from None
        tell = _progress.get()
        if tell is not None and self.share_read is not None:
            tell(self.name, self.share_read())


@contextlib.contextmanager
def open_source(what: Readable, name: str | None = None) -> Iterator[Source]:
    """Open a path, `-` for standard input, or a file object; gzip and zstd are unpacked, whatever the name says."""
    if isinstance(what, (str, os.PathLike)) and os.fspath(what) != "-":
        path = os.fspath(what)
        with _open_path(path, name or path) as raw:
            status = os.fstat(raw.fileno())
            plain = stat.S_ISREG(status.st_mode)
            stream = raw if plain else _patient(raw)
            source = _unpack(stream, name or path, path if plain else None)
            if plain and status.st_size:
                source.share_read = lambda: raw.tell() / status.st_size
            yield source
            if not plain:
                _hear_the_rest(stream)
        return
    if isinstance(what, (str, os.PathLike)):
        stream, called = _patient(_as_binary(sys.stdin)), "standard input"
    else:
        stream, called = _patient(_as_binary(what)), str(getattr(what, "name", "file object"))
    yield _unpack(stream, name or called, None)
    _hear_the_rest(stream)


def _hear_the_rest(stream: io.BufferedReader) -> None:
    """Read what the reader had no use for, if someone is to hear of all bytes."""
    while _hearer.get() is not None and stream.read(HEAD):
        pass


def _open_path(path: str, name: str) -> io.BufferedReader:
    try:
        return io.BufferedReader(io.FileIO(path), HEAD)
    except FileNotFoundError:
        raise UsageError(f"{name}: there is no such file") from None
    except IsADirectoryError:
        raise _a_directory(path, name) from None
    except PermissionError:
        if os.path.isdir(path):
            raise _a_directory(path, name) from None
        raise UsageError(f"{name}: no permission to read it") from None
    except OSError as error:
        raise UsageError(f"{name}: cannot be opened: {error.strerror or error}") from None
    except ValueError as error:
        raise UsageError(f"{name!r}: this is not the name of a file: {error}") from None


def _a_directory(path: str, name: str) -> UsageError:
    """An error that names what is there, as it may be one of these that was meant."""
    try:
        there = sorted(entry.name + "/" * entry.is_dir() for entry in os.scandir(path) if entry.name[0] != ".")
    except OSError:
        there = []
    more = f" and {len(there) - _NAMED} more" if len(there) > _NAMED else ""
    inside = f"; in it there are {', '.join(there[:_NAMED])}{more}" if there else ""
    return UsageError(f"{name}: this is a directory, not a file{inside}")


class _Filling(io.RawIOBase):
    """Bytes of another stream, each read waiting until all it asked for is there; closing it closes nothing."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream = stream
        self._hear = _hearer.get()

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        got = self._stream.readinto(target)
        if self._hear is not None:
            self._hear(memoryview(target)[:got])
        return got


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
        import gzip

        return _peekable(gzip.GzipFile(fileobj=raw), name)
    if magic.startswith(zstd.MAGIC):
        return _peekable(zstd.reader(raw, name), name)
    return Source(name, raw, path)


def _damage() -> tuple[type[Exception], ...]:
    """What is raised where packed data is damaged or ends early."""
    import gzip
    import zlib

    return EOFError, zlib.error, gzip.BadGzipFile


def _peekable(unpacked: Any, name: str) -> Source:
    import zlib

    stream = io.BufferedReader(unpacked, HEAD)
    try:
        stream.peek(1)
    except (EOFError, zlib.error, OSError) as error:
        raise FormatError(
            f"the compressed data is damaged or ends early ({error}). Fetch the file again.", source=name
        ) from None
    return Source(name, stream)
