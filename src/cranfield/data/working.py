"""The arithmetic behind a value, written down by a measure while it computes it.

A measure shows its columns, sums and steps whenever it runs (`Rankings.show`, `sum`, `count`, `step`, `show_ideal`).
Nothing is kept unless the rankings carry a `Working`, which those of a single query do when a value is to be explained.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Cell = float | str


class Step(NamedTuple):
    """A quantity and how it follows from others.

    `formula` is arithmetic on `inputs` and on the names of earlier steps: numbers, names, `+ - * / **`, parentheses
    and `min max ln log2 exp sqrt`; a division by 0 gives 0. A step without a formula is the sum of a column.
    """

    name: str
    formula: str
    value: float
    inputs: Mapping[str, float]
    column: str = ""
    """The column that is added up, where it is a sum."""
    of_ideal: bool = False
    """Whether that is a column of the ideal list."""
    assessor: str = ""
    """Whose judgments it follows from, where a measure is averaged over assessors."""


@dataclass(eq=False)
class Working:
    """What a measure wrote down about one query.

    `columns` has for each name the values by row of the qrels, in the order in which the measure came to them;
    `ideal` has for each name the values down the ideal list, and `ideal_rows` the rows of the qrels that it is made of,
    where the measure says so.
    """

    columns: dict[str, dict[int, Cell]] = field(default_factory=dict)
    ideal: dict[str, list[float]] = field(default_factory=dict)
    ideal_rows: list[int] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def show(self, column: str, rows: Iterable[int], values: Iterable[Any]) -> None:
        """A value for each of some rows; a row that is there already gets the new value."""
        self.columns.setdefault(column, {}).update(zip(rows, map(_cell, values), strict=True))

    def add_up(self, name: str, column: str, total: float, *, of_ideal: bool = False) -> None:
        """That the values of a column add up to a total of this name."""
        self.steps.append(Step(name, "", float(total), {}, column, of_ideal))

    def step(self, name: str, formula: str, value: float, inputs: Mapping[str, float]) -> None:
        """That a value follows from others."""
        self.steps.append(Step(name, formula, float(value), inputs))


def _cell(value: Any) -> Cell:
    return value if isinstance(value, str) else float(value)
