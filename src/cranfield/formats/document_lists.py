"""Documents that someone names for topics: lines of `topic document`, or those of a run, of judgments or of a pool."""

from __future__ import annotations

import os
from operator import itemgetter
from typing import IO, NamedTuple, cast

import numpy as np

from cranfield.data.pool import OUTRIGHT, Pool
from cranfield.data.strings import Numbered, Strings, concatenate, number
from cranfield.errors import DataError
from cranfield.formats import pools, read_qrels, read_run
from cranfield.formats.files import Readable, Source, open_source
from cranfield.formats.lines import Layout, empty, iter_blocks, iter_fields
from cranfield.formats.text_fields import refuse_white_space, write_lines
from cranfield.formats.writing import writing

LAYOUT = Layout(("topic", "document"), lambda fields: None)
_RUN_FIELDS = 6


class DocumentList(NamedTuple):
    """All these documents, to be judged for certain."""

    pool: Pool
    repeated: int
    """How many lines named a document once more."""


def read_document_list(what: Readable) -> DocumentList:
    """Documents from a path, `-` for standard input, or a file object; the format is recognised by content.

    >>> import io
    >>> read_document_list(io.StringIO("q1 d7\\nq1 d2\\nq1 d7\\n")).pool["q1"]
    ['d7', 'd2']
    """
    with open_source(what) as source:
        head, stream = source.head(), cast(IO[bytes], source.stream)
        if head.startswith(pools.MARK):
            return _of_pool(pools.read_pool(stream))
        first = next((fields for _, fields in iter_fields(head)), [])
        if not first:
            raise DataError(f"{source.name}: the file has no records; expected lines of {' '.join(LAYOUT.names)}")
        if len(first) == len(LAYOUT.names):
            return _distinct(*_lines(source))
        if len(first) >= _RUN_FIELDS:
            run = read_run(stream, name=source.name)
            return _distinct(Numbered(list(run.query_ids), run.query), run.documents)
        qrels = read_qrels(stream, name=source.name)
        return _distinct(Numbered(list(qrels.query_ids), qrels.query), qrels.documents)


def read_pool_or_list(what: str | os.PathLike[str]) -> Pool:
    """A pool with all it says of chances, or what any other list of documents makes a pool of."""
    with open_source(what) as source:
        is_pool = source.head().startswith(pools.MARK)
    return pools.read_pool(what) if is_pool else read_document_list(what).pool


def write_document_list(pool: Pool, path: str | os.PathLike[str], number: int | None = None) -> None:
    """Write what is to be judged, in its order, as lines of `topic document`; of one round, if that is named."""
    rows = np.flatnonzero(pool.chosen if number is None else pool.chosen & (pool.round == number))
    topic, documents = Strings.from_list(pool.topic_ids).take(pool.topic[rows]), pool.documents.take(rows)
    refuse_white_space({"topic": topic, "document": documents}, "a list of documents")
    with writing(path) as out:
        write_lines([topic, documents], out)


def _lines(source: Source) -> tuple[Strings, Strings]:
    blocks = [(block.columns[0].compact(), block.columns[1].compact()) for block in iter_blocks(source, LAYOUT)]
    if not blocks:
        raise empty(source.name, LAYOUT)
    return concatenate([topic for topic, _ in blocks]), concatenate([document for _, document in blocks])


def _of_pool(pool: Pool) -> DocumentList:
    rows = np.flatnonzero(pool.chosen)
    return _distinct(Numbered(list(pool.topic_ids), pool.topic[rows]), pool.documents.take(rows))


def _distinct(topic: Strings | Numbered, documents: Strings) -> DocumentList:
    """Each document of a topic once, where it was first named."""
    ids, code = number(topic)
    named = dict.fromkeys(zip(code.tolist(), documents.tolist(), strict=True))
    kept = sorted(named, key=itemgetter(0))
    pool = Pool(
        tuple(ids),
        np.array([topic for topic, _ in kept], dtype=np.int32),
        Strings.from_list([document for _, document in kept]),
        np.ones(len(kept), dtype=np.bool_),
        np.full(len(kept), OUTRIGHT, dtype=np.int32),
        np.zeros(len(kept), dtype=np.int64),
    )
    return DocumentList(pool, len(documents) - len(kept))
