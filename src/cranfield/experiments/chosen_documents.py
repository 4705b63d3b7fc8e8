"""Judgments and runs of some of the documents alone."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.strings import Ints, Strings


def judgments_among(qrels: Qrels, documents: Collection[bytes]) -> Qrels:
    """The judgments of these documents.

    >>> judgments_among(Qrels.from_dict({"q1": {"d1": 1, "d2": 0}, "q2": {"d2": 1}}), {b"d1"}).to_dict()
    {'q1': {'d1': 1}}
    """
    rows = _rows(qrels.documents, documents)
    return Qrels.from_columns(qrels.to_columns().take(rows), name=qrels.name)


def run_among(run: Run, documents: Collection[bytes]) -> Run:
    """What remains of a run without all other documents: those below them move up.

    >>> run_among(Run.from_dict({"q1": {"d1": 3.0, "d2": 2.0}}), {b"d2"}).to_dict()
    {'q1': {'d2': 2.0}}
    """
    rows = _rows(run.documents, documents)
    return Run.from_columns(run.to_columns().take(rows), name=run.name, tag=run.tag)


def _rows(documents: Strings, wanted: Collection[bytes]) -> Ints:
    names = frozenset(wanted)
    return np.flatnonzero([name in names for name in documents.tolist()])
