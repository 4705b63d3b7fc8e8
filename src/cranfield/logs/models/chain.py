"""Models of users who read from the top and stop somewhere: cascade, DCM and DBN. They differ in who goes on after a
click, and after a skip.

What is above the last click was looked at. What is below may have been: let t be the chance that nobody who looks at
the next place clicks there or further down, k the chance to go on after the last click; then the next place was looked
at with the chance kt / (1-k+kt), and so on down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from cranfield.data.strings import Floats
from cranfield.logs.models.fitting import Satisfaction
from cranfield.logs.models.pages import Pages


class Reading(NamedTuple):
    """What is expected of pages, given all clicks on them: by page and rank."""

    looked: Floats
    """How likely the place was looked at."""
    went_on: Floats
    """How likely the user looked there and went on."""
    no_more: Floats
    """Of clicked places: how likely it was that nothing further down would be clicked."""
    log_likelihood: Floats
    """Of each page."""


@dataclass(frozen=True, eq=False)
class Chain:
    """A model of this kind."""

    name: ClassVar[str]
    attractiveness: Floats

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
        looked, went_on = np.ones_like(attracts), np.zeros_like(attracts)
        no_more = np.ones_like(attracts)
        likely = np.where(pages.last_click < 0, np.log(quiet[:, 0]), 0.0)
        here = np.ones(rows)
        for at in range(ranks):
            shown, clicked = pages.shown[:, at], pages.clicked[:, at]
            chance = np.where(clicked, after_click[:, at], after_skip)
            ends = 1 - chance + chance * quiet[:, at + 1]
            read_on = at < pages.last_click
            on = np.where(read_on, 1.0, here * chance * quiet[:, at + 1] / ends)
            no_more[:, at] = ends
            attracted = np.log(np.where(clicked, attracts[:, at], 1 - attracts[:, at]))
            with np.errstate(divide="ignore"):
                likely += np.where(shown & read_on, attracted + np.log(chance), 0.0)
            likely += np.where(shown & (at == pages.last_click), attracted + np.log(ends), 0.0)
            looked[:, at] = here
            went_on[:, at] = np.where(shown, on, 0.0)
            here = np.where(shown, on, here)
        return Reading(looked, went_on, no_more, likely)

    def counts(self, pages: Pages) -> Pages:
        return pages

    def satisfaction(self, pages: Pages) -> Satisfaction | None:
        return None
