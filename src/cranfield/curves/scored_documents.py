"""The documents of all topics in one list by score, for what one threshold for all topics gives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield.curves.inputs import JoinedRun
from cranfield.data.run import as_single
from cranfield.data.strings import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class ScoredDocuments:
    """Every document that is looked at, with its score: queries one after the other, best document first."""

    query: Ints
    """The number of its query in the judgments."""
    score: Floats
    relevant: Bools
    judged: Bools

    @classmethod
    def of(cls, joined: JoinedRun, *, single: bool, judged_only: bool) -> ScoredDocuments:
        """Of a run whose scores were kept; `single` compares them as 32-bit floats."""
        run, r = joined.run, joined.whole
        assert run is not None
        # Queries of runs and of judgments are in the same order, so those of the run are in that of the judgments.
        where = np.array([r.qrels.position.get(query, -1) for query in run.query_ids], dtype=np.int64)
        begin = np.zeros(len(r), dtype=np.int64)
        begin[where[where >= 0]] = run.offset[:-1][where >= 0]
        query = where[run.query]
        relevant, judged = np.zeros(len(run), dtype=np.bool_), np.zeros(len(run), dtype=np.bool_)
        rows = begin[r.query] + r.rank - 1
        relevant[rows], judged[rows] = r.at_least(None), r.grade >= 0
        kept = (query >= 0) & joined.counted[query] & (run.rank <= r.retrieved[query])
        if judged_only:
            kept &= judged
        score = as_single(run.score).astype(np.float64) if single else run.score
        if kept.all():
            return cls(query, score, relevant, judged)
        return cls(query[kept], score[kept], relevant[kept], judged[kept])

    @cached_property
    def number(self) -> Ints:
        """The place of each document among those of its query, counted from 1."""
        begins = np.append(True, np.diff(self.query) != 0)[: len(self.query)]
        place = np.arange(len(self.query))
        return place - np.maximum.accumulate(np.where(begins, place, 0)) + 1

    @cached_property
    def falling(self) -> tuple[Ints, Ints]:
        """The rows by score, highest first, and where among them the last row of each different score is."""
        order = np.argsort(self.score)[::-1]
        last = np.append(np.diff(self.score[order]) != 0, True)[: len(order)]
        return order, np.flatnonzero(last)

    @cached_property
    def found(self) -> Floats:
        """How many relevant documents there are down to each different score."""
        return self.so_far(self.relevant)

    def so_far(self, values: Floats | Bools) -> Floats:
        """The values of all documents added up down to each different score."""
        order, last = self.falling
        total: Floats = np.cumsum(values[order], dtype=np.float64)[last]
        return total
