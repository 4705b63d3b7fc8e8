"""How far down users look, and whether that can be told apart from what they look at."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.data.strings import Floats
from cranfield.logs.models.fitting import ClickModel
from cranfield.logs.models.pages import Pages


class Examined(NamedTuple):
    """By rank, how often it is looked at, as a model has it. Parts of a log add up."""

    looks: Floats
    shown: Floats

    @classmethod
    def of(cls, model: ClickModel, pages: Pages) -> Examined:
        looks, shown = np.zeros(pages.ranks), np.zeros(pages.ranks)
        for block in pages.blocks():
            looks += block.by_rank(model.looks(block))
            shown += block.by_rank(block.shown)
        return cls(looks, shown)

    @property
    def share(self) -> Floats:
        """On average over pages that show something there; nan where none does."""
        return np.where(self.shown > 0, self.looks / np.maximum(self.shown, 1), np.nan)


class Moved(NamedTuple):
    """Pairs of query and document that were shown at several ranks. Parts of a log add up."""

    moved: int
    pairs: int

    @classmethod
    def among(cls, pages: Pages) -> Moved:
        lowest, highest = np.full(pages.pairs, pages.ranks), np.full(pages.pairs, -1)
        at = np.broadcast_to(np.arange(pages.ranks), pages.pair.shape)[pages.shown]
        np.minimum.at(lowest, pages.pair[pages.shown], at)
        np.maximum.at(highest, pages.pair[pages.shown], at)
        there = highest >= 0
        return cls(int((highest > lowest)[there].sum()), int(there.sum()))

    @property
    def share(self) -> float:
        return self.moved / self.pairs if self.pairs else 0.0
