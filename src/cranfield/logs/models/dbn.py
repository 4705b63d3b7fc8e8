"""The dynamic Bayesian network: who clicks may be satisfied and stop, others go on (Chapelle and Zhang 2009)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from cranfield.data.strings import Floats
from cranfield.logs.models.chain import Chain, Reading
from cranfield.logs.models.fitting import Prior, Satisfaction
from cranfield.logs.models.pages import Pages, summed
from cranfield.logs.models.parts import Part, Sums
from cranfield.logs.models.tails import Counted, expect

SATISFIED = Prior(0.5, looks=0.5)
"""Of how likely a click satisfies: hardly anything, for few clicks show it, and what few show must not be what was
assumed."""
GOING_ON = Prior(0.5)
"""Of the chance to go on."""


@dataclass(frozen=True, eq=False)
class DynamicBayesianModel(Chain):
    """A click satisfies with a chance of the document; who is not satisfied goes on with the chance `continuation`.

    A document is relevant to who is attracted by it and satisfied: attractiveness · satisfaction.
    """

    name: ClassVar[str] = "dbn"
    shared_prior: ClassVar[Prior] = GOING_ON
    satisfied: Floats
    """By pair."""
    continuation: float

    @classmethod
    def first(cls, pages: Pages, prior: Prior) -> Self:
        """What is above the last click was looked at, and the last click satisfied."""
        clicks, looks, last_clicks = (np.zeros(pages.pairs) for _ in range(3))
        for block in pages.blocks():
            last, column = block.last_click[:, np.newaxis], np.arange(block.ranks)
            clicks += block.by_pair(block.clicked)
            looks += block.by_pair((column <= last) | (last < 0))
            last_clicks += block.by_pair(block.clicked & (column == last))
        return cls(prior.best(clicks, looks), SATISFIED.best(last_clicks, clicks), 0.9)

    @property
    def shared(self) -> Floats:
        return np.array([self.continuation])

    def sharing(self, values: Floats) -> Self:
        return replace(self, continuation=float(values[0]))

    def renewed(self, counts: Counted, prior: Prior) -> Part:
        looks, decided, ended = counts.above.copy(), counts.clicked_above.copy(), np.zeros(len(counts.clicks))
        on = could = counts.passed
        fine = counts.log_likelihood(self.attractiveness) + counts.passed * np.log(self.continuation)
        fine += float(counts.clicked_above @ np.log1p(-self.satisfied))
        for tails in counts.tails:
            satisfies = self.satisfied[tails.head]
            goes_on = (1 - satisfies) * self.continuation
            below = expect(tails, self.attractiveness, goes_on, self.continuation)
            last = np.flatnonzero(tails.head[: tails.long] >= 0)
            views, head = tails.views[last], tails.head[last]
            satisfied = satisfies[last] / below.ends[last]
            looks += below.looks
            decided += summed(head, views, len(looks))
            ended += summed(head, views * satisfied, len(looks))
            on += float(views @ below.went_on[last]) + below.read_on
            could += float(views @ (1 - satisfied)) + below.skipped
            fine += float(tails.views @ np.log(below.ends))
        fine += prior.log_density(self.attractiveness) + SATISFIED.log_density(self.satisfied)
        attractiveness, satisfied = prior.best(counts.clicks, looks), SATISFIED.best(ended, decided)
        better = replace(self, attractiveness=attractiveness, satisfied=satisfied)
        return Part(better, Sums(fine, np.array([on]), np.array([could])))

    def after_click(self, pages: Pages) -> Floats:
        return pages.of_pairs(1 - self.satisfied) * self.continuation

    def after_skip(self) -> float:
        return self.continuation

    def satisfaction(self, pages: Pages) -> Satisfaction | None:
        """The chance of a page is linear in the satisfaction s of each click on it, so that the second derivative of
        the log-likelihood is -Σ 1 / (1-s)² over clicks after which users went on, and of last clicks -Σ (c-s)² /
        s²(1-s)², where c is how likely the click satisfied."""
        information = np.zeros(pages.pairs)
        for block in pages.blocks():
            share = np.where(block.shown, block.of_pairs(self.satisfied), 0.5)
            slope = (self._ended(block, self.read(block)) - share) / (share * (1 - share))
            information += block.by_pair((slope * (block.clicked & block.has_next)) ** 2)
        own = SATISFIED.looks * SATISFIED.share
        information += own / self.satisfied**2 + own / (1 - self.satisfied) ** 2
        return Satisfaction(self.satisfied, 1 / (self.satisfied * np.sqrt(information)))

    def _ended(self, pages: Pages, reading: Reading) -> Floats:
        """How likely a click satisfied, of those that were the last; others did not."""
        last = pages.clicked & (np.arange(pages.ranks) == pages.last_click[:, np.newaxis])
        ended: Floats = last * pages.of_pairs(self.satisfied) / reading.no_more
        return ended

    def parameters(self) -> dict[str, Floats]:
        return {"continuation": np.array([self.continuation])}
