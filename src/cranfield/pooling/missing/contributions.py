"""Which judgments are there because of one run, or one group of runs, alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Bools, Ints
from cranfield.pooling.missing.groups import RunGroups

NOBODY, SEVERAL = -1, -2


@dataclass(frozen=True, eq=False)
class Contributions:
    """For each judgment, whose it is."""

    owner: Ints
    """The only group that has the document among the first so many of one of its runs; NOBODY, or SEVERAL."""
    depth: int | None

    @classmethod
    def of(cls, rankings: Sequence[Rankings], groups: RunGroups, depth: int | None) -> Contributions:
        """From runs joined with the same judgments."""
        rows = len(rankings[0].qrels)
        lowest, highest = np.full(rows, len(groups)), np.full(rows, -1)
        for ranked, group in zip(rankings, groups.of_run.tolist(), strict=True):
            inside = ranked.grade >= 0 if depth is None else (ranked.grade >= 0) & (ranked.rank <= depth)
            judgment = ranked.judgment[inside]
            lowest[judgment] = np.minimum(lowest[judgment], group)
            highest[judgment] = np.maximum(highest[judgment], group)
        owner = np.where(highest < 0, NOBODY, np.where(lowest == highest, lowest, SEVERAL))
        return cls(owner, depth)

    def unique(self, group: int) -> Ints:
        """The judgments that are there because of a group alone."""
        return np.flatnonzero(self.owner == group)

    def counts(self, chosen: Bools, groups: int) -> Ints:
        """For each group, how many of its own judgments are among the chosen."""
        return np.bincount(self.owner[chosen & (self.owner >= 0)], minlength=groups)
