"""How far runs are judged, what each of them alone brought in, and how much they have in common."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.pool import Pool
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.strings import Bools, Floats, Ints, Numbered
from cranfield.errors import ParameterError, UsageError
from cranfield.evaluation.inputs import is_file
from cranfield.formats import read_qrels
from cranfield.measures.parameters import CUTOFF
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.judged_pool import JudgedPool
from cranfield.pooling.missing.judged_candidates import JudgedCandidates
from cranfield.pooling.missing.overlap import overlaps
from cranfield.stats.significance.outcome import as_json

SCHEMA = "cranfield.pool-statistics/1"
DEFAULT_DEPTH = 100
CUTOFFS = (1, 5, 10, 20, 50, 100)
FEW = 5
"""A topic with fewer relevant documents says little: a measure of it hangs on one or two documents."""


class RunPart(NamedTuple):
    """What one run has to do with the pool."""

    run: str
    topics: int
    judged: tuple[float, ...]
    """The share judged of its first documents, for each cutoff, on average over its topics; nan where it has none."""
    relevant: tuple[float, ...]
    """The share that is relevant of those judged."""
    documents: int
    """How many it has among its first, as deep as the pool is."""
    unique: int
    """How many of these no other run has so far up."""
    unique_judged: int
    unique_relevant: int
    overlap: float
    """Its mean overlap with the others; nan for a run alone."""


class RankBand(NamedTuple):
    """What stands at some ranks of all runs."""

    first: int
    last: int
    places: int
    """How often a run has a document there."""
    judged: float
    """The share of these that is judged."""
    relevant: float
    """The share of those judged that is relevant."""
    new: int
    """How many documents no run has further up."""
    new_judged: int
    new_relevant: int


class TopicPart(NamedTuple):
    """What one topic has."""

    topic: str
    pool: int
    """How many documents the pool has."""
    judged_of_pool: int
    judged: int
    """How many documents are judged, in the pool or not."""
    relevant: int


@dataclass(frozen=True, eq=False, repr=False)
class PoolStatistics:
    """Judgments beside runs."""

    judged: JudgedCandidates
    depth: int
    """Of the pool."""
    cutoffs: tuple[int, ...]
    level: float
    pool: JudgedPool | None
    """The pool that was judged, if it was given."""
    few: int = FEW

    @cached_property
    def in_pool(self) -> Bools:
        """Which candidates are in the pool: those to be judged, or without a pool all that a run has so far up."""
        candidates = self.judged.candidates
        inside = candidates.best_rank <= self.depth
        if self.pool is None:
            return inside
        chosen = np.flatnonzero(self.pool.pool.chosen)
        pool = self.pool.pool
        listed = Qrels(
            Numbered(list(pool.topic_ids), pool.topic[chosen]), pool.documents.take(chosen), np.zeros(len(chosen))
        )
        code = np.array([listed.position.get(topic, -1) for topic in candidates.topic_ids], dtype=np.int32)
        row, _ = listed.table.find(code[candidates.topic], candidates.documents, candidates.hashes)
        found = np.zeros(len(candidates), dtype=np.bool_)
        found[row] = True
        return found & inside

    @cached_property
    def runs(self) -> list[RunPart]:
        """In the order given."""
        candidates = self.judged.candidates
        document, run = candidates.place_document, candidates.place_run
        inside = np.flatnonzero(candidates.place_rank <= self.depth)
        document, run = document[inside], run[inside]
        count = len(candidates.runs)
        alone = (np.bincount(document, minlength=len(candidates))[document] == 1) & self.in_pool[document]
        judged, relevant = self.judged.judged, self.judged.relevant(self.level)
        columns = [np.bincount(run, minlength=count)]
        for chosen in (alone, alone & judged[document], alone & relevant[document]):
            columns.append(np.bincount(run[chosen], minlength=count))
        shares, of_judged = self._shares
        found = []
        for at, name in enumerate(candidates.runs):
            documents, unique, unique_judged, unique_relevant = (int(column[at]) for column in columns)
            others = np.delete(self.overlap[at], at)
            found.append(
                RunPart(
                    name,
                    int(np.count_nonzero(candidates.returned[at])),
                    tuple(shares[at].tolist()),
                    tuple(of_judged[at].tolist()),
                    documents,
                    unique,
                    unique_judged,
                    unique_relevant,
                    float(others.mean()) if len(others) else np.nan,
                )
            )
        return found

    @cached_property
    def overlap(self) -> Floats:
        """Runs x runs: of the documents that two have among their first, the share that both have (Jaccard)."""
        candidates = self.judged.candidates
        inside = candidates.place_rank <= self.depth
        return overlaps(candidates.place_document[inside], candidates.place_run[inside], len(candidates.runs))

    @cached_property
    def ranks(self) -> list[RankBand]:
        """The ranks between one cutoff and the next, all runs together."""
        candidates = self.judged.candidates
        judged, relevant = self.judged.judged, self.judged.relevant(self.level)
        at, document, best = candidates.place_rank, candidates.place_document, candidates.best_rank
        found, first = [], 1
        for last in self.cutoffs:
            there = document[(at >= first) & (at <= last)]
            new = (best >= first) & (best <= last)
            known = int(np.count_nonzero(judged[there]))
            found.append(
                RankBand(
                    first,
                    last,
                    len(there),
                    known / len(there) if len(there) else np.nan,
                    int(np.count_nonzero(relevant[there])) / known if known else np.nan,
                    int(np.count_nonzero(new)),
                    int(np.count_nonzero(new & judged)),
                    int(np.count_nonzero(new & relevant)),
                )
            )
            first = last + 1
        return found

    @cached_property
    def topics(self) -> list[TopicPart]:
        """Those that are judged and in some run, by name."""
        candidates, qrels = self.judged.candidates, self.judged.qrels
        topics = len(candidates.topic_ids)
        where = [qrels.position[topic] for topic in candidates.topic_ids]
        if self.pool is None:
            size = np.bincount(candidates.topic[self.in_pool], minlength=topics)
            known = np.bincount(candidates.topic[self.in_pool & self.judged.judged], minlength=topics)
        else:
            size, known = self._of_pool()
        judged, relevant = qrels.count(0.0)[where], qrels.count(max(self.level, 0.0))[where]
        columns = zip(*(column.tolist() for column in (size, known, judged, relevant)), strict=True)
        return [TopicPart(topic, *row) for topic, row in zip(candidates.topics, columns, strict=True)]

    def _of_pool(self) -> tuple[Ints, Ints]:
        """For each topic, how many documents the pool has, and how many of these are judged."""
        assert self.pool is not None
        pool = self.pool.pool
        columns = []
        for rows in (pool.chosen, pool.chosen & self.pool.judged):
            counts = np.bincount(pool.topic[rows], minlength=len(pool.topic_ids))
            place = [pool.position.get(topic, -1) for topic in self.judged.candidates.topic_ids]
            columns.append(np.array([counts[at] if at >= 0 else 0 for at in place], dtype=np.int64))
        return columns[0], columns[1]

    @property
    def few_relevant(self) -> list[TopicPart]:
        """Topics with fewer relevant documents than one would like, those with the fewest first."""
        return sorted((topic for topic in self.topics if topic.relevant < self.few), key=lambda topic: topic.relevant)

    @property
    def totals(self) -> dict[str, int]:
        """Over all topics."""
        columns = list(zip(*(topic[1:] for topic in self.topics), strict=True))
        names = ("pool", "judged_of_pool", "judged", "relevant")
        sums = {name: sum(column) for name, column in zip(names, columns, strict=True)}
        beyond = {"judged_in_no_run": self.judged.in_no_run, "judged_depth": self.judged.judged_depth}
        return {"runs": len(self.judged.candidates.runs), "topics": len(self.topics), **sums, **beyond}

    @property
    def notes(self) -> tuple[str, ...]:
        notes = self.judged.notes()
        if self.pool is not None:
            notes += [note for note in self.pool.notes() if "not drawn" not in note]
        if len(self.judged.candidates.runs) == 1:
            notes.append("with one run, all it has is its own: what is unique, and overlaps, say something of several")
        return tuple(notes)

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it; what is not defined is None."""
        names = self.judged.candidates.runs
        whole: dict[str, Any] = as_json(
            {
                "schema": SCHEMA,
                "depth": self.depth,
                "level": self.level,
                "cutoffs": list(self.cutoffs),
                "totals": self.totals,
                "runs": [run._asdict() for run in self.runs],
                "ranks": [band._asdict() for band in self.ranks],
                "topics": [topic._asdict() for topic in self.topics],
                "topics_with_few_relevant": [topic.topic for topic in self.few_relevant],
                "overlap": {
                    name: dict(zip(names, row.tolist(), strict=True))
                    for name, row in zip(names, self.overlap, strict=True)
                },
                "notes": list(self.notes),
            }
        )
        return whole

    @cached_property
    def _shares(self) -> tuple[Floats, Floats]:
        """Runs x cutoffs: the share of the first documents that is judged, and the share of these that is relevant.

        The first is the mean over the topics that the run has, as the measure Judged has it.
        """
        candidates = self.judged.candidates
        judged = self.judged.judged[candidates.place_document]
        relevant = self.judged.relevant(self.level)[candidates.place_document]
        # A place at a rank counts for the first cutoff that is no higher, and for all after it.
        band = np.searchsorted(self.cutoffs, candidates.place_rank)
        shape = len(candidates.runs), len(candidates.topic_ids), len(self.cutoffs) + 1
        key = np.ravel_multi_index((candidates.place_run, candidates.topic[candidates.place_document], band), shape)
        there, known, good = (
            np.bincount(key[rows], minlength=math.prod(shape)).reshape(shape)[..., :-1].cumsum(axis=2)
            for rows in (slice(None), judged, relevant)
        )
        topics = np.count_nonzero(there, axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return (known / np.maximum(there, 1)).sum(axis=1) / topics, good.sum(axis=1) / known.sum(axis=1)


def pool_statistics(
    qrels: Any,
    runs: Sequence[str | os.PathLike[str] | Run],
    *,
    pool: Pool | None = None,
    depth: int = DEFAULT_DEPTH,
    cutoffs: Iterable[int] = CUTOFFS,
    level: float = 1,
    few: int = FEW,
    qrels_format: str | None = None,
    run_format: str | None = None,
) -> PoolStatistics:
    """How much of each run is judged, rank by rank, and what each alone brought into a pool of this depth.

    Judgments are a file or a `Qrels`; with the `pool` that was judged, only what is in it counts as brought in.

    >>> one = Run.from_dict({"q": {"a": 3, "b": 2, "c": 1}}, name="one")
    >>> two = Run.from_dict({"q": {"x": 3, "a": 2, "b": 1}}, name="two")
    >>> found = pool_statistics(Qrels.from_dict({"q": {"a": 1, "x": 1}}), [one, two], depth=2, cutoffs=[1, 2])
    >>> [(run.run, run.judged, run.unique, run.unique_relevant) for run in found.runs]  # b is not judged
    [('one', (1.0, 0.5), 1, 0), ('two', (1.0, 1.0), 1, 1)]
    """
    if not runs:
        raise UsageError("there is no run")
    depth = CUTOFF.accept(depth, "the depth of the pool (-k, depth=)")
    chosen = tuple(sorted({CUTOFF.accept(rank, "a rank (--ranks, cutoffs=)") for rank in cutoffs}))
    if not chosen:
        raise ParameterError("cutoffs: name one rank at least")
    judgments = read_qrels(qrels, format=qrels_format) if is_file(qrels) else qrels
    candidates = Candidates.of_runs(runs, max(depth, chosen[-1]), input_format=run_format)
    judged = JudgedCandidates.of(judgments, candidates)
    return PoolStatistics(judged, depth, chosen, level, None if pool is None else JudgedPool.of(pool, judgments), few)
