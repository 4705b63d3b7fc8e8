"""So many documents of each topic, those first for which the runs together speak most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cranfield.data.query_sums import cumulative
from cranfield.data.strings import Bools, Floats
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.priorities import by_priority, rbp_priority, rrf_priority
from cranfield.pooling.strategy import Choice, Strategy, places


@dataclass(frozen=True)
class ReciprocalRank(Strategy):
    """The `budget` documents of each topic with the highest sum of 1 / (k + rank).

    >>> from cranfield import Run
    >>> two = [Run.from_dict({"q": {"a": 2, "b": 1}}), Run.from_dict({"q": {"b": 2, "c": 1}})]
    >>> ReciprocalRank(budget=1).choose(Candidates.of(two), np.ones(3, dtype=bool), seed=0).chosen
    array([False,  True, False])
    """

    name: ClassVar[str] = "rrf"
    budget: int
    k: float = 60.0
    depth: int | None = None

    def choose(self, candidates: Candidates, new: Bools, seed: int) -> Choice:
        return first_new(candidates, rrf_priority(candidates, self.k), new, self.budget, seed)

    @property
    def reading_depth(self) -> int | None:
        return self.depth


@dataclass(frozen=True)
class RankBiased(Strategy):
    """The `budget` documents of each topic with the highest sum of (1 - p) p^(rank - 1)."""

    name: ClassVar[str] = "rbp"
    budget: int
    p: float = 0.8
    depth: int | None = None

    def choose(self, candidates: Candidates, new: Bools, seed: int) -> Choice:
        return first_new(candidates, rbp_priority(candidates, self.p), new, self.budget, seed)

    @property
    def reading_depth(self) -> int | None:
        return self.depth


def first_new(candidates: Candidates, priority: Floats, new: Bools, budget: int, seed: int) -> Choice:
    """In each topic, the documents by priority down to the one with which so many new ones are found."""
    order = by_priority(candidates, priority, seed)
    found = new[order].astype(np.float64)
    before = cumulative(candidates.topic[order], found, len(candidates.topic_ids)) - found
    chosen = np.empty(len(order), dtype=np.bool_)
    chosen[order] = before < budget
    return Choice(chosen, places(order))
