"""At which ranks the judged documents stand: all that measures need to know of a run.

Only the judged documents are looked for. The others count by their scores alone; their identifiers are compared only
where they are tied with a judged one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, groupby
from typing import Any, NamedTuple

import numpy as np

from cranfield.compat.pytrec_eval.dicts import Nested, check_text, column_of
from cranfield.compat.pytrec_eval.held import Piece
from cranfield.data.judgments import JudgmentTable
from cranfield.data.run import as_single
from cranfield.data.strings import Codes, Floats, Ints, Strings, Words, encode

_SIGN = np.uint32(1 << 31)
_HALF = np.uint64(32)


class Found(NamedTuple):
    """The judged documents of some queries: the row of each in the judgments, and its rank."""

    judgment: Ints
    rank: Ints


def rank_piece(table: JudgmentTable, codes: Codes, piece: Piece) -> Found:
    """The judged documents among lines of a file; `codes` has the number that each of its queries has in the table."""
    group = _groups(np.diff(piece.heads))
    rows, judgment = table.find(codes[group], piece.documents, piece.hashes)
    keys = _keys(group, piece.values)
    rank, tied = _ranks(keys, keys[rows], piece.heads, rows)
    if len(tied):
        rank[tied] += _above_in_ties(keys, rows[tied], piece.documents)
    return Found(judgment, rank)


def rank_dicts(run: Nested, judged: Sequence[Mapping[str, int]], first: Ints) -> Found:
    """The judged documents of dicts.

    For each query of the run `judged` has the judged documents, numbered, and `first` the row in the judgments of the
    one with number 0.
    """
    size = np.array([len(inner) for inner in run.values()], dtype=np.int64)
    keys = _keys(_groups(size), column_of(run, "scores", "score", finite=False))
    heads = np.concatenate(([0], np.cumsum(size)))
    names: list[str] = []
    numbers: list[int] = []
    scores: list[float] = []
    ends = []
    for (query, inner), places in zip(run.items(), judged, strict=True):
        found = [document for document in places if document in inner]
        if not found:  # what is not text would never be found
            check_text(inner, "document", f"scores, query {query!r}")
        names += found
        numbers += [places[document] for document in found]
        scores += [inner[document] for document in found]
        ends.append(len(names))
    group = _groups(np.diff(ends, prepend=0))
    wanted = _keys(group, np.array(scores, dtype=np.float64))
    rank, tied = _ranks(keys, wanted, heads)
    documents = list(run.values())
    for number, together in groupby(tied.tolist(), key=group.tolist().__getitem__):
        those = list(together)
        here = keys[heads[number] : heads[number + 1]].tolist()
        rank[those] += _above_in_dict(documents[number], here, [(names[at], int(wanted[at])) for at in those])
    return Found(first[group] + np.array(numbers, dtype=np.int64), rank)


def _groups(size: Ints) -> Codes:
    """The number of its query for each document, where each query has so many."""
    return np.repeat(np.arange(len(size), dtype=np.int32), size)


def _keys(group: Codes, score: Floats) -> Words:
    """Numbers that are in order where queries are, and within a query where scores fall as 32-bit floats.

    A float falls where the bits of a positive one, turned round, rise, or those of a negative one.
    """
    bits = (as_single(score) + np.float32(0)).view(np.uint32)  # -0.0 + 0 is 0.0, with which it is tied
    falling = np.where(bits & _SIGN, bits, ~(bits | _SIGN))
    return (group.astype(np.uint64) << _HALF) | falling


def _ranks(keys: Words, wanted: Words, heads: Ints, rows: Ints | None = None) -> tuple[Ints, Ints]:
    """The ranks of documents that have the keys `wanted`, and which of these are tied: their ranks are the least.

    `heads` says where each query begins, `rows` where these documents stand, if that is known.
    """
    if (keys[1:] < keys[:-1]).any():
        keys, rows = np.sort(keys), None
    above = np.searchsorted(keys, wanted) if rows is None else rows.copy()
    after, before = np.minimum(above + 1, len(keys) - 1), np.maximum(above - 1, 0)
    alike = ((keys[after] == wanted) & (after > above)) | ((keys[before] == wanted) & (before < above))
    tied = np.flatnonzero(alike)
    above[tied] = np.searchsorted(keys, wanted[tied])
    return above - heads[(wanted >> _HALF).astype(np.int64)] + 1, tied


def _above_in_ties(keys: Words, rows: Ints, documents: Strings) -> Ints:
    """For each of these rows, how many of those tied with it come before it: the ones with later identifiers."""
    ties = _distinct(np.sort(keys[rows]))
    members = np.flatnonzero(ties[np.minimum(np.searchsorted(ties, keys), len(ties) - 1)] == keys)
    order = np.lexsort([*(~word for word in reversed(documents.take(members).sort_keys())), keys[members]])
    place = np.empty(len(members), dtype=np.int64)
    place[order] = np.arange(len(members))
    begins = np.searchsorted(keys[members][order], keys[rows])
    return place[np.searchsorted(members, rows)] - begins


def _above_in_dict(documents: Iterable[str], keys: list[int], asked: list[tuple[str, int]]) -> list[int]:
    """The same in a dict, whose documents have these keys, for documents that are asked for with theirs."""
    ties: dict[int, list[str]] = {key: [] for _, key in asked}
    for document, key in zip(documents, keys, strict=True):
        if key in ties:
            ties[key].append(document)
    # Text is in the order of its bytes, but for bytes that are not text.
    comparable: Callable[[str], Any] = str if "".join(chain.from_iterable(ties.values())).isascii() else encode
    in_order = {key: sorted(map(comparable, tie)) for key, tie in ties.items()}
    return [len(in_order[key]) - bisect_right(in_order[key], comparable(document)) for document, key in asked]


def _distinct(in_order: Words) -> Words:
    """Each number once. NumPy's `unique` would load a library of masked arrays, which takes longer than most runs."""
    return in_order[np.concatenate(([True], in_order[1:] != in_order[:-1]))]
