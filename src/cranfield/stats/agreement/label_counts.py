"""Items and their labels, whoever gave them: how often each item was put into each category."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.data.categories import Categories
from cranfield.data.judge_labels import JudgeLabels
from cranfield.data.strings import Floats, Ints
from cranfield.errors import DataError
from cranfield.stats.chunks import chunks

_MOST_CATEGORIES = 2000
_MOST_CELLS = 1 << 26


@dataclass(frozen=True, eq=False)
class LabelCounts:
    """The kinds of items there are, two items being of the same kind if they were put into the same categories equally
    often, and how many items are of each kind.

    The kinds are in an order of their own, so that nothing depends on the order of the items.
    """

    categories: Categories
    counts: Floats
    """For each kind, how often an item was put into each category."""
    times: Ints
    """How many items are of each kind."""
    kind: Ints
    """The kind of each item."""
    judges: int
    """How many judges there are; the most that an item has, where they have no names."""

    @classmethod
    def of(cls, labels: Any, scale: Sequence[Any] | None = None) -> LabelCounts:
        """From labels with the names of judges, from rows of labels (see `from_rows`), or as it is.

        >>> LabelCounts.of([["a", "b"], ["a", "a"], ["b", "a"]]).counts.tolist()  # two kinds of items
        [[1.0, 1.0], [2.0, 0.0]]
        """
        if isinstance(labels, LabelCounts):
            if scale is not None:
                raise DataError("scale: counts of labels have their categories already")
            return labels
        if isinstance(labels, JudgeLabels):
            return cls.from_judges(labels, labels.categories(scale))
        return cls.from_rows(labels, scale)

    @classmethod
    def from_rows(cls, rows: Iterable[Any], scale: Sequence[Any] | None = None) -> LabelCounts:
        """From a row for each item with the labels it was given, a column for each judge or in any order.

        None and NaN stand for a label that is missing; rows need not have the same length.
        """
        try:
            given = [row if isinstance(row, (str, bytes)) else list(row) for row in rows]
        except TypeError:
            given = [""]
        if any(isinstance(row, (str, bytes)) for row in given):
            raise DataError("labels: expected a row of labels for each item, such as [['R', 'I'], ['R', 'R']]")
        table = [[label for label in row if not missing(label)] for row in given]
        distinct = {label for row in table for label in row}
        categories = Categories.of(distinct, scale)
        place = {label: categories.place(label) for label in distinct}
        item = np.repeat(np.arange(len(table)), [len(row) for row in table])
        code = np.array([place[label] for row in table for label in row], dtype=np.int64)
        judges = max(map(len, given), default=0)
        return cls.from_codes(categories, item, code, len(table), judges)

    @classmethod
    def from_counts(cls, table: npt.ArrayLike, categories: Sequence[Any] | None = None) -> LabelCounts:
        """From a row for each item with the number of judges who put it into each category.

        The categories are called 1, 2, 3 ... unless they are named.

        >>> LabelCounts.from_counts([[0, 14], [7, 7]]).judges
        14
        """
        counts = count_table(table)
        names = range(1, counts.shape[1] + 1) if categories is None else categories
        scale = Categories.of((), list(names))
        if len(scale) != counts.shape[1]:
            raise DataError(f"categories: {len(scale)} names for {counts.shape[1]} columns of counts")
        return cls._from_table(scale, counts, int(counts.sum(axis=1).max(initial=0)))

    @classmethod
    def from_judges(cls, labels: JudgeLabels, categories: Categories) -> LabelCounts:
        """From labels with the names of judges; `kind` is in the order of their items."""
        code = labels.places(categories)
        return cls.from_codes(categories, labels.item, code, len(labels.topic_of_item), len(labels.judges))

    @classmethod
    def from_codes(cls, categories: Categories, item: Ints, code: Ints, items: int, judges: int) -> LabelCounts:
        """From the number of the item and the number of the category of each label."""
        refuse_too_many(categories, items)
        k = len(categories)
        counts = np.bincount(item * k + code, minlength=items * k).reshape(items, k)
        return cls._from_table(categories, counts, judges)

    @classmethod
    def _from_table(cls, categories: Categories, counts: Ints, judges: int) -> LabelCounts:
        if not counts.size:
            none = np.zeros(0, dtype=np.int64)
            return cls(categories, np.zeros((0, len(categories))), none, none, judges)
        labelled = counts[counts.any(axis=1)]
        kinds, kind, times = np.unique(labelled, axis=0, return_inverse=True, return_counts=True)
        return cls(categories, kinds.astype(np.float64), times, kind.reshape(-1), judges)

    @cached_property
    def labels(self) -> Floats:
        """How many labels an item of each kind has."""
        labels: Floats = self.counts.sum(axis=1)
        return labels

    @property
    def items(self) -> int:
        """How many items have two labels or more."""
        return int(self.times[self.labels > 1].sum())

    @cached_property
    def compared(self) -> Floats:
        """1 for each kind of item that has two labels or more, otherwise 0."""
        return (self.labels > 1).astype(np.float64)

    @cached_property
    def shares(self) -> Floats:
        """The counts as shares of the labels of the item."""
        return self.counts / self.labels[:, np.newaxis]

    def disagreement(self, weights: Floats) -> Floats:
        """For each kind of item the weight of its pairs of labels, on the mean; 0 if there are none."""
        pairs = np.maximum(self.labels * (self.labels - 1), 1)
        mean: Floats = ((self.counts @ weights) * self.counts).sum(axis=1) / pairs
        return mean


def grouped(group: Ints, kind: Ints, groups: int, kinds: int) -> Iterator[Floats]:
    """How many items of each group are of each kind, some groups at a time."""
    order = np.argsort(group, kind="stable")
    group, kind = group[order], kind[order]
    for part in chunks(groups, kinds):
        rows = slice(*np.searchsorted(group, [part.start, part.stop]))
        size = part.stop - part.start
        counted = np.bincount((group[rows] - part.start) * kinds + kind[rows], minlength=size * kinds)
        yield counted.reshape(size, kinds).astype(np.float64)


def refuse_too_many(categories: Categories, items: int) -> None:
    """An error if there are more categories than can be counted."""
    k = len(categories)
    if k > _MOST_CATEGORIES or items * k > _MOST_CELLS:
        raise DataError(
            f"labels: {k} different labels of {items} items are too many to count. Round numbers, or sort them into "
            f"categories."
        )


def count_table(table: npt.ArrayLike) -> Ints:
    """A table of counts: whole numbers of at least 0."""
    try:
        counts = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"counts: expected a table of numbers, found {table!r:.60}") from None
    if counts.ndim != 2:
        raise DataError(f"counts: expected a table, found {counts.ndim} dimension{'s' * (counts.ndim != 1)}")
    wrong = np.argwhere(~(np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts))))
    if len(wrong):
        row, column = wrong[0]
        raise DataError(f"counts, row {row + 1}, column {column + 1}: {counts[row, column]:g} is not a count")
    return counts.astype(np.int64)


def missing(label: Any) -> bool:
    """Whether this stands for a label that is missing."""
    try:
        return label is None or bool(label != label)
    except TypeError:  # pandas' NA is neither equal to itself nor not
        return True
