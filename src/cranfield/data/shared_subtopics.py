"""Rankings seen by subtopic, in which tied documents share their ranks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cranfield.data.reach import chances_to_reach
from cranfield.data.shared_ranks import SharedRankings
from cranfield.data.shared_rows import SharedRows
from cranfield.data.strings import Floats, Ints
from cranfield.data.subtopics import Covered, SubtopicRankings


class SharedSubtopicRankings(SubtopicRankings):
    """What is expected over all orders of tied documents, as `SharedRankings` has it, for each subtopic."""

    def novel(self, rows: Covered, alpha: float) -> Floats:
        """For each row, what it is expected to be worth if every document above on its subtopic takes off alpha."""
        worth = np.ones(len(rows.row))
        if alpha:
            order, shared = self._by_subtopic(rows.row, rows.subtopic)
            worth[order] = chances_to_reach(shared, np.full(len(order), alpha))
        return worth

    def sum(
        self, rows: Covered, values: Floats, cutoff: int | None = None, *, name: str = "", column: str = ""
    ) -> Floats:
        """For each query, what the values of some rows are expected to add up to."""
        return super().sum(rows, values * self._shared.share[rows.row], cutoff)

    def _before(self, row: Ints, subtopic: Ints) -> Floats:
        """How many documents on the same subtopic are expected above each, if it stands there."""
        order, shared = self._by_subtopic(row, subtopic)
        before = np.empty(len(row))
        before[order] = shared.cumulative(np.ones(len(row))) - 1.0
        return before

    def _by_subtopic(self, row: Ints, subtopic: Ints) -> tuple[Ints, SharedRows]:
        """The rows with a reader for each subtopic, and where they come from."""
        order = np.lexsort((self._shared.kind[row], self._shared.rank[row], subtopic))
        return order, replace(self._shared.rows.take(row[order]), key=subtopic[order])

    @property
    def _shared(self) -> SharedRankings:
        assert isinstance(self.rankings, SharedRankings)
        return self.rankings
