"""The steps of an explanation in words: from sums to the value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cranfield.data.arithmetic import divides_by_zero, written
from cranfield.data.working import Cell, Step
from cranfield.evaluation.explaining.explanation import Explanation
from cranfield.evaluation.explaining.layout_parts import number

_MOST_SUMMANDS = 10


def step_texts(e: Explanation, digits: int) -> Iterator[str]:
    """The steps with their numbers; a sum of a column is written out if it has few summands."""
    known: dict[str, float] = {}
    for step in e.steps:
        numbers = {name: number(value, digits) for name, value in (known | dict(step.inputs)).items()}
        parts = _of_sum(step, e, digits) if step.column else [written(step.formula), written(step.formula, numbers)]
        before = f"{step.assessor}: " if step.assessor else ""
        because = ""
        if step.formula and divides_by_zero(step.formula, known | dict(step.inputs)):
            because = f", {_nothing(e)}{number(step.value, digits)} by definition"
        value = [] if because else [number(step.value, digits)]
        yield before + " = ".join(dict.fromkeys([step.name, *parts, *value])) + because
        known[step.name] = step.value


def _nothing(e: Explanation) -> str:
    """Why there is nothing to divide by, where that is known."""
    if e.relevant is None or e.relevant.number:
        return ""
    return "no relevant document: " if e.relevant.what == "R" else "no document with a gain: "


def _of_sum(step: Step, e: Explanation, digits: int) -> list[str]:
    """That a step is the sum of a column, and its summands if they are few."""
    if step.of_ideal:
        cells: Sequence[Cell] = e.ideal.get(step.column, ())
    else:
        cells = [row.cells[step.column] for row in e.rows if step.column in row.cells]
    summands = [number(cell, digits) for cell in cells if cell and not isinstance(cell, str)]
    name = step.column.removeprefix(f"{step.assessor}: ")
    column = f"Σ ({name})" if " " in name else f"Σ {name}"
    if step.of_ideal:
        column += " of the ideal list"
    if not 1 < len(summands) <= _MOST_SUMMANDS:
        return [column]
    return [column, " + ".join(summands).replace("+ -", "- ")]
