"""The lines of a source in batches that fit in memory, as tables: number and text; what is no UTF-8 apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.formats.files import Source

if TYPE_CHECKING:
    import pyarrow as pa

BATCH = 32 << 20
"""How many bytes are taken at a time."""


class Refused(NamedTuple):
    """A row that cannot be taken for text or cells."""

    line: int
    reason: str
    raw: str


class Lines(NamedTuple):
    """Some rows of a source, one after the other."""

    table: pa.Table
    """`line`, its number from 1, and `raw`, its text, or a column for each cell; empty lines are left out."""
    refused: list[Refused]
    rows: int
    """How many rows there are that are not empty, the refused ones included."""


def not_utf8(line: int, raw: bytes) -> Refused:
    """A row with bytes that are no text."""
    return Refused(line, "not UTF-8", raw.decode(errors="backslashreplace"))


def batches(source: Source, size: int = BATCH, end: bytes = b"\n") -> Iterator[Lines]:
    """All lines, about so many bytes at a time; a longer line is one batch. `end` is the byte that ends a line."""
    source.head()  # passes over a byte-order mark
    rest, first = b"", 1
    while True:
        block = bytearray(size)
        got = source.readinto(memoryview(block))
        content = rest + bytes(memoryview(block)[:got])
        if got < size:
            if content:
                yield _lines(content if content.endswith(end) else content + end, first, end)
            return
        whole = content.rfind(end) + 1
        if not whole:
            rest = content
            continue
        lines = _lines(content[:whole], first, end)
        first += content.count(end, 0, whole)
        rest = content[whole:]
        yield lines


def _lines(content: bytes, first: int, end: bytes) -> Lines:
    """Whole lines, the first of which has this number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    data = np.frombuffer(content, np.uint8)
    ends = np.flatnonzero(data == ord(end))
    offsets = np.concatenate(([0], ends + 1))
    numbers = np.arange(first, first + len(ends), dtype=np.int64)
    raw = pa.LargeBinaryArray.from_buffers(
        pa.large_binary(), len(ends), [None, pa.py_buffer(offsets.astype(np.int64)), pa.py_buffer(content)]
    )
    refused = list[Refused]()
    try:
        text = raw.cast(pa.large_string())
    except pa.ArrowInvalid:
        good = np.ones(len(raw), bool)
        for place, line in enumerate(raw.to_pylist()):
            try:
                line.decode()
            except UnicodeDecodeError:
                good[place] = False
                refused.append(not_utf8(int(numbers[place]), line.rstrip(b"\r\n")))
        keep = pa.array(good)
        text, numbers = raw.filter(keep).cast(pa.large_string()), numbers[good]
    table = pa.table({"line": pa.array(numbers), "raw": text})
    table = table.filter(pc.not_equal(pc.utf8_trim(text, characters=" \t\r\n" + end.decode()), ""))
    return Lines(table, refused, len(table) + len(refused))
