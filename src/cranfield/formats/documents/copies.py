"""Files that must be read in any order, whatever they come through."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from typing import IO

from cranfield.formats.files import Source

_BLOCK = 1 << 20


@contextlib.contextmanager
def in_any_order(source: Source) -> Iterator[str | IO[bytes]]:
    """The path of a plain file; of anything else, which ends only when it has been read, a copy on disk."""
    if source.path is not None:
        yield source.path
        return
    with tempfile.TemporaryFile() as copy:
        block = memoryview(bytearray(_BLOCK))
        while got := source.readinto(block):
            copy.write(block[:got])
        copy.seek(0)
        yield copy
