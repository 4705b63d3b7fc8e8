"""Everything that any run has among its first documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cranfield.data.strings import Bools
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.priorities import by_priority
from cranfield.pooling.strategy import Choice, Strategy, places


@dataclass(frozen=True)
class Depth(Strategy):
    """The first `depth` documents of every run: TREC's pool (Spärck Jones and van Rijsbergen 1975).

    >>> from cranfield import Run
    >>> two = [Run.from_dict({"q": {"a": 2, "b": 1}}), Run.from_dict({"q": {"b": 2, "c": 1}})]
    >>> Depth(1).choose(Candidates.of(two), np.ones(3, dtype=bool), seed=0).chosen
    array([ True,  True, False])
    """

    name: ClassVar[str] = "depth"
    depth: int = 100

    def choose(self, candidates: Candidates, new: Bools, seed: int) -> Choice:
        order = by_priority(candidates, -candidates.best_rank.astype(np.float64), seed)
        return Choice(candidates.best_rank <= self.depth, places(order))

    @property
    def reading_depth(self) -> int:
        return self.depth
