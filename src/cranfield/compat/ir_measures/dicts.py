"""At which ranks the judged documents of a dict of dicts stand, without a look at the others.

Only the judged documents are looked for. The others count by their scores alone; their identifiers are compared only
where they are tied with a judged one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Ints, decode, encode

Places = Mapping[str, Mapping[str, int]]
"""For each query its judged documents, each with its row in the judgments."""


def places_of(qrels: Qrels) -> Places:
    """Where the judgments of each document are."""
    documents = [decode(document) for document in qrels.documents.tolist()]
    edges = zip(qrels.queries, qrels.offset[:-1].tolist(), qrels.offset[1:].tolist(), strict=True)
    return {query: dict(zip(documents[begin:end], range(begin, end), strict=True)) for query, begin, end in edges}


def rank_dicts(run: Mapping[Any, Mapping[Any, Any]], qrels: Qrels, places: Places) -> Rankings | None:
    """The rankings of `{query: {document: score}}`; None if it holds anything that needs a closer look.

    >>> qrels = Qrels.from_dict({"q1": {"a": 1, "c": 0}})
    >>> rank_dicts({"q1": {"a": 1.0, "b": 1.0, "c": 2.0}}, qrels, places_of(qrels)).rank.tolist()  # c, b, a
    [1, 3]
    """
    retrieved = np.zeros(len(qrels.query_ids), dtype=np.int64)
    queries, ranks, judgments = [], [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for query, documents in run.items():
        if not isinstance(query, str) or not isinstance(documents, Mapping):
            return None
        judged = places.get(query, {})
        found = [document for document in judged if document in documents]
        scores = _scores(documents)
        if scores is None or (not found and not _all_text(documents)):
            return None
        if query not in places or not len(scores):
            continue
        code = qrels.position[encode(query)]
        retrieved[code] = len(scores)
        rank = _ranks(documents, scores, found)
        order = np.argsort(rank)
        queries.append(np.full(len(found), code, dtype=np.int32))
        ranks.append(rank[order])
        judgments.append(np.array([judged[document] for document in found], dtype=np.int64)[order])
    query_of_row = np.concatenate([np.zeros(0, dtype=np.int32), *queries])
    rankings = Rankings(
        qrels, retrieved, np.zeros_like(retrieved), query_of_row, np.concatenate(ranks), np.concatenate(judgments)
    )
    return rankings.in_query_order()


def _scores(documents: Mapping[Any, Any]) -> Floats | None:
    """The scores of a query; None if one is not a finite number."""
    try:
        scores = np.fromiter(documents.values(), np.float64, len(documents))
    except (TypeError, ValueError, OverflowError):
        return None
    return scores if np.isfinite(scores).all() else None


def _all_text(documents: Mapping[Any, Any]) -> bool:
    """Whether all identifiers are text; of others, none would ever be found."""
    try:
        "".join(documents)
    except TypeError:
        return False
    return True


def _ranks(documents: Mapping[str, Any], scores: Floats, found: list[str]) -> Ints:
    """The ranks of some documents: how many have a higher score, or the same and a later identifier."""
    wanted = np.array([documents[document] for document in found], dtype=np.float64)
    rising = scores[::-1] if (scores[1:] <= scores[:-1]).all() else np.sort(scores)
    up_to = np.searchsorted(rising, wanted, "right")
    rank = len(scores) - up_to + 1
    tied = np.flatnonzero(up_to - np.searchsorted(rising, wanted) > 1).tolist()
    ties: dict[float, list[bytes]] = {float(wanted[row]): [] for row in tied}
    if ties:
        for document, score in documents.items():
            if score in ties:
                ties[score].append(encode(document))
        for tie in ties.values():
            tie.sort()
    for row in tied:
        tie = ties[float(wanted[row])]
        rank[row] += len(tie) - bisect_right(tie, encode(found[row]))
    return rank
