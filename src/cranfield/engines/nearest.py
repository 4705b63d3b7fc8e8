"""Exact search among vectors: every one is compared, a block at a time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.engines.best_first import best_of_an_array
from cranfield.engines.engine import Hits
from cranfield.engines.id_table import IdTable

Vectors = npt.NDArray[np.float32]

BLOCK = 16_384
"""So many documents are compared at a time."""


def nearest(vectors: Vectors, queries: Vectors, k: int, table: IdTable) -> list[Hits]:
    """For each query the k vectors of the largest inner product; none for a query of zeros.

    A product of matrices rounds one and the same vector differently from place to place. So it only finds candidates,
    with a margin, whose products are then worked out one by one: equal vectors have equal scores, and a query has the
    same scores alone and among others.

    >>> vectors, queries = np.array([[1, 0], [3, 4]], np.float32), np.array([[0, 2], [0, 0]], np.float32)
    >>> nearest(vectors, queries, 1, IdTable.of(["d1", "d2"]))
    [[('d2', 8.0)], []]
    """
    kept = [_Candidates() for _ in queries]
    longest = 0.0
    for start in range(0, len(vectors), BLOCK):
        block = np.asarray(vectors[start : start + BLOCK])
        longest = max(longest, float(np.sqrt(np.einsum("ij,ij->i", block, block).max())))
        products = queries @ block.T
        for query, candidates, row in zip(queries, kept, products, strict=True):
            candidates.add(row, start, k, _margin(query, longest))
    return [
        _exact(vectors, query, candidates.numbers, k, table) for query, candidates in zip(queries, kept, strict=True)
    ]


class _Candidates:
    """The documents that may still be among the best k, by products that are about right."""

    def __init__(self) -> None:
        self._products = np.empty(0, np.float32)
        self.numbers = np.empty(0, np.int64)

    def add(self, products: npt.NDArray[np.float32], start: int, k: int, margin: float) -> None:
        """Take in the products of a block, and drop what is below the kth by more than the margin."""
        products = np.concatenate([self._products, products])
        numbers = np.concatenate([self.numbers, np.arange(start, start + len(products) - len(self.numbers))])
        if len(products) > k:
            above = products >= np.partition(products, len(products) - k)[len(products) - k] - margin
            products, numbers = products[above], numbers[above]
        self._products, self.numbers = products, numbers


def _margin(query: Vectors, longest: float) -> float:
    """Twice what rounding can do to a product of numbers of single precision."""
    return 2 * len(query) * float(np.finfo(np.float32).eps) * float(np.linalg.norm(query)) * longest


def _exact(vectors: Vectors, query: Vectors, numbers: npt.NDArray[np.int64], k: int, table: IdTable) -> Hits:
    if not query.any():
        return []
    # Not a product of matrices: each row is summed in the same order.
    scores = np.einsum("ij,j->i", vectors[numbers], query, dtype=np.float64)
    return best_of_an_array(scores, numbers, k, table)
