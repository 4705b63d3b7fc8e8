"""Which two documents of a topic are put side by side, to say which is better."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import combinations

from cranfield.errors import DataError, ParameterError

Pair = tuple[str, str]
"""The document to the left, and the one to the right."""


def choose_pairs(topic: str, documents: Sequence[str], per_document: int | None = None, seed: int = 0) -> list[Pair]:
    """Every pair of documents, or so many pairs with each document, in random order and with random sides.

    With `per_document`, documents are put in a circle at random, and each is compared with those nearest to it on both
    sides: every document is in as many pairs as any other (in one more, one of them, where the numbers of documents and
    of pairs are both odd), no pair is there twice, and from two on every document can be reached from every other by
    comparisons. What is chosen follows from the seed and the names alone.

    >>> len(choose_pairs("q1", ["d1", "d2", "d3", "d4", "d5"]))  # 5 · 4 / 2
    10
    >>> pairs = choose_pairs("q1", ["d1", "d2", "d3", "d4", "d5"], per_document=2)
    >>> len(pairs), sorted(document for pair in pairs for document in pair)  # 5 · 2 / 2
    (5, ['d1', 'd1', 'd2', 'd2', 'd3', 'd3', 'd4', 'd4', 'd5', 'd5'])
    """
    if per_document is not None and per_document < 1:
        raise ParameterError(f"pairs per document is {per_document}; expected 1 or more, or every pair")
    if len(set(documents)) < len(documents):
        raise DataError(f"topic {topic}: a document is there twice, and cannot be compared with itself")

    def lot(*names: str) -> bytes:
        return hashlib.sha256("\n".join([str(seed), topic, *names]).encode("utf-8", "surrogateescape")).digest()

    circle = sorted(documents, key=lot)
    every = per_document is None or per_document >= len(documents) - 1
    chosen = combinations(circle, 2) if every else _near(circle, per_document or 1)
    in_order = sorted((_sorted(pair) for pair in chosen), key=lambda pair: lot("pair", *pair))
    return [pair if lot("side", *pair)[0] % 2 else pair[::-1] for pair in in_order]


def _near(circle: Sequence[str], count: int) -> Iterator[Pair]:
    """Each document with those nearest to it; where `count` is odd, also with the one across the circle."""
    size = len(circle)
    for apart in range(1, count // 2 + 1):
        yield from ((circle[at], circle[(at + apart) % size]) for at in range(size))
    if count % 2:
        across = size // 2
        yield from ((circle[at], circle[at + across]) for at in range(size - across))


def _sorted(pair: Pair) -> Pair:
    first, second = sorted(pair)
    return first, second
