"""Records on their way from a file into judgments, a run or preferences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.columns import Columns, stack
from cranfield.data.costs import Costs
from cranfield.data.preferences import Preferences
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.shapes import SHAPES, Shape
from cranfield.data.strings import Bools, Codes, Strings
from cranfield.data.values import shown
from cranfield.errors import DataError, FormatError
from cranfield.formats.files import Source
from cranfield.formats.lines import Block, Layout, OnProblem, iter_blocks
from cranfield.formats.numbers import parse_numbers

IterRecords = Callable[[Source, Shape, OnProblem], Iterable["Records"]]
BUILD: dict[str, Callable[..., Any]] = {
    "qrels": Qrels.from_columns,
    "run": Run.from_columns,
    "preferences": Preferences.from_columns,
    "costs": Costs.from_columns,
}


class Records(NamedTuple):
    """Some consecutive records of a file, and the line (or row) of each."""

    columns: Columns
    place: Codes
    block: Block | None = None
    """The lines they come from, where the format has lines with fields between white space."""


def strict(source: str, unit: str = "line") -> OnProblem:
    """Raises for the first problem, saying where it is."""

    def stop(kind: str, place: int, reason: str) -> None:
        if unit == "line":
            raise FormatError(reason, source=source, line=place)
        raise FormatError(f"{unit} {place}: {reason}", source=source)

    return stop


def collect(kind: str, pieces: Iterable[Records], source: str, name: str, unit: str = "line") -> Any:
    """All records together as Qrels, Run, Preferences or Costs, without duplicates."""
    columns, place = [], []
    for piece in pieces:
        if len(piece.place):
            stays = piece.block is not None and piece.block.last
            columns.append(piece.columns if stays else piece.columns.detached())
            place.append(piece.place)
    if not columns:
        raise DataError(f"{source}: the file has no records")
    thing = BUILD[kind](stack(columns), name=name)
    return thing.checked(source=source, line=np.concatenate(place), unit=unit)


def reader(kind: str, iter_records: IterRecords, unit: str = "line") -> Callable[..., Any]:
    """A function that reads a whole file in memory and stops at the first thing that is wrong with it."""

    def read(source: Source, *, name: str) -> Any:
        return collect(kind, iter_records(source, SHAPES[kind], strict(source.name, unit)), source.name, name, unit)

    return read


def iter_line_records(
    source: Source,
    layout: Layout,
    on_problem: OnProblem,
    *,
    ids: Mapping[str, int],
    numbers: Mapping[str, int],
    wrong: Callable[[Columns], Bools] | None = None,
) -> Iterator[Records]:
    """The records of lines with fields between white space.

    `ids` and `numbers` say which field is which column; `wrong` finds rows that are impossible although
    their numbers are finite; the check of the layout has the reason.
    """
    for block in iter_blocks(source, layout, on_problem=on_problem):
        line = block.lines()
        columns = Columns({name: block.columns[field] for name, field in ids.items()})
        good = np.ones(len(block), dtype=np.bool_)
        for name, field in numbers.items():
            columns.numbers[name], bad = parse_numbers(block.columns[field])
            good[bad] = False
        if wrong is not None:
            good &= ~wrong(columns)
        if good.all():
            yield Records(columns, line, block)
            continue
        for row in np.flatnonzero(~good).tolist():
            reason = layout.check([column[row] for column in block.columns])
            on_problem("number", int(line[row]), reason or "this line cannot be read")
        yield Records(columns.take(good), line[good], block)


def parse_cells(
    cells: Mapping[str, Strings],
    names: Mapping[str, str],
    numeric: Iterable[str],
    place: Codes,
    on_problem: OnProblem,
) -> Records:
    """Records from the cells of a table; an empty cell, or one that should be a number and is not, is a problem."""
    columns = Columns()
    good = np.ones(len(place), dtype=np.bool_)
    for column, cell in cells.items():
        empty = cell.length == 0
        good &= ~empty
        bad = np.zeros(0, dtype=np.int64)
        if column in numeric:
            columns.numbers[column], bad = parse_numbers(cell)
            good[bad] = False
        else:
            columns.ids[column] = cell
        for row in np.union1d(np.flatnonzero(empty), bad).tolist():
            if empty[row]:
                on_problem("missing", int(place[row]), f"{names[column]} is missing")
            else:
                reason = f"{names[column]} {shown(cell[row])} is not a finite number"
                on_problem("number", int(place[row]), reason)
    return Records(columns if good.all() else columns.take(good), place[good])
