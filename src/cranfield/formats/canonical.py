"""The one text of judgments, runs and the like, whatever shape they came in: what is hashed of data in memory.

| of | lines | sorted by |
|---|---|---|
| judgments | `query iteration document grade` | query, iteration, document |
| a run | `query Q0 document rank score run` | query, rank |
| preferences | `query group subgroup document level` | all but the level |
| costs | `document cost`, or `query document cost` | all but the cost |
| intents | `query subtopic probability` | query, subtopic |

Fields are separated by a space and lines end in a newline. Identifiers are sorted by their bytes. A number is in the
shortest form that reads back as the same, whole ones but for scores without a point. An iteration that is the same
for all judgments is 0. An identifier that is empty, holds white space or a NUL byte, or begins with a quotation mark
is written as a JSON string. Where judgments have more columns (stratum, method, probability), these follow the grade,
and a first line names all columns.

Where judgments are in this order and a run is tagged `run`, this is what `write_qrels` and `write_run` write in TREC
format.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np

from cranfield.data.costs import Costs
from cranfield.data.preferences import Preferences
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.strings import Bools, Codes, Floats, Ints, Strings, decode, number
from cranfield.data.values import nested
from cranfield.formats.text_fields import number_texts, write_lines

_QUOTE = ord('"')


def write_canonical(data: Any, out: BinaryIO) -> None:
    """Write the one text of Qrels, a Run, Preferences, Costs, or intents as `{query: {subtopic: probability}}`.

    >>> import io
    >>> out = io.BytesIO()
    >>> write_canonical(Qrels.from_dict({"q1": {"d2": 0, "d1": 2}}), out)
    >>> out.getvalue()
    b'q1 0 d1 2\\nq1 0 d2 0\\n'
    """
    if isinstance(data, Qrels):
        _write_qrels(data, out)
    elif isinstance(data, Run):
        _write_run(data, out)
    elif isinstance(data, Preferences):
        ids = [Strings.from_list(data.query_ids).take(data.query), data.group, data.subgroup, data.documents]
        _write_sorted(ids, data.level, out)
    elif isinstance(data, Costs):
        queries = [] if data.position is None else [Strings.from_list(list(data.position)).take(data.query)]
        _write_sorted([*queries, data.documents], data.cost, out)
    elif isinstance(data, Mapping):
        query, subtopic, probability = nested(data, "probability", "intents")
        _write_sorted([query, subtopic], probability, out)
    else:
        raise TypeError(f"there is no text of {type(data).__name__}")


def _write_qrels(qrels: Qrels, out: BinaryIO) -> None:
    columns = qrels.to_columns()
    iteration = columns.ids.get("iteration", _constant(b"0", len(qrels)))
    order = np.lexsort([*_keys(qrels.documents), number(iteration).code, qrels.query])
    fields = [columns.ids["query_id"], iteration, qrels.documents]
    lines = [*(_quoted(field.take(order)) for field in fields), number_texts(qrels.grade[order], whole=True)]
    more: list[str] = [name for name in ("stratum", "method") if name in columns.ids]
    lines += [_quoted(columns.ids[name].take(order)) for name in more]
    if "probability" in columns.numbers:
        more.append("probability")
        lines.append(number_texts(columns.numbers["probability"][order], whole=True))
    if more:
        out.write(" ".join(["query iteration document grade", *more]).encode() + b"\n")
    write_lines(lines, out)


def _write_run(run: Run, out: BinaryIO) -> None:
    query = Strings.from_list(run.query_ids).take(run.query)
    rank = [b"%d" % rank for rank in run.rank.tolist()]
    score = number_texts(run.score + 0.0)  # -0.0 is 0.0
    q0, tag = _constant(b"Q0", len(run)), _constant(b"run", len(run))
    write_lines([_quoted(query), q0, _quoted(run.documents), rank, score, tag], out)


def _write_sorted(ids: Sequence[Strings], values: Floats, out: BinaryIO) -> None:
    """Lines of identifiers and a number, sorted by the identifiers."""
    order: Ints = np.lexsort([key for column in reversed(ids) for key in _keys(column)])
    write_lines([*(_quoted(column.take(order)) for column in ids), number_texts(values[order], whole=True)], out)


def _keys(column: Strings) -> list[Any]:
    """What sorts a column by its bytes, as `np.lexsort` wants it."""
    return [column.length, *reversed(column.sort_keys())]


def _constant(text: bytes, rows: int) -> Strings:
    zeros: Codes = np.zeros(rows, dtype=np.int32)
    return Strings.from_list([text]).take(zeros)


def _quoted(column: Strings) -> Strings | list[bytes]:
    """The column with identifiers that could be mistaken for something else as JSON strings."""
    awkward = _awkward(column)
    if not awkward.any():
        return column
    pairs = zip(column.tolist(), awkward.tolist(), strict=True)
    return [json.dumps(decode(text)).encode() if quote else text for text, quote in pairs]


def _awkward(column: Strings) -> Bools:
    """Which identifiers are empty, hold white space or a NUL byte, or begin with a quotation mark."""
    own = column.compact()
    text = own.data[: int(own.length.sum())]
    odd = np.flatnonzero((text == 32) | ((text >= 9) & (text <= 13)) | (text == 0))
    awkward: Bools = column.length == 0
    awkward |= (column.length > 0) & (column.data[column.start] == _QUOTE)
    awkward[np.searchsorted(own.start + own.length, odd, side="right")] = True
    return awkward
