"""Rows of Parquet files become ours, on the workers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from cranfield.data.shapes import SHAPES
from cranfield.errors import FormatError
from cranfield.formats.parquet import batch_records
from cranfield.spark.rows import Origin, RowLayout

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class ParquetParser:
    """What workers need to know to make rows of those of Parquet files."""

    kind: str
    names: dict[str, str]
    """What the files call our columns."""
    origins: dict[int, Origin]
    layout: RowLayout

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Batches of the files' columns, with `file`, and `row`, the place of each in its file."""
        for batch in batches:
            file, row = (batch.column(name).to_numpy() for name in ("file", "row"))
            edges = np.flatnonzero((file[1:] != file[:-1]) | (row[1:] != row[:-1] + 1)) + 1
            for begin, end in zip([0, *edges.tolist()], [*edges.tolist(), len(file)], strict=True):
                if end > begin:
                    origin = self.origins[int(file[begin])]
                    yield self._rows(batch.slice(begin, end - begin), origin, int(row[begin]))

    def _rows(self, batch: pa.RecordBatch, origin: Origin, first: int) -> pa.RecordBatch:
        def problem(kind: str, row: int, reason: str) -> NoReturn:
            same = ""
            if kind == "missing":
                named = ", ".join(self.names.values())
                same = f". Files that are read together need the same columns, here {named}: has this file all of them?"
            raise FormatError(f"row {row}: {reason}{same}", source=origin.file)

        records = batch_records(batch, self.names, SHAPES[self.kind], first + 1, origin.file, problem)
        place = origin.place(first) + np.arange(len(records.place))
        return self.layout.batch(records, origin, place)
