"""Judgments as a script has them, made into columns."""

from __future__ import annotations

from functools import cached_property
from itertools import chain, count

import numpy as np

from cranfield.compat.pytrec_eval.dicts import Nested, check_text, column_of
from cranfield.compat.pytrec_eval.held import in_pieces, split, texts
from cranfield.data.qrels import Qrels
from cranfield.data.strings import Strings, concatenate, encode
from cranfield.data.values import identifiers

_FEW = 4
"""Where so many times fewer queries are asked for than there are, the others are not carried along."""


class Judgments:
    """Which documents are judged, as columns for evaluating and as text for looking them up in dicts."""

    def __init__(self, given: Nested) -> None:
        self.qrels = _qrels(given)
        self.number = {query: number for number, query in enumerate(self.qrels.queries)}
        """The place of each query in the columns."""
        self._few: tuple[list[str], Qrels, dict[str, int]] = ([], self.qrels, self.number)

    @cached_property
    def documents(self) -> dict[str, dict[str, int]]:
        """The judged documents of each query, numbered as the columns have them."""
        names, ends = texts(self.qrels.documents), self.qrels.offset.tolist()
        return {
            query: dict(zip(names[ends[at] : ends[at + 1]], count())) for at, query in enumerate(self.qrels.queries)
        }

    def of(self, queries: list[str]) -> tuple[Qrels, dict[str, int]]:
        """The judgments of these queries, and perhaps of others; and the place of each query in them."""
        if _FEW * len(queries) > len(self.number):
            return self.qrels, self.number
        asked, qrels, number = self._few
        if queries != asked:
            qrels = self.qrels.only(map(encode, queries))
            number = {query: place for place, query in enumerate(qrels.queries)}
            self._few = (queries, qrels, number)
        return qrels, number


def _qrels(given: Nested) -> Qrels:
    """Judgments from dicts, or from lines that were read; queries without any are left out."""
    unread, dicts = split(given)
    if unread and not dicts:
        together = in_pieces(unread)
        queries = [query for names, _ in together for query in names]
        size = np.concatenate([np.diff(piece.heads) for _, piece in together])
        documents = concatenate(piece.documents for _, piece in together)
        grades = np.concatenate([piece.values for _, piece in together])
    else:
        some = {query: inner for query, inner in given.items() if inner}
        queries, size = list(some), np.array([len(inner) for inner in some.values()], dtype=np.int64)
        for query, inner in some.items():
            check_text(inner, "document", f"query_relevance, query {query!r}")
        grades = column_of(some, "query_relevance", "grade", finite=True)
        names = list(chain.from_iterable(some.values()))
        documents = identifiers(names, "document", lambda _: "query_relevance")
    ids = Strings.from_list([encode(query) for query in queries])
    return Qrels(ids.take(np.repeat(np.arange(len(queries)), size)), documents, grades, name="query_relevance")
