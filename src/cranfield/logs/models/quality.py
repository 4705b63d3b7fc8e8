"""How well a click model foretells clicks that it was not fitted to."""

from __future__ import annotations

from dataclasses import dataclass

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


def quality(model: ClickModel, pages: Pages) -> Quality:
    """Of a model on pages (Chuklin, Markov and de Rijke 2015, section 5.1)."""
    likely, bits, shown = 0.0, np.zeros(pages.ranks), np.zeros(pages.ranks)
    for block in pages.blocks():
        attracts = block.of_pairs(model.attractiveness)
        likely += float(block.by_rank(_log_chance(model.looks_given_above(block) * attracts, block)).sum())
        bits -= block.by_rank(_log_chance(model.looks(block) * attracts, block)) / np.log(2)
        shown += block.by_rank(block.shown)
    views = float(pages.views.sum())
    by_rank: Floats = np.where(shown > 0, 2 ** (bits / np.maximum(shown, 1)), np.nan)
    mean = float(np.nanmean(by_rank)) if views else np.nan
    return Quality(int(views), likely / views if views else np.nan, mean, by_rank)


def _log_chance(click: Floats, pages: Pages) -> Floats:
    chance: Floats = np.where(pages.clicked, click, 1 - click)
    return np.log(np.clip(chance, FLOOR, 1.0))
