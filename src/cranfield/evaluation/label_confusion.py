"""The confusion matrix of labels: which class is taken for which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.data.categories import in_order
from cranfield.data.strings import Ints
from cranfield.errors import DataError, UsageError
from cranfield.evaluation.confusion_matrix import SCHEMA, WITHOUT_TN, Matrix, Outcomes, Rate, averages, outcomes
from cranfield.evaluation.coverage import some
from cranfield.evaluation.inputs import is_file
from cranfield.formats.labels import TWO_LABELS, read_labels
from cranfield.measures.contingency import Contingency
from cranfield.measures.parameters import NOT_NEGATIVE


@dataclass(frozen=True, eq=False)
class LabelConfusion:
    """How often each class was taken for each."""

    labels: tuple[str, ...]
    table: Ints
    """A row for each actual class, in it a count for each predicted one."""
    beta: float

    @property
    def matrix(self) -> Matrix:
        return Matrix(self.labels, self.labels, tuple(map(tuple, self.table.tolist())))

    @cached_property
    def counts(self) -> Contingency:
        """For each class against all others, how many items were decided in each of the four ways."""
        right = np.diagonal(self.table).astype(np.float64)
        wrong, missed = self.table.sum(axis=0) - right, self.table.sum(axis=1) - right
        return Contingency(right, wrong, missed, self.table.sum() - right - wrong - missed)

    @cached_property
    def per_class(self) -> dict[str, Outcomes]:
        """Each class against all others."""
        return dict(zip(self.labels, outcomes(self.counts, self.beta), strict=True))

    @cached_property
    def averages(self) -> dict[str, dict[str, Rate]]:
        """Rates over all classes: `micro` (of the counts added up), `macro` (the mean of the classes) and `weighted`
        (by the items of each class).

        Rates with true negatives are left out: they would count an item once for each class it was rightly kept out of.
        """
        return averages(self.counts, self.beta, WITHOUT_TN)

    @property
    def items(self) -> int:
        return int(self.table.sum())

    @property
    def accuracy(self) -> float:
        """The share of items with the right label."""
        return float(np.trace(self.table) / self.items)

    @property
    def error_rate(self) -> float:
        """The share of items with a wrong label."""
        return 1.0 - self.accuracy

    @property
    def confusions(self) -> list[tuple[str, str, int]]:
        """(actual, predicted, how often) for each pair of classes that was confused, the most frequent first."""
        wrong = self.table - np.diag(np.diagonal(self.table))
        actual, predicted = np.nonzero(wrong)
        order = np.argsort(-wrong[actual, predicted], kind="stable")
        return [
            (self.labels[a], self.labels[p], int(wrong[a, p]))
            for a, p in zip(actual[order], predicted[order], strict=True)
        ]

    @property
    def warnings(self) -> list[str]:
        """What is to be said beside the accuracy, unless all of several classes were told apart."""
        sizes = self.table.sum(axis=1)
        largest = int(sizes.argmax())
        if self.accuracy == 1 and len(self.labels) > 1:
            return []
        return [
            f"accuracy {self.accuracy:.6g} is to be seen beside {sizes[largest] / self.items:.6g}, which answering "
            f"{self.labels[largest]!r} every time would reach. Look at precision and recall of each class."
        ]

    def to_dict(self) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/json.md."""
        return {
            "schema": SCHEMA,
            "of": "labels",
            "settings": {"beta": self.beta},
            "items": self.items,
            "matrix": self.matrix.to_dict(),
            "accuracy": self.accuracy,
            "error_rate": self.error_rate,
            "averages": self.averages,
            "per_class": {label: one.to_dict() for label, one in self.per_class.items()},
            "warnings": self.warnings,
        }

    def __repr__(self) -> str:
        return "\n".join([repr(self.matrix), *self.warnings])

    def _repr_html_(self) -> str:
        return self.matrix._repr_html_()


def label_confusion(true: Any, predicted: Any = None, *, beta: float = 1) -> LabelConfusion:
    """Which class is taken for which.

    True and predicted labels are two files of items and labels, two dicts `{item: label}`, or two sequences of labels
    in the same order; or `true` alone is a file of items, true and predicted labels. F is weighted with `beta`.

    >>> result = label_confusion(["cat", "cat", "dog", "fox"], ["cat", "dog", "dog", "dog"])
    >>> result.matrix
    actual \\ predicted  cat  dog  fox
    cat                   1    1    0
    dog                   0    1    0
    fox                   0    1    0
    >>> result.per_class["dog"].rates["precision"]  # 1 of 3
    0.3333333333333333
    """
    weight = NOT_NEGATIVE.accept(beta, "beta")
    actual, decided = _pairs(true, predicted)
    if not actual:
        raise DataError("there are no labels")
    labels = sorted({*actual, *decided}, key=in_order)
    place = {label: at for at, label in enumerate(labels)}
    rows, columns = (np.array([place[label] for label in given]) for given in (actual, decided))
    table = np.bincount(rows * len(labels) + columns, minlength=len(labels) ** 2)
    return LabelConfusion(tuple(labels), table.reshape(len(labels), len(labels)), weight)


def _pairs(true: Any, predicted: Any) -> tuple[list[str], list[str]]:
    """True and predicted labels in the same order."""
    if predicted is None:
        if not is_file(true):
            raise UsageError(
                "predicted labels are missing; one file has both if it has item, true label and prediction"
            )
        actual, decided = read_labels(true, TWO_LABELS).labels
        return actual, decided
    (name, actual_labels), (other, decided_labels) = _labels(true, "true"), _labels(predicted, "predicted")
    if isinstance(actual_labels, dict) and isinstance(decided_labels, dict):
        _refuse_strangers(actual_labels, decided_labels, name, other)
        _refuse_strangers(decided_labels, actual_labels, other, name)
        return list(actual_labels.values()), [decided_labels[item] for item in actual_labels]
    if isinstance(actual_labels, dict) or isinstance(decided_labels, dict):
        raise UsageError("labels by item are compared with labels by item, labels in order with labels in order")
    if len(actual_labels) != len(decided_labels):
        raise DataError(f"{len(actual_labels)} true labels, but {len(decided_labels)} predicted ones")
    return actual_labels, decided_labels


def _labels(given: Any, name: str) -> tuple[str, dict[str, str] | list[str]]:
    """Labels by item, or in order; and what to call them."""
    if is_file(given):
        read = read_labels(given)
        return read.name, dict(zip(read.items, read.labels[0], strict=True))
    if isinstance(given, Mapping):
        return f"{name} labels", {str(item): str(label) for item, label in given.items()}
    if isinstance(given, Iterable):
        return f"{name} labels", [str(label) for label in given]
    raise UsageError(f"cannot make labels of {type(given).__name__} {given!r:.60}; expected a file, a dict or a list")


def _refuse_strangers(here: dict[str, str], there: dict[str, str], name: str, other: str) -> None:
    alone = [item for item in here if item not in there]
    if alone:
        what = "item has" if len(alone) == 1 else "items have"
        raise DataError(f"{name}: {len(alone)} {what} no label in {other}: {some(tuple(map(repr, alone)))}")
