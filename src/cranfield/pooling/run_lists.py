"""The beginnings of the lists of a run, which is all that a pool needs of it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from cranfield.data.run import Run
from cranfield.data.strings import Ints, Strings, Words
from cranfield.evaluation.inputs import run_names
from cranfield.evaluation.parallel import fork_map
from cranfield.evaluation.provenance.origin import read_input
from cranfield.formats import module, read_run, recognise, trec_run
from cranfield.formats.files import open_source
from cranfield.pooling.first_documents import FirstDocuments, first_documents


class RunLists(NamedTuple):
    """The first documents that a run returned for each topic, best first; topics in byte order."""

    name: str
    topic_ids: tuple[bytes, ...]
    size: Ints
    """How many documents there are for each topic."""
    documents: Strings
    hashes: Words
    sha256: str | None = None
    """Of the file it was read from."""


def lists_of(run: Run, depth: int | None, name: str, sha256: str | None = None) -> RunLists:
    """The lists of a run in memory, so many documents of each at most."""
    size = np.diff(run.offset)
    if depth is None or size.max(initial=0) <= depth:
        return RunLists(name, run.query_ids, size, run.documents.compact(), run.hashes, sha256)
    rows = np.flatnonzero(run.rank <= depth)
    documents = run.documents.take(rows).compact()
    return RunLists(name, run.query_ids, np.minimum(size, depth), documents, documents.hash64(), sha256)


def read_lists(paths: Sequence[str], depth: int | None, *, input_format: str | None = None) -> list[RunLists]:
    """The lists of run files, read side by side."""
    names = run_names(paths)
    return fork_map([partial(_read, path, name, depth, input_format) for path, name in zip(paths, names, strict=True)])


def _read(path: str, name: str, depth: int | None, input_format: str | None) -> RunLists:
    def read() -> RunLists:
        found = None if depth is None else _while_reading(path, depth, input_format)
        return lists_of(read_run(path, format=input_format), depth, name) if found is None else RunLists(name, *found)

    lists, source = read_input("run", path, read, hashed=True)
    return lists._replace(sha256=source.sha256)


def _while_reading(path: str, depth: int, input_format: str | None) -> FirstDocuments | None:
    """The lists of a plain file in TREC's format; None if it has to be read whole."""
    if not os.path.isfile(path):
        return None
    with open_source(path) as source:
        if not source.head().strip():
            return None
        chosen = module(input_format, "run") if input_format else recognise("run", source)
        return first_documents(source, depth) if chosen is trec_run else None
