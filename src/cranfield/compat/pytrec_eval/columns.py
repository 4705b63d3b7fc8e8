"""Lines of runs and judgments split into columns, many at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cranfield.compat.pytrec_eval.held import Piece
from cranfield.data.strings import WORD, Codes, Floats, Ints, Strings, concatenate, repeated_pairs
from cranfield.errors import DataError
from cranfield.formats.files import Source
from cranfield.formats.lines import Block, Layout, iter_blocks
from cranfield.formats.numbers import parse_numbers

_NEWLINE, _COMMENT = 10, 35
_QUERY, _DOCUMENT = 0, 2

Queries = list[tuple[list[bytes], Piece]]
"""The identifiers of some queries, and their lines."""


class _UnusualError(Exception):
    """Something that needs a closer look."""


def read_columns(source: Source, layout: Layout, number: str) -> Queries | None:
    """The queries of a file with their documents and the field that is a number; None where anything is unusual.

    Unusual are lines that cannot be read, a document that comes twice for a query, numbers that are not finite, and
    lines that begin with `#`.
    """
    field = layout.names.index(number)
    try:
        source.head()
        queries = list(_blocks(source, layout, field, grades=number == "grade"))
        ids = [query for names, _ in queries for query in names]
        if len(set(ids)) < len(ids):
            queries = [_regrouped(ids, [piece for _, piece in queries])]
        for _, piece in queries:
            if repeated_pairs(_groups(piece.heads), piece.documents, piece.hashes) is not None:
                return None
    except (_UnusualError, DataError):
        return None
    return queries


def _blocks(source: Source, layout: Layout, field: int, *, grades: bool) -> Iterator[tuple[list[bytes], Piece]]:
    """The lines as they stand, whole stretches of the same query in one piece."""
    for block in iter_blocks(source, layout, whole_groups=True, fields=(_QUERY, _DOCUMENT, field)):
        query, documents, text = block.columns
        values, bad = parse_numbers(text)
        if len(bad) or _passed_over_comments(block):
            raise _UnusualError
        assert block.heads is not None
        ids = query.take(block.heads).tolist()
        buffer = documents.data[: len(block.text) + WORD].copy()  # for the next block overwrites it
        kept = Strings(buffer, documents.start, documents.length)
        yield ids, Piece(np.append(block.heads, len(block)), kept, kept.hash64(), values, grades)


def _passed_over_comments(block: Block) -> bool:
    """Whether some lines did not become rows, and perhaps because they begin with `#`."""
    ends = block.text == _NEWLINE
    return bool(np.count_nonzero(ends) > len(block) and (block.text == _COMMENT).any())


def _regrouped(ids: list[bytes], pieces: list[Piece]) -> tuple[list[bytes], Piece]:
    """All lines as one piece in which each query stands together, where `ids` has some more than once."""
    number = {query: place for place, query in enumerate(dict.fromkeys(ids))}
    size = np.concatenate([np.diff(piece.heads) for piece in pieces])
    code = np.repeat(np.array([number[query] for query in ids], dtype=np.int32), size)
    order = np.argsort(code, kind="stable")
    heads = np.searchsorted(code[order], np.arange(len(number) + 1))
    documents = concatenate(piece.documents for piece in pieces).take(order)
    hashes = np.concatenate([piece.hashes for piece in pieces])[order]
    values: Floats = np.concatenate([piece.values for piece in pieces])[order]
    return list(number), Piece(heads, documents, hashes, values, pieces[0].grades)


def _groups(heads: Ints) -> Codes:
    """For each line of a piece, the number of its query."""
    return np.repeat(np.arange(len(heads) - 1, dtype=np.int32), np.diff(heads))
