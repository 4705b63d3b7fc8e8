"""Packing and unpacking zstd: with Python's own module from 3.14 on, before that with the library `zstandard`."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from cranfield.errors import MissingExtraError

MAGIC = b"\x28\xb5\x2f\xfd"
_PIECE = 1 << 14


def reader(packed: BinaryIO, name: str) -> io.RawIOBase:
    """The unpacked bytes of a zstd stream; EOFError if it is damaged or ends early."""
    with contextlib.suppress(ImportError):
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]

        return _Unpacked(packed, zstd.ZstdDecompressor, zstd.ZstdError)
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError(f"{name} is packed with zstd, and reading it", "zstd") from None
    return _Unpacked(packed, zstandard.ZstdDecompressor().decompressobj, zstandard.ZstdError)


def writer(raw: BinaryIO) -> contextlib.AbstractContextManager[BinaryIO]:
    """A file that packs what is written to it."""
    with contextlib.suppress(ImportError):
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]

        return cast(contextlib.AbstractContextManager[BinaryIO], zstd.ZstdFile(raw, "wb"))
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError("writing zstd", "zstd") from None
    packing = zstandard.ZstdCompressor().stream_writer(raw, closefd=False)
    return cast(contextlib.AbstractContextManager[BinaryIO], packing)


class _Unpacked(io.RawIOBase):
    """One frame or many, unpacked piece by piece. The libraries' own readers pass over a frame that is cut short."""

    def __init__(self, packed: BinaryIO, new: Callable[[], Any], error: type[Exception]) -> None:
        self._packed, self._new, self._error = packed, new, error
        self._unpacker = new()
        self._begun = False
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        while not self._ready:
            more = b""
            if self._unpacker.eof:
                more = self._unpacker.unused_data
                self._unpacker, self._begun = self._new(), False
            more = more or self._packed.read(_PIECE)
            if not more:
                if self._begun:
                    raise EOFError("the last zstd frame is not complete")
                return 0
            self._begun = True
            try:
                self._ready = memoryview(self._unpacker.decompress(more))
            except self._error as error:
                raise EOFError(str(error)) from None
        size = min(len(target), len(self._ready))
        target[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size
