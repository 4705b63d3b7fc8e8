"""Files that people upload: one text each, plain or packed, and never more of it than the server takes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeAlias

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from cranfield.errors import AnotherKindError, CranfieldError, DataError
from cranfield.formats.files import HEAD, open_source

Upload: TypeAlias = "UploadedFile[Any]"
_BLOCK = 1 << 20


@contextmanager
def unpacked(upload: Upload) -> Iterator[Path]:
    """A file on the disk with what is in an upload, for as long as this lasts; errors speak of it by its own name."""
    with tempfile.TemporaryDirectory(prefix="cranfield-upload-") as folder:
        name = Path(upload.name or "file").name
        try:
            packed, plain = (Path(folder) / place / name for place in ("packed", "plain"))
            for path in (packed, plain):
                path.parent.mkdir()
            with packed.open("wb") as out:
                for chunk in upload.chunks():
                    out.write(chunk)
            with plain.open("wb") as out:
                _unpack(packed, out, name)
            packed.unlink()
            yield plain
        except CranfieldError as error:
            said = error.found if isinstance(error, AnotherKindError) else str(error)
            said = said.replace(f"{folder}/packed/", "").replace(f"{folder}/plain/", "")
            raise DataError(said) from None


def _unpack(packed: Path, out: IO[bytes], name: str) -> None:
    """A small file may unpack to terabytes: it is no longer read than an upload may be."""
    with open_source(packed) as source:
        if b"\0" in source.first_bytes()[:HEAD]:
            raise DataError(
                f"{name}: this is no text. Upload one text file, plain or packed by gzip or zstd: for documents JSON "
                "lines, CSV, TSV or TREC; archives and Parquet can be read where they lie on the server"
            )
        block, written = memoryview(bytearray(_BLOCK)), 0
        while got := source.readinto(block):
            written += got
            if written > settings.UPLOAD_MAX_SIZE:
                raise DataError(
                    f"{name}: unpacked, it has more than {settings.UPLOAD_MAX_SIZE // 2**20} MiB. What is larger can "
                    "be read where it lies on the server"
                )
            out.write(block[:got])
    if not written:
        raise DataError(f"{name}: the file is empty")
