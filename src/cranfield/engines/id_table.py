"""The identifiers of documents, by the number that an index gives them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt


class IdTable(NamedTuple):
    """Identifiers in descending order, and where in it the document of each number is.

    So documents are put in the order of their identifiers without a look at these.

    >>> table = IdTable.of(["b", "c", "a"])
    >>> table.places.tolist(), table.ids.tolist()
    ([1, 0, 2], ['c', 'b', 'a'])
    """

    places: npt.NDArray[np.int64]
    ids: npt.NDArray[Any]

    @classmethod
    def of(cls, ids: Iterable[str]) -> Self:
        """The table of identifiers in the order of their numbers."""
        given = list(ids)
        order = sorted(range(len(given)), key=given.__getitem__, reverse=True)
        places = np.empty(len(given), np.int64)
        places[order] = np.arange(len(given))
        return cls(places, np.array([given[number] for number in order], dtype=object))

    def __len__(self) -> int:
        return len(self.places)

    def save(self, place: Path) -> None:
        """Write the table into a folder."""
        np.save(place / "places.npy", self.places)
        (place / "ids.json").write_text(json.dumps(self.ids.tolist()))

    @classmethod
    def load(cls, place: Path) -> Self:
        """The table of a folder."""
        ids = json.loads((place / "ids.json").read_text())
        return cls(np.load(place / "places.npy"), np.array(ids, dtype=object))
