"""Tables of any columns, by a mapping: comma- or tab-separated, lines of JSON, Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.errors import DataError, FormatError
from cranfield.formats.files import Source
from cranfield.logs.staging import arrays, lines
from cranfield.logs.staging.columns import KINDS, Columns
from cranfield.logs.staging.lines import Lines, Refused, not_utf8
from cranfield.logs.staging.sql import hashed, literal
from cranfield.logs.staging.ubi import IMPRESSIONS

if TYPE_CHECKING:
    import pyarrow as pa

PARQUET = b"PAR1"
_JSON = (b"{", b"[")


class Table(NamedTuple):
    """A table that is open."""

    batches: Iterator[Lines]
    columns: Columns
    """The mapping, with what needs none."""
    cell: Callable[[str], str]
    """Makes SQL of the name of a column: its text in a row."""

    @property
    def names_people(self) -> bool:
        """Whether a column names users or sessions."""
        return bool({"user", "session"} & self.columns.named.keys())


def open_table(source: Source, columns: Columns, size: int) -> Table:
    """A table by what the file begins with."""
    head = source.head()
    if head.startswith(PARQUET):
        return _parquet(source, columns)
    if head.lstrip().startswith(_JSON):
        read = arrays.batches if arrays.is_array(head) else lines.batches
        return Table(read(source, size), columns.found_in(None, source.name), _of_json)
    return _separated(source, head, columns, size)


def select(table: Table, rows: str, salt: str) -> str:
    """From rows to records."""

    def said(name: str) -> str:
        if name in table.columns.fixed:
            return literal(table.columns.fixed[name])
        return (
            f"given({table.cell(table.columns.named[name])})"
            if name in table.columns.named
            else "CAST(NULL AS VARCHAR)"
        )

    shown = ", ".join(map(literal, IMPRESSIONS))
    valid = "json_valid(raw)" if table.cell is _of_json else "true"
    broken = "''" if table.names_people or table.cell is not _of_json else "raw"
    kept = ", ".join(
        f"{literal(name)}: {hashed(said(name), salt) if name in ('user', 'session') else said(name)}"
        for name in (*table.columns.named, *table.columns.fixed)
    )
    return f"""
WITH good AS (SELECT *, {valid} AS valid FROM {rows}
), read AS (
  SELECT line, valid, CASE WHEN valid THEN to_json({{{kept}}}) ELSE {broken} END AS raw,
    coalesce(lower({said("kind")}), CASE
      WHEN lower({said("action")}) IN ({shown}) THEN 'impression' WHEN {said("action")} IS NOT NULL THEN 'event'
      WHEN {said("document")} IS NOT NULL THEN 'impression' ELSE 'query' END) AS kind,
    {said("query_id")} AS query_id, {hashed(said("session"), salt)} AS session, {hashed(said("user"), salt)} AS "user",
    {said("application")} AS application, {said("time")} AS said_time, milliseconds({said("time")}) AS time_ms,
    normalised({said("query")}) AS text, {said("results")} AS said_results,
    whole({said("results")}) AS results,
    CASE WHEN {said("hits")} LIKE '[%' THEN TRY_CAST({said("hits")} AS VARCHAR[])
         ELSE string_split_regex({said("hits")}, '\\s+') END AS hits,
    {said("action")} AS action, {said("document")} AS document_id, {said("rank")} AS said_rank,
    whole({said("rank")}) AS ordinal, {said("listing")} AS listing,
    {said("dwell_ms")} AS said_dwell, TRY_CAST(round(TRY_CAST({said("dwell_ms")} AS DOUBLE)) AS BIGINT) AS dwell_ms,
    {said("value")} AS said_value, TRY_CAST({said("value")} AS DOUBLE) AS value
  FROM good
)
SELECT * REPLACE (CASE WHEN kind = 'event' THEN coalesce(action, 'click') END AS action), false AS apart, CASE
    WHEN NOT valid THEN 'not JSON'
    WHEN kind NOT IN ({", ".join(map(literal, KINDS))}) THEN 'kind is none of {", ".join(KINDS)}'
    WHEN said_time IS NULL THEN 'no time'
    WHEN time_ms IS NULL THEN 'time cannot be read'
    WHEN NOT is_possible(time_ms) THEN 'time before 1990 or after 2100'
    WHEN kind = 'query' AND text IS NULL THEN 'query without words'
    WHEN kind = 'impression' AND query_id IS NULL THEN 'impression without query_id'
    WHEN kind = 'impression' AND document_id IS NULL THEN 'impression without document'
    WHEN said_rank IS NOT NULL AND (ordinal IS NULL OR ordinal < 0) THEN 'rank is no rank'
    WHEN said_results IS NOT NULL AND (results IS NULL OR results < 0) THEN 'results is no number'
    WHEN said_dwell IS NOT NULL AND (dwell_ms IS NULL OR dwell_ms < 0) THEN 'dwell_ms is no number'
    WHEN said_value IS NOT NULL AND value IS NULL THEN 'value is no number'
  END AS reason
FROM read
"""


def _of_json(name: str) -> str:
    """A cell of a line of JSON; points lead into objects."""
    path = "$" + "".join('."' + part.replace('"', '\\"') + '"' for part in name.split("."))
    return f"(CASE WHEN valid THEN raw->>{literal(path)} END)"


def _cell(name: str) -> str:
    """What a column is called here, so that it has no name that is ours."""
    return f"cell {name}"


def _of_column(name: str) -> str:
    return f"CAST({_quoted(name)} AS VARCHAR)"


def _quoted(name: str) -> str:
    return '"' + _cell(name).replace('"', '""') + '"'


def _parquet(source: Source, columns: Columns) -> Table:
    import pyarrow as pa
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(source.path or io.BytesIO(source.read()))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise FormatError(f"this Parquet file is damaged: {error}", source=source.name) from None
    complete = columns.found_in(file.schema_arrow.names, source.name)
    wanted = list(dict.fromkeys(complete.named.values()))

    def batches() -> Iterator[Lines]:
        first = 1
        for batch in file.iter_batches(columns=wanted):
            numbers = pa.array(np.arange(first, first + len(batch), dtype=np.int64))
            named = pa.Table.from_batches([batch]).rename_columns([_cell(name) for name in batch.schema.names])
            table = named.append_column("line", numbers)
            first += len(batch)
            yield Lines(table, [], len(batch))

    def cell(name: str) -> str:
        kind = file.schema_arrow.field(name).type
        if pa.types.is_list(kind) or pa.types.is_large_list(kind):
            return f"CAST(to_json({_quoted(name)}) AS VARCHAR)"
        return _of_column(name)

    return Table(batches(), complete, cell)


class _Stream(io.RawIOBase):
    """The bytes of a source, as a library wants them."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.quotes = 0
        """How many have been read."""

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        got = self._source.readinto(memoryview(target).cast("B"))
        self.quotes += bytes(memoryview(target)[:got]).count(b'"')
        return got


def _separated(source: Source, head: bytes, columns: Columns, size: int) -> Table:
    """Cells with commas, tabs or semicolons between them; the first row has the names."""
    try:
        first = head.split(b"\n", 1)[0].decode().rstrip("\r")
    except UnicodeDecodeError:
        raise DataError(f"{source.name}: the names of its columns are no UTF-8: convert the file first") from None
    separator = max("\t,;", key=first.count)
    names = next(csv.reader([first], delimiter=separator), [])
    if not any(names):
        raise DataError(f"{source.name}: is empty; expected a row with the names of columns")
    if len(set(names)) < len(names):
        raise DataError(
            f"{source.name}: the first row has the names of columns, and two are the same: {', '.join(names)}; if they "
            "are no names, write a row with names before it"
        )
    complete = columns.found_in(names, source.name)
    return Table(_cells(source, separator, names, size), complete, _of_column)


def _cells(source: Source, separator: str, names: list[str], size: int) -> Iterator[Lines]:
    import pyarrow as pa
    import pyarrow.csv

    odd = dict[int, Refused]()

    def note(row: Any) -> str:
        reason = f"{row.actual_columns} columns, where the first row has {row.expected_columns}"
        odd[row.number] = Refused(row.number, reason, row.text)
        return "skip"

    stream = _Stream(source)
    reader = pyarrow.csv.open_csv(
        io.BufferedReader(stream),
        read_options=pyarrow.csv.ReadOptions(use_threads=False, block_size=min(size, 1 << 24)),
        parse_options=pyarrow.csv.ParseOptions(
            delimiter=separator,
            quote_char=False if separator == "\t" else '"',
            newlines_in_values=separator != "\t",
            invalid_row_handler=note,
        ),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.binary()), check_utf8=False, strings_can_be_null=False
        ),
    )
    number, told, last = 2, set[int](), list[bytes]()
    try:
        for batch in reader:
            numbers = np.empty(len(batch), np.int64)
            for place in range(len(batch)):
                while number in odd:
                    number += 1
                numbers[place] = number
                number += 1
            refused = [odd[line] for line in sorted(odd.keys() - told)]
            told |= odd.keys()
            yield _as_text(pa.Table.from_batches([batch]), numbers, refused)
            last = list(batch.slice(len(batch) - 1).to_pylist()[0].values()) if len(batch) else last
        if separator != "\t" and stream.quotes % 2 and any(b"\n" in cell for cell in last):
            raise FormatError(
                f"row {number - 1} opens a quote that is never closed, and all rows after it are within it: mend it",
                source=source.name,
            )
        if rest := [odd[line] for line in sorted(odd.keys() - told)]:
            none = pa.table({name: pa.array([], pa.binary()) for name in names})
            yield _as_text(none, np.empty(0, np.int64), rest)
    except pa.ArrowInvalid as error:
        raise FormatError(f"after row {number - 1}: cannot be taken apart: {error}", source=source.name) from None


def _as_text(table: pa.Table, numbers: Any, refused: list[Refused]) -> Lines:
    import pyarrow as pa

    rows = len(table) + len(refused)
    texts = pa.schema([(_cell(name), pa.string()) for name in table.column_names])
    table = table.rename_columns(texts.names)
    try:
        text = table.cast(texts)
    except pa.ArrowInvalid:
        good = np.ones(len(table), bool)
        for place, row in enumerate(table.to_pylist()):
            joined = b" ".join(row.values())
            try:
                joined.decode()
            except UnicodeDecodeError:
                good[place] = False
                refused = [*refused, not_utf8(int(numbers[place]), joined)]
        text, numbers = table.filter(pa.array(good)).cast(texts), numbers[good]
    return Lines(text.append_column("line", pa.array(numbers)), refused, rows)
