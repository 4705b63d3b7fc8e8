"""The categories that labels fall into."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.data.strings import Floats
from cranfield.errors import DataError


@dataclass(frozen=True)
class Categories:
    """Categories in their order: numbers by value, words by their letters, or as a scale says.

    >>> Categories.of(["10", "9", "9.0"])
    Categories(names=('9', '10'), values=(9.0, 10.0), ordered=True)
    >>> Categories.of(["yes", "no"])
    Categories(names=('no', 'yes'), values=None, ordered=False)
    """

    names: tuple[str, ...]
    values: tuple[float, ...] | None
    """The numbers that they are, if all are numbers."""
    ordered: bool
    """Whether the order means something: they are numbers, or a scale was given."""

    @classmethod
    def of(cls, labels: Iterable[Any], scale: Sequence[Any] | None = None, *, where: str = "labels") -> Categories:
        """The categories of these labels; or those of a scale, lowest first, to which all labels must belong."""
        if isinstance(scale, (str, bytes)):
            raise DataError(f"scale: expected a list of categories, found the text {scale!r}")
        texts = [str(label) for label in (labels if scale is None else scale)]
        numbers = [_number(text) for text in texts]
        values = [number for number in numbers if number is not None]
        if len(values) < len(texts):
            names = tuple(sorted(set(texts), key=in_order)) if scale is None else tuple(texts)
            categories = cls(names, None, ordered=scale is not None)
        else:
            values = sorted(set(values)) if scale is None else values
            categories = cls(tuple(map(as_text, values)), tuple(values), ordered=True)
        if len(set(categories.names)) < len(categories.names):
            raise DataError(f"scale: a category stands in it twice: {', '.join(categories.names)}")
        if scale is not None:
            for label in labels:
                categories.place(label, where)
        return categories

    def place(self, label: Any, where: str = "labels") -> int:
        """The number of the category that a label belongs to."""
        text = str(label)
        number = _number(text) if self.values is not None else None
        name = text if number is None else as_text(number)
        if name not in self._places:
            raise DataError(f"{where}: label {text!r} is not on the scale ({', '.join(self.names)})")
        return self._places[name]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self.names)}

    @property
    def positions(self) -> Floats:
        """Where each category lies: its value, or its place on the scale."""
        return np.array(range(len(self.names)) if self.values is None else self.values, dtype=np.float64)

    def __len__(self) -> int:
        return len(self.names)


def in_order(label: str) -> tuple[float, str]:
    """A key to sort labels by: numbers by their value, then words.

    >>> sorted(["b", "10", "9", "a"], key=in_order)
    ['9', '10', 'a', 'b']
    """
    number = _number(label)
    return (math.inf if number is None else number), label


def as_text(value: float) -> str:
    """A number as labels have it.

    >>> as_text(2.0), as_text(0.5)
    ('2', '0.5')
    """
    return str(int(value)) if value.is_integer() else repr(value)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value + 0.0 if math.isfinite(value) else None
