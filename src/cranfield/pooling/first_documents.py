"""The first documents of each query of a TREC run file, taken while it is read.

Scores decide which these are, so all lines are looked at, and none may repeat a document; but only the first documents
leave a trace. That works where the lines of a query stand together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.data.run import ranking_order
from cranfield.data.strings import Ints, Strings, Words, concatenate
from cranfield.evaluation.streaming import distinct_hashes
from cranfield.formats import trec_run
from cranfield.formats.files import Source
from cranfield.formats.lines import empty


class FirstDocuments(NamedTuple):
    """Queries in byte order, and the first documents of each, best first."""

    query_ids: tuple[bytes, ...]
    size: Ints
    documents: Strings
    hashes: Words


def first_documents(source: Source, depth: int) -> FirstDocuments | None:
    """So many of each query at most; None if the lines of some query do not stand together."""
    ids: list[bytes] = []
    size, documents, hashes = [], [], []
    for rows in trec_run.iter_rows(source, whole_queries=True):
        heads = rows.block.heads
        assert heads is not None
        new = rows.query.take(heads).tolist()
        ids += new
        length = np.diff(heads, append=len(rows.query))
        group = np.repeat(np.arange(len(heads), dtype=np.int32), length)
        of_all = distinct_hashes(rows, group, new, source.name)
        order = ranking_order(group, rows.score, rows.documents)
        taken = np.minimum(length, depth)
        kept = np.repeat(heads - (np.cumsum(taken) - taken), taken) + np.arange(int(taken.sum()))
        kept = kept if order is None else order[kept]
        size.append(taken)
        documents.append(rows.documents.take(kept).compact())
        hashes.append(of_all[kept])
    if not ids:
        raise empty(source.name, trec_run.LAYOUT)
    if len(set(ids)) < len(ids):
        return None
    return _in_byte_order(ids, np.concatenate(size), concatenate(documents), np.concatenate(hashes))


def _in_byte_order(ids: list[bytes], size: Ints, documents: Strings, hashes: Words) -> FirstDocuments:
    order = sorted(range(len(ids)), key=ids.__getitem__)
    if order == list(range(len(ids))):
        return FirstDocuments(tuple(ids), size, documents, hashes)
    begin = np.cumsum(size) - size
    rows = np.concatenate([np.arange(begin[each], begin[each] + size[each]) for each in order])
    return FirstDocuments(tuple(ids[each] for each in order), size[order], documents.take(rows), hashes[rows])
