"""Files that people send: plain or packed with gzip, and never larger than they may be, however well packed."""

from __future__ import annotations

import gzip
import io
import zlib

from django.core.files.uploadedfile import UploadedFile

from cranfield.errors import DataError
from cranfield.web.named_bytes import NamedBytes

MOST_BYTES = 64 * 1024 * 1024
"""Of a run, a list of documents or judgments, unpacked."""
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


def unpacked(file: UploadedFile[bytes]) -> NamedBytes:
    """The whole content, with the name of the file."""
    name = file.name or "the file"
    packed = file.read(MOST_BYTES + 1)
    try:
        content = gzip.GzipFile(fileobj=io.BytesIO(packed)).read(MOST_BYTES + 1) if packed[:2] == _GZIP else packed
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{name}: the compressed data is damaged or ends early ({error})") from None
    if len(content) > MOST_BYTES:
        raise DataError(f"{name}: more than {MOST_BYTES >> 20} MB, unpacked; files may not be larger")
    if content.startswith((_GZIP, _ZSTD)):  # readers would unpack it once more, and no longer mind its size
        raise DataError(f"{name}: send it as plain text, or packed once, with gzip")
    if not content.strip():
        raise DataError(f"{name}: the file is empty")
    return NamedBytes(content, name)


def packed(content: bytes) -> bytes:
    """As it is kept; the same content gives the same bytes."""
    return gzip.compress(content, mtime=0)
