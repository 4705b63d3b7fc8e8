"""The dynamic Bayesian network: who clicks may be satisfied and stop, others go on (Chapelle and Zhang 2009)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from cranfield.data.strings import Floats
from cranfield.logs.models.chain import Chain, Reading
from cranfield.logs.models.fitting import Prior, Satisfaction, Step
from cranfield.logs.models.pages import Pages

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
    satisfied: Floats
    """By pair."""
    continuation: float

    @classmethod
    def begin(cls, pages: Pages, prior: Prior) -> Self:
        """What is above the last click was looked at, and the last click satisfied."""
        clicks, looks, last_clicks = (np.zeros(pages.pairs) for _ in range(3))
        for block in pages.blocks():
            last, column = block.last_click[:, np.newaxis], np.arange(block.ranks)
            clicks += block.by_pair(block.clicked)
            looks += block.by_pair((column <= last) | (last < 0))
            last_clicks += block.by_pair(block.clicked & (column == last))
        return cls(prior.best(clicks, looks), SATISFIED.best(last_clicks, clicks), 0.9)

    def step(self, counts: Pages, prior: Prior) -> Step:
        clicks, looks, decided, satisfied = (np.zeros(counts.pairs) for _ in range(4))
        on, could, fine = 0.0, 0.0, 0.0
        for block in counts.blocks():
            reading = self.read(block)
            ended = self._ended(block, reading)
            clicks += block.by_pair(block.clicked)
            looks += block.by_pair(reading.looked)
            decided += block.by_pair(block.clicked & block.has_next)
            satisfied += block.by_pair(ended * block.has_next)
            on += float(block.by_rank(reading.went_on * block.has_next).sum())
            could += float(block.by_rank((reading.looked - ended) * block.has_next).sum())
            fine += float(block.views @ reading.log_likelihood)
        fine += prior.log_density(self.attractiveness) + SATISFIED.log_density(self.satisfied)
        fine += GOING_ON.log_density(np.array([self.continuation]))
        goes_on = float(GOING_ON.best(np.array([on]), np.array([could]))[0])
        return Step(DynamicBayesianModel(prior.best(clicks, looks), SATISFIED.best(satisfied, decided), goes_on), fine)

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
