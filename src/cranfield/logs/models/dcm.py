"""The dependent click model: who clicks goes on with a chance that depends on the rank (Guo, Liu and Wang 2009)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from cranfield.data.strings import Floats
from cranfield.logs.models.chain import Chain
from cranfield.logs.models.fitting import Prior
from cranfield.logs.models.pages import Pages, summed
from cranfield.logs.models.parts import Part, Sums
from cranfield.logs.models.tails import Counted, expect

GOING_ON = Prior(0.5)
"""Of the chance to go on after a click."""


@dataclass(frozen=True, eq=False)
class DependentClickModel(Chain):
    """Users read on after a skip, and after a click at a rank with the chance `continuation` of that rank.

    It begins with the rule of the last click (all above it, and all of a page without a click, was looked at, nothing
    below), which the authors stop at; what may have been looked at further down is then expected.
    """

    name: ClassVar[str] = "dcm"
    shared_prior: ClassVar[Prior] = GOING_ON
    continuation: Floats

    @classmethod
    def first(cls, pages: Pages, prior: Prior) -> Self:
        clicks, looks = np.zeros(pages.pairs), np.zeros(pages.pairs)
        for block in pages.blocks():
            last = block.last_click[:, np.newaxis]
            clicks += block.by_pair(block.clicked)
            looks += block.by_pair((np.arange(block.ranks) <= last) | (last < 0))
        return cls(prior.best(clicks, looks), np.full(pages.ranks, GOING_ON.share))

    @classmethod
    def first_sums(cls, pages: Pages) -> Sums | None:
        on, clicked = np.zeros(pages.ranks), np.zeros(pages.ranks)
        for block in pages.blocks():
            inside = block.clicked & block.has_next
            clicked += block.by_rank(inside)
            on += block.by_rank(inside & (np.arange(block.ranks) < block.last_click[:, np.newaxis]))
        return Sums(0.0, on, clicked)

    @property
    def shared(self) -> Floats:
        return self.continuation

    def sharing(self, values: Floats) -> Self:
        return replace(self, continuation=values)

    def renewed(self, counts: Counted, prior: Prior) -> Part:
        looks, on, clicked = counts.above.copy(), counts.clicked_above_at.copy(), counts.clicked_above_at.copy()
        fine = counts.log_likelihood(self.attractiveness) + float(on @ np.log(self.continuation))
        for tails in counts.tails:
            below = expect(tails, self.attractiveness, self.continuation[tails.head_rank], self.after_skip())
            looks += below.looks
            fine += float(tails.views @ np.log(below.ends))
            last = np.flatnonzero(tails.head[: tails.long] >= 0)
            clicked += summed(tails.head_rank[last], tails.views[last], len(on))
            on += summed(tails.head_rank[last], tails.views[last] * below.went_on[last], len(on))
        fine += prior.log_density(self.attractiveness)
        return Part(replace(self, attractiveness=prior.best(counts.clicks, looks)), Sums(fine, on, clicked))

    def after_click(self, pages: Pages) -> Floats:
        return np.broadcast_to(self.continuation, pages.pair.shape)

    def parameters(self) -> dict[str, Floats]:
        """Nobody goes on from the last rank."""
        return {"continuation": np.append(self.continuation[:-1], np.nan)}
