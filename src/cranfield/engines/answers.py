"""What an engine answered, checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.strings import Floats, Strings, decode
from cranfield.data.values import identifiers, in_row
from cranfield.engines.engine import Hits
from cranfield.engines.ranked import Ranked
from cranfield.errors import EngineError
from cranfield.formats.text_fields import with_white_space


class Answer(NamedTuple):
    """The documents for a topic, best first, at most k."""

    documents: Strings
    """One behind the other in a buffer of their own."""
    scores: Floats
    found: int
    """How many there were before they were cut to k."""
    put_in_order: bool = False
    """Whether the engine had them in another order."""


def checked(hits: Hits, k: int, *, plain: bool = False) -> Answer:
    """What can be used of an answer; an error for documents that are there twice, and scores that are no numbers.

    With `plain`, an identifier that holds white space is an error too.

    >>> answer = checked([("d1", 0.5), ("d2", 0.75), ("d3", 0.25)], 2)
    >>> answer.documents.tolist(), answer.scores.tolist(), answer.put_in_order
    ([b'd2', b'd1'], [0.75, 0.5], True)
    """
    if not hits:
        return Answer(Strings.from_list([]), np.zeros(0), 0)
    found = hits if isinstance(hits, Ranked) else _in_columns(hits)
    documents, scores = found.documents, _finite(found)
    in_order = bool((scores[1:] <= scores[:-1]).all())
    if not in_order:
        order = np.argsort(-scores, kind="stable")
        documents, scores = documents.take(order), scores[order]
    documents = documents.take(slice(k)).compact()
    if plain and (spaced := with_white_space(documents)) is not None:
        raise EngineError(
            f"document {decode(documents[spaced])!r} holds white space, which TREC's format has no place for: "
            "give the run a name that ends in .jsonl or .parquet"
        )
    return Answer(documents, scores[:k], len(scores), not in_order)


def _in_columns(hits: Hits) -> Ranked:
    """Pairs of anything, which have to be those of a document and a number."""
    try:
        ids, given = map(list, zip(*hits, strict=True))
    except (TypeError, ValueError):
        ids, given = [], []
    if not ids or isinstance(hits[0], str):
        raise EngineError("the answer does not consist of pairs of an identifier and a score")
    names = _names(ids)
    if len(set(names)) < len(names):
        twice = next(name for name, times in Counter(names).items() if times > 1)
        raise EngineError(f"document {twice!r} is there twice")
    return Ranked(identifiers(names, "document", in_row("the answer")), _scores(names, given))


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
        return np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        at = next(at for at, score in enumerate(given) if not _is_number(score))
        raise EngineError(f"the score of document {names[at]!r} is {given[at]!r:.40}, which is no number") from None


def _is_number(score: Any) -> bool:
    try:
        float(score)
    except (TypeError, ValueError):
        return False
    return True


def _finite(found: Ranked) -> Floats:
    if not np.isfinite(found.scores).all():
        document, score = found[int(np.flatnonzero(~np.isfinite(found.scores))[0])]
        raise EngineError(f"the score of document {document!r} is {score}, which is no finite number")
    return found.scores + 0.0  # -0.0 is 0.0
