"""Lines of text files become rows, on the workers: by the same parsers that read files elsewhere."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from cranfield.data.shapes import SHAPES
from cranfield.data.values import shown
from cranfield.errors import FormatError
from cranfield.formats import module
from cranfield.formats.files import open_source
from cranfield.spark.rows import Origin, RowLayout

if TYPE_CHECKING:
    import pyarrow as pa

_REMEMBERED = 4 << 20
"""So many bytes of lines can be shown in a message: more than a parser looks at in one go."""


@dataclass(frozen=True)
class TextParser:
    """What workers need to know to make rows of lines."""

    kind: str
    format: str
    origins: dict[int, Origin]
    """Where rows come from, by what the lines say of their file."""
    layout: RowLayout

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Batches of `line`, `file` and `block`, the place in the file where Spark began to read."""
        parser = module(self.format, self.kind)
        for (file, block), pieces in groupby(_stretches(batches), key=lambda stretch: stretch[0]):
            origin = self.origins[file]
            lines = _Lines(lines for _, lines in pieces)
            with open_source(io.BufferedReader(lines), origin.file) as source:
                source.head()
                problem = _Problem(origin.file, lines, block)
                for records in parser.iter_records(source, SHAPES[self.kind], problem):
                    yield self.layout.batch(records, origin, origin.place(block) + records.place.astype(np.int64) - 1)


@dataclass(frozen=True)
class _Problem:
    """Raises for the first thing that is wrong with a line, and shows the line."""

    file: str
    lines: _Lines
    block: int

    def __call__(self, kind: str, line: int, reason: str) -> NoReturn:
        where = f" (the line: {shown(self.lines.content(line))})"
        # Lines are counted from where a worker begins to read, which is the first line for one of them only.
        raise FormatError(f"{reason}{where}", source=self.file, line=None if self.block else line)


def _stretches(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[tuple[int, int], pa.Array]]:
    """Lines that stand one below the other in a file, and which file and block they are of."""
    for batch in batches:
        file, block = (batch.column(name).to_numpy() for name in ("file", "block"))
        edges = np.flatnonzero((file[1:] != file[:-1]) | (block[1:] != block[:-1])) + 1
        for begin, end in zip([0, *edges.tolist()], [*edges.tolist(), len(file)], strict=True):
            if end > begin:
                yield (int(file[begin]), int(block[begin])), batch.column("line").slice(begin, end - begin)


class _Lines(io.RawIOBase):
    """Arrays of lines, to be read as the file they come from."""

    def __init__(self, arrays: Iterator[pa.Array]) -> None:
        self._arrays = arrays
        self._left = memoryview(b"")
        self._recent = deque[tuple[int, Any]]()
        self._next_line = 1

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        if not len(self._left):
            array = next(self._arrays, None)
            if array is None:
                return 0
            self._left = self._text(array)
        got = min(len(target), len(self._left))
        target[:got] = self._left[:got]
        self._left = self._left[got:]
        return got

    def _text(self, lines: pa.Array) -> memoryview:
        import pyarrow as pa
        import pyarrow.compute as pc

        self._recent.append((self._next_line, lines))
        self._next_line += len(lines)
        while sum(array.nbytes for _, array in self._recent) > _REMEMBERED + self._recent[-1][1].nbytes:
            self._recent.popleft()
        together = pc.binary_join(pa.ListArray.from_arrays([0, len(lines)], lines), b"\n")
        return memoryview(together[0].as_py() + b"\n")

    def content(self, line: int) -> bytes:
        """What a line says that was read not long ago, counted from 1."""
        for first, lines in self._recent:
            if first <= line < first + len(lines):
                return bytes(lines[line - first].as_py()).strip()
        return b""
