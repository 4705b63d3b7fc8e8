"""A file in pieces of whole lines, for formats whose lines are not fields between white space."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.formats.files import Source

CHUNK = 1 << 20


def iter_chunks(source: Source, size: int = CHUNK) -> Iterator[bytes]:
    """Pieces of about `size` bytes that end with a newline, but for the last, which may lack it."""
    rest = bytearray()
    block = bytearray(size)
    while True:
        got = source.readinto(memoryview(block))
        end = block.rfind(b"\n", 0, got) + 1
        if end:
            yield bytes(rest) + bytes(block[:end])
            rest = bytearray(block[end:got])
        else:
            rest += block[:got]
        if got < size:
            if rest:
                yield bytes(rest)
            return
