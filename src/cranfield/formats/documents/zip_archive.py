"""Zip archives, in the order of their table of contents, which is at the end."""

from __future__ import annotations

import lzma
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator

from cranfield.errors import DataError, FormatError
from cranfield.formats.documents.copies import in_any_order
from cranfield.formats.documents.identifiers import brief
from cranfield.formats.documents.members import Member, is_left_out, opened, refuse_path
from cranfield.formats.files import Source

_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_ERRORS = (
    *(zipfile.BadZipFile, EOFError, OSError, RuntimeError, ValueError),
    *(lzma.LZMAError, struct.error, zlib.error),
)
"""What the library raises for an archive that is damaged."""


def recognise(head: bytes) -> bool:
    """The first four bytes of an archive, or of an empty one."""
    return head.startswith(_MAGIC)


def iter_members(source: Source) -> Iterator[Member]:
    """The files, each open until the next is asked for."""
    with in_any_order(source) as content:
        try:
            with zipfile.ZipFile(content) as archive:
                for header in archive.infolist():
                    refuse_path(header.filename, source.name)
                    if stat.S_ISLNK(header.external_attr >> 16):
                        raise DataError(f"{source.name}: refused: the member {brief(header.filename)} is a link")
                    if header.flag_bits & 1:
                        raise DataError(f"{source.name}: the member {brief(header.filename)} is locked with a password")
                    if header.is_dir() or is_left_out(header.filename):
                        continue
                    with (
                        archive.open(header) as packed,
                        opened(packed, _ERRORS, f"{source.name}/{header.filename}") as member,
                    ):
                        yield Member(header.filename, member)
        except _ERRORS as error:
            reason = f"the archive is damaged, or packed in a way that is not read here ({str(error)[:100]})"
            raise FormatError(reason, source=source.name) from None
