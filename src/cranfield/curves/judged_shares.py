"""How far judgments reach by rank: the share of documents that are judged, and of judged ones that are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.curves.inputs import join_runs
from cranfield.curves.result import AVERAGE, About, Cell, Curves
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Ints
from cranfield.measures import Measure
from cranfield.stats.wording import number


@dataclass(frozen=True, eq=False)
class JudgedRun:
    """How far judgments reach in one run, on average over its topics, after each number of documents."""

    name: str
    topics: int
    judged: Floats
    """The share of the first documents that are judged: Judged@k."""
    found: Floats
    """The share of all judged documents that are among the first."""


@dataclass(frozen=True, eq=False, repr=False)
class JudgedByRank(Curves):
    """How far judgments reach in several runs."""

    kind = "judged"
    about: About
    ranks: Ints
    runs: Mapping[str, JudgedRun]
    pool: float
    """How many documents of a topic are judged, on average."""

    def __getitem__(self, name: str) -> JudgedRun:
        return self.runs[name]

    @property
    def columns(self) -> tuple[str, ...]:
        return ("run", "query", "cutoff", "judged", "found")

    def rows(self, *, by_topic: bool = False) -> Iterator[tuple[Cell, ...]]:
        """Run, rank, the share of the documents to there that are judged, and of the judged ones that are found."""
        for name, run in self.runs.items():
            columns = (self.ranks.tolist(), run.judged.tolist(), run.found.tolist())
            yield from ((name, AVERAGE, *point) for point in zip(*columns, strict=True))

    def sentences(self) -> list[str]:
        """How far judgments reach at rank 10, and how much of the pool a run finds in all."""
        at = int(np.searchsorted(self.ranks, 10, side="right")) - 1
        shallow = f"the first {self.ranks[at]}"
        return [
            f"{name}: {number(float(run.judged[at]))} of {shallow} documents are judged; "
            f"{number(float(run.found[-1]))} of the judged documents are found."
            for name, run in self.runs.items()
        ]

    def _content(self, by_topic: bool) -> dict[str, Any]:
        runs = [
            {"name": run.name, "judged": run.judged.tolist(), "found": run.found.tolist()} for run in self.runs.values()
        ]
        return {"ranks": self.ranks.tolist(), "judged_documents_a_topic": self.pool, "runs": runs}


def judged_by_rank(qrels: Any, runs: Any, **options: Any) -> JudgedByRank:
    """After each number of documents: which share of them is judged, and which share of the judged ones is found.

    Negative grades mark documents that are not judged. A topic that the run lacks has 0 of both, unless the profile
    leaves it out. `options` are as in `recall_precision`.

    >>> curve = judged_by_rank({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d1": 3, "d9": 2, "d2": 1}})["run"]
    >>> curve.judged.round(4).tolist(), curve.found.tolist()  # 1/1, 1/2, 2/3; 1/2, 1/2, 2/2
    ([1.0, 0.5, 0.6667], [0.5, 0.5, 1.0])
    """
    joined = join_runs(qrels, runs, Measure("Judged")(cutoff=10), **options)
    deepest = max(int(one.whole.retrieved.max(initial=0)) for one in joined.runs)
    ranks = np.arange(1, max(deepest, 1) + 1)
    found = {}
    for one in joined.runs:
        judged, pool = _shares(one.whole, ranks)
        topics = int(one.counted.sum())
        found[one.name] = JudgedRun(one.name, topics, judged[one.counted].mean(axis=0), pool[one.counted].mean(axis=0))
    judged_documents = joined.runs[0].whole.qrels.count(0.0)
    return JudgedByRank(joined.about(), ranks, found, float(judged_documents.mean()))


def _shares(r: Rankings, ranks: Ints) -> tuple[Floats, Floats]:
    """For each query and rank, the share of the documents to there that are judged, and of the judged ones that are."""
    rows = np.flatnonzero(r.grade >= 0)
    cell = r.query[rows].astype(np.int64) * len(ranks) + r.rank[rows] - 1
    at_rank = np.bincount(cell, minlength=len(r) * len(ranks)).reshape(len(r), len(ranks))
    reached = np.cumsum(at_rank, axis=1, dtype=np.float64)
    returned = np.minimum(ranks, r.retrieved[:, np.newaxis])
    return reached / np.maximum(returned, 1), reached / np.maximum(r.qrels.count(0.0), 1)[:, np.newaxis]
