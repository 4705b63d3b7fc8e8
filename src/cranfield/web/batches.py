"""So many rows go to the database at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

BATCH = 500

Row = TypeVar("Row")


def batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """The rows in their order, a few hundred at a time.

    >>> [len(batch) for batch in batches(range(1200))]
    [500, 500, 200]
    """
    iterator = iter(rows)
    while batch := list(islice(iterator, BATCH)):
        yield batch
