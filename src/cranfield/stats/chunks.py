"""Large tables are worked on in parts, so that memory stays bounded."""

from __future__ import annotations

from collections.abc import Iterator

CELLS = 1 << 22
"""At most so many numbers at a time: 32 MB."""


def chunks(items: int, cells_of_each: int) -> Iterator[slice]:
    """Slices of so many items that their cells are not too many; at least one item each.

    >>> list(chunks(5, CELLS // 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = max(1, CELLS // max(cells_of_each, 1))
    return (slice(start, min(start + step, items)) for start in range(0, items, step))
