"""How well a click model foretells clicks that it was not fitted to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield.data.strings import Floats
from cranfield.logs.models.fitting import FLOOR, ClickModel
from cranfield.logs.models.pages import Pages

COIN = 2.0
"""The perplexity of who tosses a coin at each rank."""


@dataclass(frozen=True, eq=False)
class Quality:
    """How likely a model holds what happened."""

    views: int
    log_likelihood: float
    """Of a page view on average: the sum over ranks of the natural logarithm of the chance of what happened there, the
    clicks above being known."""
    perplexity: float
    """The mean over ranks of the perplexity at each."""
    perplexity_by_rank: Floats
    """2 to the power of the mean surprise in bits by whether a rank is clicked, before any click is known: 1 if it is
    always foretold, 2 if a coin would do as well; nan where nothing is shown."""


class Tried(NamedTuple):
    """A model on some pages. Parts of a log add up."""

    views: float
    log_likelihood: float
    bits: Floats
    """By rank."""
    shown: Floats

    @classmethod
    def on(cls, model: ClickModel, pages: Pages) -> Tried:
        likely, bits, shown = 0.0, np.zeros(pages.ranks), np.zeros(pages.ranks)
        for block in pages.blocks():
            attracts = block.of_pairs(model.attractiveness)
            likely += float(block.by_rank(_log_chance(model.looks_given_above(block) * attracts, block)).sum())
            bits -= block.by_rank(_log_chance(model.looks(block) * attracts, block)) / np.log(2)
            shown += block.by_rank(block.shown)
        return cls(float(pages.views.sum()), likely, bits, shown)

    @property
    def quality(self) -> Quality:
        by_rank: Floats = np.where(self.shown > 0, 2 ** (self.bits / np.maximum(self.shown, 1)), np.nan)
        if not self.views:
            return Quality(0, np.nan, np.nan, by_rank)
        return Quality(int(self.views), self.log_likelihood / self.views, float(np.nanmean(by_rank)), by_rank)


def quality(model: ClickModel, pages: Pages) -> Quality:
    """Of a model on pages (Chuklin, Markov and de Rijke 2015, section 5.1)."""
    return Tried.on(model, pages).quality


def _log_chance(click: Floats, pages: Pages) -> Floats:
    chance: Floats = np.where(pages.clicked, click, 1 - click)
    return np.log(np.clip(chance, FLOOR, 1.0))
