"""Runs evaluated as if some documents had not been judged."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.data.strings import Bools, Codes, Floats, Ints, Numbered
from cranfield.errors import DataError, UsageError
from cranfield.evaluation.compared import why_not_tested
from cranfield.evaluation.coverage import Coverage
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.inputs import run_names
from cranfield.evaluation.missing_topics import nothing_for, zero_is_worst
from cranfield.evaluation.parallel import fork_map
from cranfield.evaluation.streaming import rank_file, rank_run
from cranfield.measures import Measure


@dataclass(frozen=True, eq=False)
class JudgedRuns:
    """Runs joined with the same judgments, and the measures they are evaluated by."""

    names: tuple[str, ...]
    qrels: Qrels
    measures: tuple[Measure, ...]
    rankings: tuple[Rankings, ...]
    """As deep as the runs are."""
    depth: int | None = None
    """Measures look at so many documents of each list; None: at all."""

    @classmethod
    def of(
        cls, evaluator: Evaluator, runs: Sequence[str | os.PathLike[str] | Run], names: Sequence[str] | None = None
    ) -> JudgedRuns:
        """Files are read side by side."""
        qrels = evaluator.qrels
        assert isinstance(qrels, Qrels)
        _refuse(evaluator, qrels)
        names = tuple(names or run_names(runs))
        _ = qrels.table  # built once, before the processes part
        tasks = [partial(_joined, run, qrels, evaluator.run_format) for run in runs]
        joined = [task() for task in tasks] if any(isinstance(run, Run) for run in runs) else fork_map(tasks)
        for name, (_, coverage) in zip(names, joined, strict=True):
            evaluator.missing_topics.check(coverage, qrels.queries, name)
        rankings = tuple(Rankings(qrels, *columns) for columns, _ in joined)
        return cls(names, qrels, evaluator.measures, rankings, evaluator.depth)

    @cached_property
    def has(self) -> Bools:
        """Which runs (rows) have which topics."""
        return np.array([ranked.retrieved > 0 for ranked in self.rankings])

    @cached_property
    def values(self) -> Floats:
        """Measures x runs x topics."""
        return self._values(self._every_topic, np.arange(len(self.qrels)), range(len(self.measures)))

    @cached_property
    def blind(self) -> Bools:
        """Which measures take a document that is not relevant at all for one that is unjudged.

        That is seen from their values, which are then the same for every run and topic if only relevant documents are
        judged. What is worth nothing can be left out for them without a look.
        """
        rows = np.flatnonzero(self.qrels.grade > 0)
        bare = self._values(self._every_topic, rows, range(len(self.measures)))
        return np.array([np.array_equal(one, other) for one, other in zip(self.values, bare, strict=True)])

    def means(self, values: Floats) -> Floats:
        """Measures x runs: what each measure makes of the values of the topics."""
        return np.array([[m.aggregate(row) for row in rows] for m, rows in zip(self.measures, values, strict=True)])

    def values_without(self, gone: Ints) -> Floats:
        """The values if some judgments were not there. Only the topics of these are evaluated again."""
        values = self.values.copy()
        kept = np.ones(len(self.qrels), dtype=np.bool_)
        kept[gone] = False
        for blind, some in ((True, gone[self.qrels.grade[gone] > 0]), (False, gone)):
            measures = np.flatnonzero(self.blind == blind).tolist()
            topics = np.unique(self.qrels.query[some]).astype(np.int64)
            if measures and len(topics):
                rows = _stretches(self.qrels.offset, topics)
                for at, found in zip(measures, self._values(topics, rows[kept[rows]], measures), strict=True):
                    values[at][:, topics] = found
        return values

    @property
    def _every_topic(self) -> Ints:
        return np.arange(len(self.qrels.query_ids))

    def _values(self, topics: Ints, rows: Ints, measures: Sequence[int]) -> Floats:
        """The values of some measures for some topics with some of their judgments; a topic may be left without any."""
        qrels = self.qrels
        number = np.full(len(qrels.query_ids), -1, dtype=np.int32)
        number[topics] = np.arange(len(topics))
        place = np.full(len(qrels), -1)
        place[rows] = np.arange(len(rows))
        ids = [qrels.query_ids[topic] for topic in topics.tolist()]
        judged = Qrels(Numbered(ids, number[qrels.query[rows]]), qrels.documents.take(rows), qrels.grade[rows])
        found = np.empty((len(measures), len(self.rankings), len(topics)))
        for at, ranked in enumerate(self.rankings):
            of_topics = _stretches(ranked.offset, topics)
            seen = of_topics[place[ranked.judgment[of_topics]] >= 0]
            data = replace(
                ranked,
                qrels=judged,
                retrieved=ranked.retrieved[topics],
                tied=ranked.tied[topics],
                query=number[ranked.query[seen]],
                rank=ranked.rank[seen],
                judgment=place[ranked.judgment[seen]],
            )
            data = data if self.depth is None else data.cut(self.depth)
            lacks = data.retrieved == 0
            for measure, out in zip((self.measures[one] for one in measures), found[:, at], strict=True):
                values = measure.compute(data)
                out[:] = nothing_for(values, lacks) if zero_is_worst(measure) else values
        return found


def _stretches(offset: Ints, chosen: Ints) -> Ints:
    """The rows of the chosen groups, where groups begin at these places.

    >>> _stretches(np.array([0, 2, 3, 6]), np.array([0, 2])).tolist()
    [0, 1, 3, 4, 5]
    """
    size = np.diff(offset)[chosen]
    rows: Ints = np.arange(int(size.sum())) + np.repeat(offset[chosen] - (np.cumsum(size) - size), size)
    return rows


Columns = tuple[Ints, Ints, Codes, Ints, Ints]
"""What a `Rankings` has beside the judgments, of which every process has its own."""


def _joined(run: str | os.PathLike[str] | Run, qrels: Qrels, run_format: str | None) -> tuple[Columns, Coverage]:
    if isinstance(run, Run):
        ranked = rank_run(run, qrels, single=False)
    else:
        ranked = rank_file(run, qrels, single=False, input_format=run_format, split=False)
    r = ranked.rankings
    return (r.retrieved, r.tied, r.query, r.rank, r.judgment), Coverage.of(ranked)


def _refuse(evaluator: Evaluator, qrels: Qrels) -> None:
    """An error for measures that do not rank runs, or judgments that cannot be taken away one by one."""
    for measure in evaluator.measures:
        reason = why_not_tested(measure)
        if measure.definition.needs != "qrels" or measure.definition.aggregate == "none":
            reason = "it does not look at plain judgments, or is text"
        if reason:
            raise UsageError(f"{measure}: nothing can be said about how runs change by it: {reason}")
    if qrels.is_sample:
        raise DataError(
            f"{qrels.name}: these judgments are a sample, in which documents stand for others, so that what one run "
            "brought in cannot be taken away"
        )
