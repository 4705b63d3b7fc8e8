"""The arithmetic behind the value of one query, and behind the difference of two runs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from cranfield.data.working import Cell, Step
from cranfield.measures import Measure

SCHEMA = "cranfield.explanation/1"
DIFFERENCE_SCHEMA = "cranfield.explained-difference/1"

How = Literal["sum", "rank", ""]
Value = float | str


class Row(NamedTuple):
    """A document in the arithmetic."""

    rank: int | None
    """None: judged and not retrieved."""
    document: str
    grade: float | str | None
    """Grades by subtopic, assessor or group are a text; None: not judged."""
    tied: bool
    """Whether its score is that of a neighbour, so that its identifier decided its rank."""
    cells: Mapping[str, Cell]
    """What the measure made of it, by column."""
    share: float | None = None
    """What it adds to the value; None: not known by itself."""
    without: float | None = None
    """What the value would be without it, where shares are not those of a sum."""

    def to_dict(self) -> dict[str, Any]:
        named = {"rank": self.rank, "document": self.document, "grade": self.grade, "tied": self.tied}
        return {**named, "cells": _finite(self.cells), "share": self.share, "without": self.without}


class Relevant(NamedTuple):
    """The documents that there are to be found."""

    what: Literal["R", "gain"]
    """Whether they are the relevant ones, or those with a gain."""
    number: int
    missed: tuple[str, ...]
    """Those that were not retrieved, the best first."""

    @property
    def found(self) -> int:
        return self.number - len(self.missed)


class Change(NamedTuple):
    """What was changed before the value was computed, and what it was before."""

    what: tuple[str, ...]
    before: Value


@dataclass(frozen=True, eq=False)
class Explanation:
    """The value of a measure for one query of a run, with the arithmetic that gives it.

    `steps` lead from the columns of the table to the value; `ideal` has the columns of the ideal list, if the measure
    compares with one. The shares of the rows, `rest` and `others` add up to the value.
    """

    measure: Measure
    query: str
    run: str
    value: Value
    formula: str
    """The formula that defines the measure, in LaTeX; empty if it has none."""
    symbols: tuple[str, ...]
    """What the symbols of the formula stand for, in sentences."""
    parameters: Mapping[str, float | str]
    """What the parameters of the measure are, also those that were not given."""
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    """All documents retrieved, best first, and judged ones that were not retrieved but count."""
    ideal: Mapping[str, tuple[float, ...]]
    steps: tuple[Step, ...]
    ideal_documents: tuple[str, ...] = ()
    """The documents that the ideal list is made of; empty where they are not known."""
    relevant: Relevant | None = None
    """The documents that there are to be found, where it matters how many they are."""
    shares: How = ""
    """How shares were found: each from its summand in a `sum`, or, where the value is no such sum, as what a document
    adds to those at a `rank` above it; nothing if no document adds anything by itself."""
    rest: float = 0.0
    """What the value is where no document adds anything."""
    others: float = 0.0
    """What documents add whose shares were not computed one by one, for there are many, and what rounding adds."""
    grades: str = "grade"
    """What is shown as the grade: one, or the grades by subtopic, assessor or group."""
    notes: tuple[str, ...] = ()
    change: Change | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/json.md."""
        changed = self.change and {"what": list(self.change.what), "before": _number(self.change.before)}
        return {
            "schema": SCHEMA,
            "measure": str(self.measure),
            "query": self.query,
            "run": self.run,
            "settings": dict(self.settings),
            "value": _number(self.value),
            "formula": self.formula,
            "symbols": list(self.symbols),
            "parameters": dict(self.parameters),
            "columns": list(self.columns),
            "rows": [row.to_dict() for row in self.rows],
            "ideal": {column: list(values) for column, values in self.ideal.items()},
            "ideal_documents": list(self.ideal_documents),
            "relevant": self.relevant and self.relevant.number,
            "missed": list(self.relevant.missed) if self.relevant else [],
            "steps": [_step(step) for step in self.steps],
            "shares": self.shares,
            "rest": _number(self.rest),
            "others": _number(self.others),
            "notes": list(self.notes),
            **({"change": changed} if changed else {}),
        }

    def __repr__(self) -> str:
        from cranfield.evaluation.explaining.explanation_text import plain_text

        return plain_text(self)

    def _repr_html_(self) -> str:
        from cranfield.evaluation.explaining.explanation_text import page

        return page(self)


class Changed(NamedTuple):
    """A document in the difference of two runs."""

    document: str
    grade: float | str | None
    rank: int | None
    """Its rank in the run; None: not retrieved."""
    against_rank: int | None
    share: float
    against_share: float

    @property
    def difference(self) -> float:
        return self.share - self.against_share


@dataclass(frozen=True, eq=False)
class ExplainedDifference:
    """The values of two runs for one query, and the documents that make them differ."""

    run: Explanation
    against: Explanation

    @property
    def measure(self) -> Measure:
        return self.run.measure

    @property
    def difference(self) -> float:
        """The value of the run minus that of the run it is held against."""
        assert not isinstance(self.run.value, str)
        assert not isinstance(self.against.value, str)
        return self.run.value - self.against.value

    @property
    def documents(self) -> tuple[Changed, ...]:
        """The documents whose shares differ, those with the largest difference first."""
        ours, theirs = _by_document(self.run), _by_document(self.against)
        found = []
        for document in dict.fromkeys((*ours, *theirs)):
            mine, other = ours.get(document), theirs.get(document)
            known = mine or other
            assert known is not None
            ranks = mine and mine.rank, other and other.rank
            found.append(Changed(document, known.grade, *ranks, _share(mine), _share(other)))
        differing = [one for one in found if one.difference]
        return tuple(sorted(differing, key=lambda one: (-abs(one.difference), one.rank or math.inf, one.document)))

    @property
    def rest(self) -> float:
        """What of the difference no document makes by itself."""
        run, against = self.run, self.against
        return (run.rest + run.others) - (against.rest + against.others)

    def to_dict(self) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/json.md."""
        documents = [{**one._asdict(), "difference": one.difference} for one in self.documents]
        return {
            "schema": DIFFERENCE_SCHEMA,
            "measure": str(self.measure),
            "query": self.run.query,
            "difference": _number(self.difference),
            "documents": documents,
            "rest": _number(self.rest),
            "run": self.run.to_dict(),
            "against": self.against.to_dict(),
        }

    def __repr__(self) -> str:
        from cranfield.evaluation.explaining.explanation_text import plain_text

        return plain_text(self)

    def _repr_html_(self) -> str:
        from cranfield.evaluation.explaining.explanation_text import page

        return page(self)


def _by_document(explanation: Explanation) -> dict[str, Row]:
    return {row.document: row for row in explanation.rows}


def _share(row: Row | None) -> float:
    return 0.0 if row is None or row.share is None else row.share


def _step(step: Step) -> dict[str, Any]:
    said = {"name": step.name, "formula": step.formula, "inputs": _finite(step.inputs), "value": _number(step.value)}
    of_sum = {"column": step.column, "of_ideal": step.of_ideal} if step.column else {}
    return {**said, **of_sum, **({"assessor": step.assessor} if step.assessor else {})}


def _finite(numbers: Mapping[str, Any]) -> dict[str, Any]:
    return dict(_each(numbers))


def _each(numbers: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, number in numbers.items():
        yield name, _number(number)


def _number(value: Any) -> Any:
    """A number as JSON has it: null where it is infinite or not defined."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
