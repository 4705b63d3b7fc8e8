"""What was decided against what is the case: the matrix, the rates that follow from it, and their averages."""

from __future__ import annotations

import html
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.strings import Floats
from cranfield.measures.contingency import Contingency
from cranfield.measures.registry import ratio

SCHEMA = "cranfield.confusion/1"
AVERAGES = ("micro", "macro", "weighted")
WITHOUT_TN = ("precision", "recall", "false_negative_rate", "f", "g", "jaccard")
"""The rates that are known whether or not the size of the collection is."""

Count = int | None
"""How many; None if that is not known."""
Rate = float | None
"""A share from 0 to 1; None if that is not known."""


class _Drawn(ABC):
    """Counts with the names of their rows and columns, as text and in a notebook."""

    @abstractmethod
    def _rows(self) -> list[list[str]]:
        """The cells, names included."""

    def __repr__(self) -> str:
        rows = self._rows()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
            for row in rows
        )

    def _repr_html_(self) -> str:
        names, *rows = self._rows()
        head = "".join(f"<th>{html.escape(label)}</th>" for label in names)
        body = "".join(
            f"<tr><th>{html.escape(row[0])}</th>" + "".join(f"<td>{cell}</td>" for cell in row[1:]) + "</tr>"
            for row in rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


@dataclass(frozen=True, repr=False)
class Matrix(_Drawn):
    """Counts by what is the case and by what was decided.

    >>> Matrix(("cat", "dog"), ("cat", "dog"), ((5, 2), (1, 4)))
    actual \\ predicted  cat  dog
    cat                   5    2
    dog                   1    4
    """

    actual: tuple[str, ...]
    predicted: tuple[str, ...]
    counts: tuple[tuple[Count, ...], ...]
    """A row for each actual class, in it a count for each predicted one."""

    @property
    def transposed(self) -> TransposedMatrix:
        """The same the other way round: a row for each predicted class."""
        return TransposedMatrix(self.actual, self.predicted, tuple(zip(*self.counts, strict=True)))

    @property
    def shares(self) -> tuple[tuple[Rate, ...], ...]:
        """The counts as shares of their actual class; 0 where a class has no members."""
        return tuple(tuple(_share(count, row) for count in row) for row in self.counts)

    def to_dict(self) -> dict[str, Any]:
        return {"actual": self.actual, "predicted": self.predicted, "counts": self.counts}

    def _rows(self) -> list[list[str]]:
        return _labelled("actual \\ predicted", self.actual, self.predicted, self.counts)


@dataclass(frozen=True, repr=False)
class TransposedMatrix(_Drawn):
    """Counts by what was decided and by what is the case.

    >>> Matrix(("cat", "dog"), ("cat", "dog"), ((5, 2), (1, 4))).transposed
    predicted \\ actual  cat  dog
    cat                   5    1
    dog                   2    4
    """

    actual: tuple[str, ...]
    predicted: tuple[str, ...]
    counts: tuple[tuple[Count, ...], ...]
    """A row for each predicted class, in it a count for each actual one."""

    def _rows(self) -> list[list[str]]:
        return _labelled("predicted \\ actual", self.predicted, self.actual, self.counts)


def _labelled(
    corner: str, down: Sequence[str], across: Sequence[str], counts: Sequence[Sequence[Count]]
) -> list[list[str]]:
    """The cells of a matrix with the names of its rows and columns."""
    rows = ([label, *("?" if n is None else str(n) for n in row)] for label, row in zip(down, counts, strict=True))
    return [[corner, *across], *rows]


def _share(count: Count, row: Sequence[Count]) -> Rate:
    known = [c for c in row if c is not None]
    if count is None or len(known) < len(row):
        return None
    return count / sum(known) if count else 0.0


@dataclass(frozen=True)
class Outcomes:
    """How often a decision was right and wrong: about one query, about one class, or about all together."""

    tp: int
    """True positives: relevant and retrieved (of the class, and said to be)."""
    fp: int
    """False positives, Type I errors: retrieved and not relevant."""
    fn: int
    """False negatives, Type II errors: relevant and not retrieved."""
    tn: Count
    """True negatives: neither. Unknown without the size of the collection."""
    rates: Mapping[str, Rate]

    def to_dict(self) -> dict[str, Any]:
        return {"tp": self.tp, "fp": self.fp, "fn": self.fn, "tn": self.tn, **self.rates}


def rates(counts: Contingency, beta: float) -> dict[str, Floats]:
    """All rates of each table."""
    return {
        "precision": counts.precision,
        "recall": counts.recall,
        "f": counts.f(beta),
        "g": counts.g,
        "jaccard": counts.jaccard,
        "false_negative_rate": counts.false_negative_rate,
        "false_positive_rate": counts.false_positive_rate,
        "specificity": counts.specificity,
        "accuracy": counts.accuracy,
        "error_rate": counts.error_rate,
    }


def pooled(counts: Contingency) -> Contingency:
    """All tables added up to one."""
    return Contingency(*(np.array([column.sum()]) for column in counts))


def outcomes(counts: Contingency, beta: float) -> list[Outcomes]:
    """Each table on its own, with its rates."""
    by_name = {name: values.tolist() for name, values in rates(counts, beta).items()}
    return [
        Outcomes(
            int(tp), int(fp), int(fn), None if tn != tn else int(tn),
            {name: known(values[row]) for name, values in by_name.items()},
        )
        for row, (tp, fp, fn, tn) in enumerate(zip(*(column.tolist() for column in counts), strict=True))
    ]  # fmt: skip


def averages(counts: Contingency, beta: float, names: Iterable[str]) -> dict[str, dict[str, Rate]]:
    """The rates of these names over all tables, in three ways.

    `micro` are the rates of the tables added up, so that every decision counts the same; `macro` the means of the
    rates, so that every table counts the same; `weighted` their means weighted by the actual positives of each.
    """
    each, together = rates(counts, beta), rates(pooled(counts), beta)
    positives = counts.tp + counts.fn
    total = np.array([positives.sum()])
    return {
        "micro": {name: known(together[name][0]) for name in names},
        "macro": {name: known(each[name].mean()) for name in names},
        "weighted": {name: known(ratio(np.array([positives @ each[name]]), total)[0]) for name in names},
    }


def known(value: float) -> Rate:
    """The value, None instead of NaN."""
    return None if value != value else float(value)
