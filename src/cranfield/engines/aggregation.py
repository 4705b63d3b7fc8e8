"""Runs of passages made into runs of documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.frames import as_run
from cranfield.data.run import Run
from cranfield.data.strings import Floats, Ints, Numbered, Strings
from cranfield.engines.passages import Passages, looked_up, matched, split_at
from cranfield.engines.same_documents import ROWS_AT_ONCE, alike, in_order
from cranfield.errors import DataError, UsageError, did_you_mean
from cranfield.evaluation.inputs import is_file
from cranfield.formats import read_run
from cranfield.measures.parameters import CUTOFF


class _Groups(NamedTuple):
    """Passages of the same document, best first."""

    score: Floats
    place: Ints
    begin: Ints
    """The row at which each document begins."""

    @property
    def size(self) -> Ints:
        return np.diff(self.begin, append=len(self.score))


def _best(groups: _Groups) -> Floats:
    """The score of the best passage."""
    return groups.score[groups.begin]


def _first(groups: _Groups) -> Floats:
    """The score of the passage that comes first in the document, of those that were returned."""
    document = np.repeat(np.arange(len(groups.begin)), groups.size)
    return groups.score[np.lexsort((groups.place, document))][groups.begin]


def _sum(groups: _Groups) -> Floats:
    """The sum of the scores of its passages."""
    return np.add.reduceat(groups.score, groups.begin)


def _mean(groups: _Groups) -> Floats:
    """The mean of the scores of its passages."""
    return _sum(groups) / groups.size


METHODS: Mapping[str, Callable[[_Groups], Floats]] = {"MaxP": _best, "FirstP": _first, "SumP": _sum, "AvgP": _mean}
"""What the score of a document is made of, by name."""


def aggregate(
    run: Any,
    method: str = "MaxP",
    *,
    separator: str | None = None,
    pattern: str | None = None,
    mapping: Mapping[str, str] | None = None,
    depth: int | None = None,
    name: str | None = None,
    run_format: str | None = None,
) -> Run:
    """Make a run of documents of a run of passages.

    `method` says what the score of a document is made of: MaxP (its best passage), FirstP (the first of it that was
    returned), SumP or AvgP. Which document a passage is of is what stands before the last `separator` (`#` unless
    said), what the first group of a regular expression matches (`pattern`), or what a `mapping` says.

    >>> aggregate({"q1": {"d1#0": 0.5, "d2#7": 0.75, "d1#3": 0.625}}, "SumP")["q1"]  # .5 + .625
    {'d1': 1.125, 'd2': 0.75}
    """
    names = {known.lower(): known for known in METHODS}
    if method.lower() not in names:
        near = f"{did_you_mean(method, METHODS)} There are: {', '.join(METHODS)}"
        raise UsageError(f"unknown way to make documents of passages {method!r}{near}")
    score_of = METHODS[names[method.lower()]]
    given = read_run(run, format=run_format) if is_file(run) else as_run(run)
    if not len(given):
        raise DataError(f"{given.name}: there are no passages in it")
    passages = _passages(given.documents, separator, pattern, mapping)
    hashes = passages.documents.hash64()
    code, kept, scores = [], [], []
    for rows in _pieces(given):
        one_of_each, number = alike(given.query[rows].astype(np.int64), passages.documents.take(rows), hashes[rows])
        order, size = in_order(number), np.bincount(number)
        begin = np.cumsum(size) - size
        groups = _Groups(given.score[rows][order], passages.place[rows][order], begin)
        kept.append(one_of_each + rows.start)
        code.append(given.query[kept[-1]])
        scores.append(score_of(groups))
    query = Numbered(list(given.query_ids), np.concatenate(code))
    documents = passages.documents.take(np.concatenate(kept))
    made = Run(query, documents, np.concatenate(scores), name=name or f"{given.name}-{names[method.lower()]}")
    return made if depth is None else made.first(CUTOFF.accept(depth, "the depth of a run of documents"))


def _passages(ids: Strings, separator: str | None, pattern: str | None, mapping: Mapping[str, str] | None) -> Passages:
    given = [way for way in (separator, pattern, mapping) if way is not None]
    if len(given) > 1:
        raise UsageError("say in one way which document a passage is of: separator, pattern or mapping")
    if mapping is not None:
        return looked_up(ids, mapping)
    return matched(ids, pattern) if pattern is not None else split_at(ids, "#" if separator is None else separator)


def _pieces(run: Run) -> list[slice]:
    """Rows to be worked on together: whole queries."""
    ends, begin, pieces = run.offset[1:].tolist(), 0, []
    for number, end in enumerate(ends):
        if end - begin >= ROWS_AT_ONCE or number == len(ends) - 1:
            pieces.append(slice(begin, end))
            begin = end
    return pieces
