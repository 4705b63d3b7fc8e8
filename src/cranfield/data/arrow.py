"""Columns from and to Apache Arrow, without a Python object per row."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.data.strings import PADDING, Floats, Strings, concatenate
from cranfield.data.values import WHOLE, Where, whole_numbers
from cranfield.errors import DataError


def identifiers_from_arrow(column: Any, what: str, where: Where) -> Strings:
    """Identifiers from an Arrow array (or several, chunked) of text, bytes or whole numbers."""
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        if not column.num_chunks:
            return Strings.from_list([])
        if column.num_chunks > 1:
            _refuse_nulls(column, what, where)  # here, where rows are counted from the first chunk on
            return concatenate(identifiers_from_arrow(chunk, what, where) for chunk in column.chunks)
        column = column.chunk(0)
    _refuse_nulls(column, what, where)
    kind = column.type
    if pa.types.is_dictionary(kind):
        if column.dictionary.null_count:
            return identifiers_from_arrow(column.dictionary_decode(), what, where)
        rows = column.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        return identifiers_from_arrow(column.dictionary, what, where).take(rows)
    if pa.types.is_integer(kind):
        return whole_numbers(column.to_numpy(zero_copy_only=False))
    if not (
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_string_view(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or pa.types.is_binary_view(kind)
        or pa.types.is_fixed_size_binary(kind)
    ):
        raise DataError(
            f"{where(WHOLE)}: {what} is a column of type {kind}; expected text or whole numbers. "
            f"Convert it to text first."
        )
    return _flat(column.cast(pa.large_binary()))


def _flat(column: Any) -> Strings:
    """The bytes of an Arrow array of type large_binary."""
    _, offsets, data = column.buffers()
    if offsets is None or not len(column):
        return Strings.from_list([b""] * len(column))
    bounds = np.frombuffer(offsets, dtype=np.int64)[column.offset :][: len(column) + 1]
    low, high = int(bounds[0]), int(bounds[-1])
    content = b"" if data is None else memoryview(data)[low:high]
    padded = np.frombuffer(bytes(content) + PADDING, dtype=np.uint8)
    return Strings(padded, bounds[:-1] - low, np.diff(bounds))


def numbers_from_arrow(column: Any, what: str, where: Where) -> Floats:
    """Finite numbers from an Arrow array of any numeric type."""
    import pyarrow as pa

    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        raise DataError(f"{where(WHOLE)}: {what} is a column of type {kind}; expected numbers")
    _refuse_nulls(column, what, where)
    # A whole number beyond 2**53 is rounded to the nearest float, as everywhere.
    return finite(column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False), what, where)


def finite(values: Floats, what: str, where: Where) -> Floats:
    """The values, if all are finite."""
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        at = int(wrong[0])
        raise DataError(f"{where(at)}: {what} {float(values[at])} is not a finite number")
    return values


def identifiers_to_arrow(column: Strings) -> Any:
    """An Arrow array of text, or of bytes where not everything is UTF-8."""
    import pyarrow as pa

    own = column.compact()
    bounds = np.append(own.start, own.start[-1] + own.length[-1]) if len(own) else np.zeros(1, dtype=np.int64)
    buffers = [None, pa.py_buffer(bounds), pa.py_buffer(own.data)]
    text = pa.Array.from_buffers(pa.large_string(), len(own), buffers)
    try:
        text.validate(full=True)
    except pa.ArrowInvalid:
        return pa.Array.from_buffers(pa.large_binary(), len(own), buffers)
    return text


def bytes_to_arrow(column: Strings) -> Any:
    """An Arrow array of bytes."""
    import pyarrow as pa

    own = column.compact()
    bounds = np.append(0, np.cumsum(own.length)).astype(np.int32)
    return pa.Array.from_buffers(pa.binary(), len(own), [None, pa.py_buffer(bounds), pa.py_buffer(own.data)])


def _refuse_nulls(column: Any, what: str, where: Where) -> None:
    if column.null_count:
        at = int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0])
        raise DataError(f"{where(at)}: {what} is missing")
