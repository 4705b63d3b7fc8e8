"""Topics that look the same to a measure, so that one of them stands for all: common where little is judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cranfield.data.strings import Floats, Ints, Strings, Words, mix64
from cranfield.data.tied_documents import TiedDocuments, spans

_SALT = np.uint64(0x9E3779B97F4A7C15)


class AlikeTopics(NamedTuple):
    """Some queries, those that look the same together."""

    mark: Words
    """A number for each query of the rankings, the same for those that are alike."""
    example: Ints
    """One query of each sort."""
    which: Ints
    """For each of the queries, which of these it is like."""


def alike_topics(tied: TiedDocuments, queries: Ints) -> AlikeTopics:
    """Which of some queries are alike.

    Two are if they retrieve as many documents, have documents of the same grades at the same ranks (or tied at the same
    ranks), and the same grades judged in all: every order of the one then has its counterpart in the other. Where
    judgments say how they were sampled, or documents what they cost, each query is taken for one of its own kind.
    """
    r = tied.rankings
    each = AlikeTopics(Strings.from_list(r.qrels.query_ids).hash64(), queries, np.arange(len(queries)))
    if r.qrels.stratum is not None or r.qrels.probability is not None or r.costs is not None:
        return each
    tie = tied.ties.at(r.query, r.rank)
    first = np.where(tie >= 0, tied.ties.first[tie] if len(tied.ties) else 0, r.rank)
    last = np.where(tie >= 0, tied.ties.last[tie] if len(tied.ties) else 0, r.rank)
    row, judgment = np.lexsort((r.grade, first, r.query)), np.lexsort((r.qrels.grade, r.qrels.query))
    rows = [column[row] for column in (first, last, r.grade)]
    judged = [r.qrels.grade[judgment]]
    mark = mix64(r.retrieved.astype(np.uint64) + _SALT)
    np.add.at(mark, r.query[row], _marks(rows))
    np.add.at(mark, r.qrels.query[judgment], mix64(_marks(judged)))
    _, example, which = np.unique(mark[queries], return_index=True, return_inverse=True)
    like = queries[example][which]
    same = (r.retrieved[queries] == r.retrieved[like]).all()
    same = same and _are_equal(rows, r.offset, queries, like) and _are_equal(judged, r.qrels.offset, queries, like)
    return AlikeTopics(mark, queries[example], which) if same else each


def _marks(columns: Sequence[Ints | Floats]) -> Words:
    """A number for each row that nearly always differs where the rows do."""
    mark = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        mark = mix64(mark + _SALT + column.astype(np.float64).view(np.uint64))
    return mark


def _are_equal(columns: Sequence[Ints | Floats], offset: Ints, ones: Ints, others: Ints) -> bool:
    """Whether each of some queries has the same rows as its counterpart."""
    size = np.diff(offset)
    if (size[ones] != size[others]).any():
        return False
    here, _ = spans(offset[ones], size[ones])
    there, _ = spans(offset[others], size[others])
    return all(bool((column[here] == column[there]).all()) for column in columns)
