"""Parquet tables with a column for each of ours, in any order; further columns are ignored."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np

from cranfield.data.arrow import identifiers_from_arrow, identifiers_to_arrow, numbers_from_arrow
from cranfield.data.columns import Columns
from cranfield.data.shapes import SHAPES, Shape
from cranfield.data.values import in_row
from cranfield.errors import DataError, FormatError, MissingExtraError
from cranfield.formats.files import Source
from cranfield.formats.lines import OnProblem
from cranfield.formats.records import Records, reader

NAME = "parquet"
DESCRIPTION = "parquet: columns such as query_id, doc_id, relevance"
SUFFIXES = (".parquet", ".pq")
UNIT = "row"
HOLDS = frozenset({"iteration", "stratum", "method", "probability", "score"})

_MAGIC = b"PAR1"
_BATCH = 1 << 17


def recognise(head: bytes) -> bool:
    """The four bytes a Parquet file begins with."""
    return head.startswith(_MAGIC)


def _library() -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("Parquet", "parquet") from None
    return pyarrow.parquet


def column_names(source: Source) -> list[str]:
    """The names of the columns; the file must be one that can be opened again."""
    if source.path is None:
        raise DataError(f"{source.name}: say what this Parquet file holds: --kind qrels, run or preferences")
    return list(_open(source).schema_arrow.names)


def _open(source: Source) -> Any:
    library = _library()
    import pyarrow

    try:
        return library.ParquetFile(source.path or io.BytesIO(source.read()))
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise _damaged(source.name, error) from None


def _damaged(name: str, error: Exception) -> FormatError:
    reason = str(error).split("\n")[0].rstrip(".")
    return FormatError(f"this Parquet file is damaged or cut short ({reason}). Fetch it again.", source=name)


def iter_records(source: Source, shape: Shape, on_problem: OnProblem) -> Iterator[Records]:
    """The rows in batches."""
    _library()
    import pyarrow

    with _open(source) as file:
        names = shape.match(file.schema_arrow.names, source.name)
        batches = file.iter_batches(batch_size=_BATCH, columns=list(names.values()))
        row = 1
        while True:
            try:
                batch = next(batches, None)
                if batch is None:
                    return
                records = batch_records(batch, names, shape, row, source.name, on_problem)
            except (pyarrow.ArrowException, OSError, ValueError, IndexError) as error:
                raise _damaged(source.name, error) from None
            yield records
            row += len(batch)


read_qrels = reader("qrels", iter_records, UNIT)
read_run = reader("run", iter_records, UNIT)
read_preferences = reader("preferences", iter_records, UNIT)


def batch_records(
    batch: Any, names: dict[str, str], shape: Shape, row: int, source: str, on_problem: OnProblem
) -> Records:
    """The records of an Arrow batch that begins with this row of a file; `names` are those that `shape` matched."""
    good = np.ones(len(batch), dtype=np.bool_)
    for ours, theirs in names.items():
        column = batch.column(theirs)
        null = column.is_null(nan_is_null=False).to_numpy(zero_copy_only=False)
        for at in np.flatnonzero(null).tolist():
            on_problem("missing", row + at, f"{theirs} is missing")
        good &= ~null
        if shape[ours].number and column.type in _floats():
            odd = ~null & ~np.isfinite(column.to_numpy(zero_copy_only=False).astype(np.float64))
            for at in np.flatnonzero(odd).tolist():
                on_problem("number", row + at, f"{theirs} {column[at].as_py()} is not a finite number")
            good &= ~odd
    place = (np.flatnonzero(good) + row).astype(np.int32)
    if not good.all():
        batch = batch.take(np.flatnonzero(good))
    columns = Columns()
    for ours, theirs in names.items():
        column = batch.column(theirs)
        if shape[ours].number:
            columns.numbers[ours] = numbers_from_arrow(column, theirs, in_row(source))
        else:
            columns.ids[ours] = identifiers_from_arrow(column, theirs, in_row(source))
    return _without_empty(Records(columns, place), names, on_problem)


def _without_empty(records: Records, names: dict[str, str], on_problem: OnProblem) -> Records:
    good = np.ones(len(records.place), dtype=np.bool_)
    for ours, column in records.columns.ids.items():
        for at in np.flatnonzero(column.length == 0).tolist():
            on_problem("missing", int(records.place[at]), f"{names[ours]} is empty")
            good[at] = False
    return records if good.all() else Records(records.columns.take(good), records.place[good])


def _floats() -> tuple[Any, ...]:
    import pyarrow

    return pyarrow.float16(), pyarrow.float32(), pyarrow.float64()


def write(columns: Columns, kind: str, out: BinaryIO) -> None:
    """Write under our names of the columns; whole grades as whole numbers."""
    library = _library()
    import pyarrow

    arrays: dict[str, Any] = {}
    for column in SHAPES[kind].columns:
        if column.name in columns.ids:
            arrays[column.name] = identifiers_to_arrow(columns.ids[column.name])
        elif column.name in columns.numbers:
            values = columns.numbers[column.name]
            whole = column.name == "relevance" and bool((values == np.floor(values)).all())
            fits = whole and bool((np.abs(values) < 2**53).all())
            arrays[column.name] = values.astype(np.int64) if fits else values
    stream = pyarrow.BufferOutputStream()  # Parquet needs to know where it is, which a pipe does not
    library.write_table(pyarrow.table(arrays), stream)
    out.write(stream.getvalue())
