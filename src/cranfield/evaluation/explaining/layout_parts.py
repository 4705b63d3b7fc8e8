"""Of what the layout of an explanation is made: lines and tables of text, and how numbers are written."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from cranfield.data.working import Cell
from cranfield.evaluation.explaining.explanation import Explanation
from cranfield.measures.formula import plain

_LONGEST_GRADES = 24


class Line(NamedTuple):
    """A line of text."""

    text: str
    kind: str = ""
    """`title`, `formula`, `step`, `legend`, `note`, or nothing for a sentence."""


class Grid(NamedTuple):
    """A table of text; the first `left` columns are flush left."""

    title: str
    header: list[str]
    rows: list[list[str]]
    left: int


Block = Line | Grid


def opening(e: Explanation, title: str) -> list[Block]:
    """The title, what the measure means, its formula and what the symbols in it are."""
    parameters = [
        f"{name} = {value if isinstance(value, str) else f'{value:g}'}" for name, value in e.parameters.items()
    ]
    blocks = [Line(title, "title"), Line(e.measure.definition.meaning)]
    if e.formula:
        blocks.append(Line(named_formula(e), "formula"))
    blocks += [Line(text, "symbols") for text in (" ".join(e.symbols), ", ".join(parameters)) if text]
    return list(blocks)


def named_formula(e: Explanation) -> str:
    """The formula as plain text, with the name of the measure in front if it lacks one."""
    formula = plain(e.formula)
    left, equals, _ = formula.partition(" = ")
    return formula if equals and not set(left) & set("/+·Σ√") else f"{e.measure.name} = {formula}"


def change_text(e: Explanation, digits: int) -> str:
    """What was changed, and what that changed."""
    assert e.change is not None
    before, after = e.change.before, e.value
    what = ", ".join(e.change.what)
    if isinstance(before, str) or isinstance(after, str):
        return f"Before: {before}; with {what}: {after}."
    change = f"{after - before:+.{digits}f}"
    return f"Before: {fixed(before, digits)}; with {what}: {fixed(after, digits)}, a difference of {change}."


# Numbers


def number(value: Cell, digits: int) -> str:
    """A number with so many decimal places, fewer if it has no more; what is not quite 0 does not look so.

    >>> number(0.62222, 4), number(0.5, 4), number(3.0, 4), number(0.0000123, 4)
    ('0.6222', '0.5', '3', '1.23e-05')
    """
    if isinstance(value, str) or not math.isfinite(value):
        return str(value)
    text = f"{value:.{digits}f}"
    if math.isclose(float(text), value, rel_tol=1e-12):
        return text.rstrip("0").rstrip(".") if "." in text else text
    return text if float(text) else f"{value:.{max(digits - 1, 1)}g}"


def value_text(e: Explanation, digits: int) -> str:
    whole = e.measure.definition.counts and not isinstance(e.value, str) and e.value.is_integer()
    return f"{e.value:.0f}" if whole else fixed(e.value, digits)


def fixed(value: Cell, digits: int) -> str:
    """A number with just so many decimal places, unless it would look like 0 and is not."""
    if isinstance(value, str):
        return value
    text = f"{value:.{digits}f}"
    return text if not value or not math.isfinite(value) or float(text) else f"{value:.{max(digits - 1, 1)}g}"


def in_column(cells: Sequence[Cell], digits: int) -> Callable[[Cell], str]:
    """How the cells of a column are written: all of them whole, or all with decimal places."""
    numbers = [cell for cell in cells if not isinstance(cell, str)]
    whole = all(math.isfinite(cell) and cell == int(cell) for cell in numbers)
    return lambda cell: f"{cell:.0f}" if whole and not isinstance(cell, str) else fixed(cell, digits)


def grade_text(grade: float | str | None) -> str:
    """A grade; a long text of them is cut short."""
    if isinstance(grade, str):
        return grade if len(grade) <= _LONGEST_GRADES else f"{grade[:_LONGEST_GRADES].rpartition(' ')[0]} …"
    return "-" if grade is None else f"{grade:g}"
