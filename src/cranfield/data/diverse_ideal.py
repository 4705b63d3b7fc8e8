"""The best ranking for several subtopics at once, found by choosing one document after the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.strings import Codes, Floats, Ints

_AS_GOOD = 1.0 - 1e-12
"""Sums of the same gains in another order differ by less; what differs by less counts as equal."""
_NOTHING = 1e-18
"""A gain that is so small a part of the first one no longer changes a sum."""
_BITS = 63


class Ideal(NamedTuple):
    """A ranking of the relevant documents: the query, the rank and the gain of each, and its row of the judgments."""

    query: Codes
    rank: Ints
    gain: Floats
    document: Ints


class _Patterns(NamedTuple):
    """Documents of a query that are relevant to the same subtopics: which of them is chosen makes no difference.

    Documents stand pattern by pattern, patterns query by query.
    """

    place: Ints
    """For each document, its place if all were sorted by identifier, the last first."""
    document: Ints
    """For each document, its row of the judgments."""
    begin: Ints
    """Where the documents of each pattern begin; one more than there are patterns."""
    subtopic: Ints
    """The subtopics of each pattern, one behind the other."""
    first: Ints
    """Where the subtopics of each pattern begin."""
    query: Codes
    """The query of each pattern."""


def diverse_ideal(
    qrels: Qrels,
    document: Ints,
    subtopic: Ints,
    *,
    query: Codes,
    weight: Floats,
    alpha: float,
    depth: int | None,
) -> Ideal:
    """At each rank the document with the highest gain, the sum over its subtopics of weight · (1 − alpha)^seen.

    `document` and `subtopic` have a row for each relevant document and subtopic, by document; `query` and `weight` are
    those of each subtopic; `seen` counts the documents already chosen for it. Of documents with the same gain the one
    with the last identifier is chosen, as ndeval does. Finding the very best order is NP-hard: this one is worth at
    least 1 − 1/e of it.

    All queries take a step at a time, and documents relevant to the same subtopics are looked at together.
    """
    nothing = Ideal(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0, dtype=np.int64))
    if not len(document):
        return nothing
    p = _patterns(qrels, document, subtopic, np.searchsorted(query, np.arange(len(qrels.query_ids))))
    heads = np.flatnonzero(np.append(True, p.query[1:] != p.query[:-1]))
    owner = np.repeat(np.arange(len(heads)), np.diff(np.append(heads, len(p.query))))
    pattern_of_row = np.repeat(np.arange(len(p.query)), np.diff(np.append(p.first, len(p.subtopic))))
    gain = weight.copy()
    at = p.begin[:-1].copy()
    last = p.begin[1:] - 1
    least = _NOTHING * np.maximum.reduceat(np.add.reduceat(gain[p.subtopic], p.first), heads)
    found = [nothing]
    while depth is None or len(found) <= depth:
        score = np.where(at <= last, np.add.reduceat(gain[p.subtopic], p.first), 0.0)
        best = np.maximum.reduceat(score, heads)
        if not (best > least).any():
            break
        good = (score > 0) & (score >= best[owner] * _AS_GOOD)
        place = np.where(good, p.place[np.minimum(at, last)], len(p.place))
        chosen = np.flatnonzero(good & (place == np.minimum.reduceat(place, heads)[owner]))
        rank = np.full(len(chosen), len(found))
        found.append(Ideal(p.query[chosen], rank, score[chosen], p.document[at[chosen]]))
        at[chosen] += 1
        taken = np.zeros(len(p.query), dtype=np.bool_)
        taken[chosen] = True
        gain[p.subtopic[taken[pattern_of_row]]] *= 1.0 - alpha
    return Ideal(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _patterns(qrels: Qrels, document: Ints, subtopic: Ints, first_of_query: Ints) -> _Patterns:
    heads = np.flatnonzero(np.append(True, document[1:] != document[:-1]))
    size = np.diff(np.append(heads, len(document)))
    row = document[heads]
    query = qrels.query[row]
    place = np.empty(len(row), dtype=np.int64)
    names = qrels.documents.take(row)
    place[np.lexsort([names.length, *reversed(names.sort_keys())])[::-1]] = np.arange(len(row))
    # The subtopics of a document as bits, numbered from 0 in each query.
    local = subtopic - np.repeat(first_of_query[query], size)
    words = np.zeros((int(local.max()) // _BITS + 1, len(row)), dtype=np.int64)
    np.add.at(words, (local // _BITS, np.repeat(np.arange(len(row)), size)), np.int64(1) << (local % _BITS))
    order = np.lexsort((place, *words, query))
    query, words, place = query[order], words[:, order], place[order]
    differs = (query[1:] != query[:-1]) | (words[:, 1:] != words[:, :-1]).any(axis=0)
    begin = np.flatnonzero(np.concatenate(([True], differs, [True])))
    example = order[begin[:-1]]
    count = size[example]
    first = np.cumsum(count) - count
    rows = np.repeat(heads[example] - first, count) + np.arange(int(count.sum()))
    return _Patterns(place, row[order], begin, subtopic[rows], first, query[begin[:-1]])
