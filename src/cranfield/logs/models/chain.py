"""Models of users who read from the top and stop somewhere: cascade, DCM and DBN. They differ in who goes on after a
click, and after a skip.

What is above the last click was looked at. What is below may have been: let t be the chance that nobody who looks at
the next place clicks there or further down, k the chance to go on after the last click; then the next place was looked
at with the chance kt / (1-k+kt), and so on down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield.data.strings import Floats
from cranfield.logs.models.fitting import Satisfaction
from cranfield.logs.models.pages import Pages
from cranfield.logs.models.parts import Parted
from cranfield.logs.models.tails import Counted


class Reading(NamedTuple):
    """What is expected of pages, given all clicks on them: by page and rank."""

    looked: Floats
    """How likely the place was looked at."""
    no_more: Floats
    """Of the last click: how likely it was that nothing further down would be clicked."""


@dataclass(frozen=True, eq=False)
class Chain(Parted):
    """A model of this kind."""

    def after_click(self, pages: Pages) -> Floats:
        """How likely users go on after a click at each place."""
        raise NotImplementedError

    def after_skip(self) -> float:
        """How likely they go on after a place that they did not click."""
        return 1.0

    def _chances(self, pages: Pages) -> tuple[Floats, Floats, float]:
        return pages.of_pairs(self.attractiveness), self.after_click(pages), self.after_skip()

    def looks(self, pages: Pages) -> Floats:
        attracts, after_click, after_skip = self._chances(pages)
        looks = np.ones_like(attracts)
        for at in range(pages.ranks - 1):
            goes_on = attracts[:, at] * after_click[:, at] + (1 - attracts[:, at]) * after_skip
            looks[:, at + 1] = looks[:, at] * np.where(pages.shown[:, at], goes_on, 1.0)
        return looks

    def looks_given_above(self, pages: Pages) -> Floats:
        attracts, after_click, after_skip = self._chances(pages)
        looks = np.ones_like(attracts)
        for at in range(pages.ranks - 1):
            here, attracted = looks[:, at], attracts[:, at]
            skipped = after_skip * here * (1 - attracted) / (1 - here * attracted)
            on = np.where(pages.clicked[:, at], after_click[:, at], skipped)
            looks[:, at + 1] = np.where(pages.shown[:, at], on, here)
        return looks

    def looked(self, pages: Pages) -> Floats:
        return self.read(pages).looked

    def read(self, pages: Pages) -> Reading:
        """What is expected of pages: up from the last place for the chance that nothing is clicked, then down."""
        attracts, after_click, after_skip = self._chances(pages)
        rows, ranks = attracts.shape
        quiet = np.ones((rows, ranks + 1))  # how likely who looks at a place clicks neither there nor below
        for at in range(ranks - 1, -1, -1):
            below = (1 - attracts[:, at]) * (1 - after_skip + after_skip * quiet[:, at + 1])
            quiet[:, at] = np.where(pages.shown[:, at], below, quiet[:, at + 1])
        looked, no_more = np.ones_like(attracts), np.ones_like(attracts)
        here = np.ones(rows)
        for at in range(ranks):
            looked[:, at] = here
            chance = np.where(pages.clicked[:, at], after_click[:, at], after_skip)
            no_more[:, at] = 1 - chance + chance * quiet[:, at + 1]
            below = here * chance * quiet[:, at + 1] / no_more[:, at]
            on = np.where(at < pages.last_click, 1.0, below)
            here = np.where(pages.shown[:, at], on, here)
        return Reading(looked, no_more)

    def fitted_to(self, pages: Pages) -> Pages:
        return pages

    def counts(self, pages: Pages) -> Counted:
        return Counted.of(self.fitted_to(pages))

    def satisfaction(self, pages: Pages) -> Satisfaction | None:
        return None
