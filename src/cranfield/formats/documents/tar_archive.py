"""Tar archives, read from the beginning to the end without a look back, so that they may come through a pipe."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from typing import IO, Any, cast

from cranfield.errors import DataError, FormatError
from cranfield.formats.documents.identifiers import brief
from cranfield.formats.documents.members import Member, is_left_out, opened, refuse_path
from cranfield.formats.files import Source

_BLOCK = 512
_ERRORS = (tarfile.TarError, EOFError, ValueError, LookupError, OverflowError)
"""What the library raises for an archive that is damaged."""


def recognise(head: bytes) -> bool:
    """A header whose sum is right; an archive without members is blocks of zeros."""
    try:
        tarfile.TarInfo.frombuf(head[:_BLOCK], "utf-8", "surrogateescape")
    except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
        return True
    except tarfile.HeaderError:
        return False
    return True


class _Bytes:
    """What tarfile reads: errors of the packing, and who hears of progress, are the source's business."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def read(self, size: int) -> bytes:
        block = bytearray(size)
        got = self._source.readinto(memoryview(block))
        return bytes(block[:got])


def iter_members(source: Source) -> Iterator[Member]:
    """The files in the order in which they were packed, each open until the next is asked for."""
    cut_short = FormatError("the archive is damaged or cut short. Fetch it again.", source=source.name)

    class Header(tarfile.TarInfo):
        """tarfile takes a header that it cannot read for the end of the archive; only zeros are."""

        @classmethod
        def fromtarfile(cls, archive: tarfile.TarFile) -> Any:
            try:
                return super().fromtarfile(archive)
            except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
                raise
            except tarfile.HeaderError:
                raise cut_short from None

    stream = _Bytes(source)
    try:
        with tarfile.open(fileobj=cast(IO[bytes], stream), mode="r|", tarinfo=Header, bufsize=1 << 16) as archive:
            while (header := archive.next()) is not None:
                archive.members = []  # type: ignore[attr-defined] # which would otherwise hold every header to the end
                refuse_path(header.name, source.name)
                if header.isdir() or is_left_out(header.name):
                    continue
                if not header.isreg():
                    what = f"a link to {brief(header.linkname)}" if header.issym() or header.islnk() else "not a file"
                    raise DataError(f"{source.name}: refused: the member {brief(header.name)} is {what}")
                path = header.name.removeprefix("./")
                content = cast(IO[bytes], archive.extractfile(header))
                with opened(content, _ERRORS, f"{source.name}/{path}") as member:
                    yield Member(path, member)
            while stream.read(1 << 16):  # so that a packed archive is seen to be whole
                pass
    except _ERRORS:
        raise cut_short from None
