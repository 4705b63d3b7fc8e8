"""What an engine answered, checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.strings import Floats
from cranfield.engines.engine import Hits
from cranfield.errors import EngineError


class Answer(NamedTuple):
    """The documents for a topic, best first, at most k."""

    documents: list[str]
    scores: Floats
    found: int
    """How many there were before they were cut to k."""
    put_in_order: bool = False
    """Whether the engine had them in another order."""


def checked(hits: Hits, k: int, *, plain: bool = False) -> Answer:
    """What can be used of an answer; an error for documents that are there twice, and scores that are no numbers.

    With `plain`, an identifier that holds white space is an error too.

    >>> answer = checked([("d1", 0.5), ("d2", 0.75), ("d3", 0.25)], 2)
    >>> answer.documents, answer.scores.tolist(), answer.put_in_order
    (['d2', 'd1'], [0.75, 0.5], True)
    """
    if not hits:
        return Answer([], np.zeros(0), 0)
    ids, given = _columns(hits)
    names = _names(ids)
    if plain and (joined := "".join(names)).split() != [joined]:
        spaced = next(name for name in names if name.split() != [name])
        raise EngineError(
            f"document {spaced!r} holds white space, which TREC's format has no place for: "
            "give the run a name that ends in .jsonl or .parquet"
        )
    scores = _scores(names, given)
    if len(set(names)) < len(names):
        twice = next(name for name, times in Counter(names).items() if times > 1)
        raise EngineError(f"document {twice!r} is there twice")
    in_order = bool((scores[1:] <= scores[:-1]).all())
    if not in_order:
        order = np.argsort(-scores, kind="stable")
        names, scores = [names[row] for row in order.tolist()], scores[order]
    return Answer(names[:k], scores[:k], len(scores), not in_order)


def _columns(hits: Hits) -> tuple[list[Any], list[Any]]:
    """Identifiers and scores."""
    try:
        ids, scores = map(list, zip(*hits, strict=True))
    except (TypeError, ValueError):
        ids, scores = [], []
    if not ids or isinstance(hits[0], str):
        raise EngineError("the answer does not consist of pairs of an identifier and a score")
    return ids, scores


def _names(ids: Sequence[Any]) -> list[str]:
    """Identifiers as text; numbers become their digits."""
    if set(map(type, ids)) != {str}:
        if any(name is None for name in ids):
            raise EngineError("a document has no identifier")
        ids = [str(name) for name in ids]
    if "" in ids:
        raise EngineError("a document has an empty identifier")
    return list(ids)


def _scores(names: Sequence[str], given: Sequence[Any]) -> Floats:
    try:
        scores = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        at = next(at for at, score in enumerate(given) if not _is_number(score))
        raise EngineError(f"the score of document {names[at]!r} is {given[at]!r:.40}, which is no number") from None
    if not np.isfinite(scores).all():
        at = int(np.flatnonzero(~np.isfinite(scores))[0])
        raise EngineError(f"the score of document {names[at]!r} is {scores[at]}, which is no finite number")
    return scores + 0.0  # -0.0 is 0.0


def _is_number(score: Any) -> bool:
    try:
        float(score)
    except (TypeError, ValueError):
        return False
    return True
