"""Judgments and runs from dataframes and from plain Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from cranfield.data.arrow import finite, identifiers_from_arrow
from cranfield.data.columns import Columns
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.shapes import QRELS, RUN, Shape
from cranfield.data.strings import Floats, Strings
from cranfield.data.values import WHOLE, Where, identifiers, in_row, numbers, whole_numbers
from cranfield.errors import DataError, UsageError


def as_qrels(judgments: Any, *, name: str = "qrels") -> Qrels:
    """Judgments from whatever holds them: Qrels, `{query: {document: grade}}`, tuples, records or a dataframe.

    >>> as_qrels([("q1", "d1", 1)])["q1"]
    {'d1': 1}
    >>> as_qrels([{"qid": "q1", "docno": "d1", "label": 2}])["q1"]
    {'d1': 2}
    """
    if isinstance(judgments, Qrels):
        return judgments
    if isinstance(judgments, Mapping):
        return Qrels.from_dict(judgments, name=name)
    if is_frame(judgments):
        return Qrels.from_frame(judgments, name=name)
    rows = _rows(judgments, "qrels", "{query: {document: grade}}")
    columns = _columns_of_records(rows, QRELS, name)
    if columns is not None:
        return Qrels.from_columns(columns, name=name).checked(unit="row")
    return Qrels.from_tuples(rows, name=name)


def as_run(results: Any, *, name: str = "run") -> Run:
    """A run from whatever holds it: Run, `{query: {document: score}}`, tuples, records or a dataframe.

    >>> as_run({"q1": {"d1": 0.5}})["q1"]
    {'d1': 0.5}
    """
    if isinstance(results, Run):
        return results
    if isinstance(results, Mapping):
        return Run.from_dict(results, name=name)
    if is_frame(results):
        return Run.from_frame(results, name=name)
    rows = _rows(results, "run", "{query: {document: score}}")
    columns = _columns_of_records(rows, RUN, name)
    if columns is not None:
        return Run.from_columns(columns, name=name).checked(unit="row")
    return Run.from_tuples(rows, name=name)


def is_frame(candidate: Any) -> bool:
    """Whether it is a table that narwhals knows how to read. Imports no dataframe library."""
    if isinstance(candidate, (list, tuple, str, bytes)):
        return False
    import narwhals as nw

    return bool(nw.dependencies.is_into_dataframe(candidate)) or isinstance(
        nw.from_native(candidate, pass_through=True), nw.LazyFrame
    )


def read_frame(frame: Any, shape: Shape, name: str) -> Columns:
    """The columns of a dataframe that belong to the shape."""
    import narwhals as nw

    try:
        table = nw.from_native(frame)
    except TypeError:
        raise UsageError(f"{name}: expected a pandas, polars or pyarrow table, found {type(frame).__name__}") from None
    if isinstance(table, nw.LazyFrame):
        table = table.collect()
    columns = Columns()
    for ours, theirs in shape.match(table.columns, name).items():
        if shape[ours].number:
            columns.numbers[ours] = _number_column(table[theirs], theirs, in_row(name))
        else:
            columns.ids[ours] = _id_column(table[theirs], theirs, in_row(name))
    return columns


def _id_column(series: Any, what: str, where: Where) -> Strings:
    _refuse_missing(series, what, where)
    if series.dtype.is_integer():
        return whole_numbers(series.to_numpy())
    if series.dtype.is_float():
        raise DataError(
            f"{where(WHOLE)}: {what} is a column of floats; expected text or whole numbers. "
            f"Missing values turn whole numbers into floats: drop those rows, then convert it to text."
        )
    try:
        column = series.to_arrow()
    except (ImportError, TypeError, ValueError):  # no pyarrow, or values of several types
        return identifiers(series.to_list(), what, where)
    return identifiers_from_arrow(column, what, where)


def _number_column(series: Any, what: str, where: Where) -> Floats:
    import narwhals as nw

    _refuse_missing(series, what, where)
    if series.dtype == nw.Object:
        return numbers(series.to_list(), what, where)
    if not (series.dtype.is_numeric() or series.dtype == nw.Boolean):
        raise DataError(f"{where(WHOLE)}: {what} is a column of type {series.dtype}; expected numbers")
    return finite(series.cast(nw.Float64).to_numpy(), what, where)


def _refuse_missing(series: Any, what: str, where: Where) -> None:
    if series.null_count():
        at = int(np.flatnonzero(series.is_null().to_numpy())[0])
        raise DataError(f"{where(at)}: {what} is missing")


def _rows(rows: Any, kind: str, wanted: str) -> list[Any]:
    if isinstance(rows, (str, bytes)) or not isinstance(rows, Iterable):
        raise UsageError(
            f"cannot make a {kind} of {type(rows).__name__} {rows!r:.60}; expected {wanted}, a list of tuples, or a "
            f"pandas, polars or pyarrow table"
        )
    return list(rows)


def _columns_of_records(rows: list[Any], shape: Shape, name: str) -> Columns | None:
    """Columns of a list of dicts or named tuples; None for plain tuples, whose order says what they are."""
    if not rows:
        return None
    if isinstance(rows[0], Mapping):
        names = list(rows[0])
    elif hasattr(rows[0], "_fields"):
        names = list(rows[0]._fields)
    else:
        return None
    columns = Columns()
    for ours, theirs in shape.match(names, name).items():
        try:
            values = [row[theirs] if isinstance(row, Mapping) else getattr(row, theirs) for row in rows]
        except (AttributeError, KeyError):
            raise DataError(f"{name}: not every record has {theirs!r}") from None
        if shape[ours].number:
            columns.numbers[ours] = numbers(values, theirs, in_row(name))
        else:
            columns.ids[ours] = identifiers(values, theirs, in_row(name))
    return columns
