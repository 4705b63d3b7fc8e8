"""Named columns of equal length, on their way into or out of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from cranfield.data.strings import Bools, Floats, Ints, Strings, concatenate


@dataclass(eq=False)
class Columns:
    """Columns of identifiers and columns of numbers, under the names of `shapes`."""

    ids: dict[str, Strings] = field(default_factory=dict)
    numbers: dict[str, Floats] = field(default_factory=dict)

    def __len__(self) -> int:
        return max((*map(len, self.ids.values()), *map(len, self.numbers.values())), default=0)

    def take(self, rows: Ints | Bools) -> Columns:
        """The chosen rows."""
        return Columns(
            {name: column.take(rows) for name, column in self.ids.items()},
            {name: column[rows] for name, column in self.numbers.items()},
        )

    def detached(self) -> Columns:
        """The same with bytes of its own, where they may have belonged to a buffer that is used again."""
        return Columns({name: column.detached() for name, column in self.ids.items()}, self.numbers)


def stack(parts: Sequence[Columns]) -> Columns:
    """The rows of several pieces that have the same columns, one below the other.

    >>> piece = Columns({"doc_id": Strings.from_list([b"d1"])}, {"score": np.array([0.5])})
    >>> stack([piece, piece]).ids["doc_id"].tolist()
    [b'd1', b'd1']
    """
    first = parts[0]
    return Columns(
        {name: concatenate(part.ids[name] for part in parts) for name in first.ids},
        {name: np.concatenate([part.numbers[name] for part in parts]) for name in first.numbers},
    )
