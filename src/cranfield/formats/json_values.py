"""Records that came out of JSON: the checks and the columns that both JSON formats share."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from cranfield.data.columns import Columns
from cranfield.data.shapes import Shape
from cranfield.data.strings import Floats, Strings, decode, encode
from cranfield.data.values import identifiers, in_row
from cranfield.errors import DataError, FormatError
from cranfield.formats.files import Source
from cranfield.formats.lines import OnProblem
from cranfield.formats.records import Records

_MISSING = object()


def load(text: str | bytes, **options: Any) -> Any:
    """The value, or ValueError with one line of reason, whatever the text holds."""
    try:
        return json.loads(text, **options)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError as error:
        if "integer string conversion" not in str(error):
            raise
        raise ValueError("it has a number of too many digits") from None  # Python advises to change its settings


def load_document(source: Source, **options: Any) -> Any:
    """All that a source holds, as one value; an error that says where if it is not JSON."""
    try:
        return load(decode(source.read()), **options)
    except ValueError as error:
        reason, line = getattr(error, "msg", str(error)), getattr(error, "lineno", None)
        raise FormatError(f"this is not valid JSON: {reason}", source=source.name, line=line) from None


def dumps(value: object) -> bytes:
    """JSON with readable text, but for identifiers that are not Unicode, which are escaped."""
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(value).encode()


def records_from_dicts(
    dicts: Sequence[Any], place: Sequence[int], names: Mapping[str, str], shape: Shape, on_problem: OnProblem
) -> Records:
    """Columns from objects that have the names as keys."""
    good = np.ones(len(dicts), dtype=np.bool_)
    numbers = np.array(place, dtype=np.int32)
    for row, record in enumerate(dicts):
        reason = _lack(record, names)
        if reason:
            on_problem("missing", int(numbers[row]), reason)
            good[row] = False
    kept = [record for record, complete in zip(dicts, good.tolist(), strict=True) if complete]
    numbers = numbers[good]
    values = {ours: [record[theirs] for record in kept] for ours, theirs in names.items()}

    def report(kind: str, row: int, reason: str) -> None:
        on_problem(kind, int(numbers[row]), reason)

    columns, fine = columns_from_values(values, names, shape, report)
    return Records(columns.take(fine), numbers[fine])


def _lack(record: Any, names: Mapping[str, str]) -> str | None:
    if not isinstance(record, Mapping):
        return (
            f"expected an object such as {{{', '.join(f'{n!r}: ...' for n in names.values())}}}, found {brief(record)}"
        )
    lacking = [theirs for theirs in names.values() if record.get(theirs, _MISSING) in (_MISSING, None)]
    return f"{lacking[0]} is missing" if lacking else None


def columns_from_values(
    values: Mapping[str, list[Any]],
    names: Mapping[str, str],
    shape: Shape,
    report: Callable[[str, int, str], None],
) -> tuple[Columns, Any]:
    """The columns, and which of their rows are good; the others were reported."""
    columns = Columns()
    good = np.ones(len(next(iter(values.values()))), dtype=np.bool_)
    for ours, column in values.items():
        if shape[ours].number:
            columns.numbers[ours] = _numbers(column, names[ours], report, good)
        else:
            columns.ids[ours] = _identifiers(column, names[ours], report, good)
    return columns, good


def _numbers(column: list[Any], name: str, report: Callable[[str, int, str], None], good: Any) -> Floats:
    values = np.zeros(len(column))
    if {*map(type, column)} <= {int, float}:
        with contextlib.suppress(OverflowError):
            values = np.array(column, dtype=np.float64)
            if np.isfinite(values).all():
                return values
    for row, value in enumerate(column):
        if type(value) is float or type(value) is int:
            try:
                values[row] = value
            except OverflowError:
                values[row] = np.inf
            if np.isfinite(values[row]):
                continue
            reason = f"{name} {brief(value)} is not a finite number"
        else:
            reason = f"{name} {brief(value)} is not a number"
        report("number", row, reason)
        good[row] = False
    return values


def _identifiers(column: list[Any], name: str, report: Callable[[str, int, str], None], good: Any) -> Strings:
    if {*map(type, column)} == {str} and "" not in column:
        with contextlib.suppress(DataError):
            return identifiers(column, name, in_row(name))
    texts = []
    for row, value in enumerate(column):
        text = b""
        if type(value) is str:
            try:
                text = encode(value)
                reason = None if text else f"{name} is empty"
            except UnicodeEncodeError:
                reason = f"{name} {brief(value)} holds half of a surrogate pair"
        elif type(value) is int:
            text, reason = b"%d" % value, None
        else:
            reason = f"{name} {brief(value)} is neither text nor a whole number"
        if reason:
            report("identifier", row, reason)
            good[row] = False
        texts.append(text)
    return Strings.from_list(texts)


def brief(value: Any) -> str:
    """A value as messages show it, cut if it is long."""
    shown = json.dumps(value, default=str)
    return shown if len(shown) <= 60 else shown[:57] + "..."
