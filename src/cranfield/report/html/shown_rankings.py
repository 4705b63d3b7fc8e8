"""The first documents of every run for every topic, side by side, with their grades and where other runs have them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from cranfield.data.frames import as_run
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run, as_single
from cranfield.data.strings import Numbered, Strings, Words, decode, encode
from cranfield.evaluation.inputs import is_file
from cranfield.evaluation.parallel import fork_map
from cranfield.formats import read_run

SHOWN = 20
"""How many documents of each ranking are kept."""


@dataclass(frozen=True)
class ShownDocument:
    """A document that some run has among its first, and its grade; None: not judged."""

    document: str
    grade: float | None


@dataclass(frozen=True)
class TopicRankings:
    """What every run returns first for one topic."""

    topic: str
    documents: tuple[ShownDocument, ...]
    """All that some run has among its first."""
    rankings: tuple[tuple[int, ...], ...]
    """For each run, which of these documents it has first, second and so on."""
    ranks: tuple[tuple[int, ...], ...]
    """For each run, at what rank it has each of these documents, however deep; 0: it does not have it."""
    retrieved: tuple[int, ...]
    """For each run, how many documents it has in all."""


def shown_rankings(
    qrels: Qrels, runs: Mapping[str, Any], *, format: str | None = None, single: bool = False, most: int = SHOWN
) -> tuple[TopicRankings, ...]:
    """The first documents of each run for each judged topic, by score, ties by identifier, last first.

    `single` compares scores as 32-bit floats.

    >>> qrels = Qrels.from_dict({"q1": {"d1": 2}})
    >>> (one,) = shown_rankings(qrels, {"a": {"q1": {"d1": 1.0, "d2": 3.0}}, "b": {"q1": {"d1": 1.0}}})
    >>> [document.document for document in one.documents], one.rankings
    (['d2', 'd1'], ((0, 1), (1,)))
    >>> one.ranks
    ((1, 2), (0, 1))
    """
    tasks = [partial(_first, qrels, run, format, single, most) for run in runs.values()]
    files = all(isinstance(run, (str, os.PathLike)) for run in runs.values())
    found = fork_map(tasks) if files and len(tasks) > 1 else [task() for task in tasks]
    return tuple(_topic(qrels, topic, [of_run[row] for of_run in found]) for row, topic in enumerate(qrels.queries))


_First = tuple[list[bytes], Words]
"""The first documents of a topic, and the hash values of all, in order: to look others up without their names."""


def _first(qrels: Qrels, run: Any, format: str | None, single: bool, most: int) -> list[_First]:
    whole = read_run(run, format=format) if is_file(run) else as_run(run)
    if single:
        named = Numbered(list(whole.query_ids), whole.query)
        whole = Run(named, whole.documents, as_single(whole.score).astype(np.float64))
    found: list[_First] = []
    for query in qrels.query_ids:
        at = whole.position.get(query)
        if at is None:
            found.append(([], np.zeros(0, np.uint64)))
            continue
        documents = whole.documents.take(slice(int(whole.offset[at]), int(whole.offset[at + 1])))
        found.append((documents.take(slice(0, most)).tolist(), documents.hash64()))
    return found


def _topic(qrels: Qrels, topic: str, of_runs: Sequence[_First]) -> TopicRankings:
    grades = {encode(document): float(grade) for document, grade in qrels[topic].items()}
    place: dict[bytes, int] = {}
    rankings = tuple(tuple(place.setdefault(name, len(place)) for name in documents) for documents, _ in of_runs)
    documents = tuple(ShownDocument(decode(name), _judged(grades.get(name))) for name in place)
    shown = Strings.from_list(list(place)).hash64()
    ranks = tuple(_ranks(shown, hashes) for _, hashes in of_runs)
    return TopicRankings(topic, documents, rankings, ranks, tuple(len(hashes) for _, hashes in of_runs))


def _ranks(shown: Words, ranking: Words) -> tuple[int, ...]:
    """The ranks from 1 on of what is shown; 0 for what the ranking does not have."""
    if not len(ranking):
        return (0,) * len(shown)
    order = np.argsort(ranking)
    there = order[np.searchsorted(ranking, shown, sorter=order).clip(max=len(order) - 1)]
    return tuple(np.where(ranking[there] == shown, there + 1, 0).tolist())


def _judged(grade: float | None) -> float | None:
    """A negative grade marks a document that was in the pool and not judged."""
    return None if grade is None or grade < 0 else grade
