"""The identifiers of documents, by the number that an index gives them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from cranfield.data.strings import PADDING, Ints, Strings
from cranfield.data.values import identifiers, in_row


class IdTable(NamedTuple):
    """Identifiers in descending order, and where in it the document of each number is.

    So documents are put in the order of their identifiers without a look at these.

    >>> table = IdTable.of(["b", "c", "a"])
    >>> table.places.tolist(), table.ids.tolist()
    ([1, 0, 2], [b'c', b'b', b'a'])
    """

    places: Ints
    ids: Strings

    @classmethod
    def of(cls, ids: Iterable[str]) -> Self:
        """The table of identifiers in the order of their numbers."""
        given = identifiers(list(ids), "document", in_row("the documents"))
        order = np.lexsort([given.length, *reversed(given.sort_keys())])[::-1]
        places = np.empty(len(given), np.int64)
        places[order] = np.arange(len(given))
        return cls(places, given.take(order).compact())

    def __len__(self) -> int:
        return len(self.places)

    def save(self, place: Path) -> None:
        """Write the table into a folder."""
        for name, column in (("places", self.places), ("ids", self.ids.data), ("id_lengths", self.ids.length)):
            np.save(place / f"{name}.npy", column)

    @classmethod
    def load(cls, place: Path) -> Self:
        """The table of a folder."""
        places, data, length = (np.load(place / f"{name}.npy") for name in ("places", "ids", "id_lengths"))
        if len(places) != len(length) or len(data) != length.sum() + len(PADDING):
            raise ValueError("the identifiers of its documents are damaged")
        return cls(places, Strings(data, np.cumsum(length) - length, length))
