"""What users who read from the top may have looked at, made ready for fitting.

All that stands above the last click on a page was looked at, whatever the parameters are: it is counted once. What is
below is expected anew in each step; pages that are alike from the last click on count together there. A page without a
click is all below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield.data.strings import Codes, Floats, Ints
from cranfield.logs.models.pages import Pages, summed

_TAILS_AT_ONCE = 1 << 14  # so that what is computed of them stays in the caches
_PAIRS_A_TAIL = 8  # more at once where there are many pairs, for sums by pair cost as much as there are pairs


class Tails(NamedTuple):
    """Last clicks and what is shown below them, those with most below first."""

    head: Codes
    """The pair of the last click, or -1 where there is none."""
    head_rank: Ints
    """Its column."""
    views: Floats
    cells: tuple[Codes, ...]
    """Of the first place below, the second, …: the pairs of those tails that are so long, which are the first."""

    @property
    def long(self) -> int:
        """How many have anything below."""
        return len(self.cells[0]) if self.cells else 0


class Below(NamedTuple):
    """What is expected of tails."""

    looks: Floats
    """By pair, how often it was looked at."""
    ends: Floats
    """By tail, how likely it was that nothing below would be clicked."""
    went_on: Floats
    """By tail, how likely the user went on from the last click."""
    skipped: float
    """How often a place below that is not the last one was looked at…"""
    read_on: float
    """…and the next one too."""


@dataclass(frozen=True, eq=False)
class Counted:
    """Pages, as far as they can be counted before anything is known."""

    clicks: Floats
    """By pair."""
    above: Floats
    """By pair, how often it stood at or above the last click of a page, and so was looked at."""
    clicked_above: Floats
    """By pair, how often it was clicked, and something below it too."""
    clicked_above_at: Floats
    """The same by rank."""
    passed: float
    """How often a place above the last click was looked at, clicked or not, and the next one too."""
    tails: tuple[Tails, ...]

    @classmethod
    def of(cls, pages: Pages) -> Counted:
        clicks, above, clicked_above = (np.zeros(pages.pairs) for _ in range(3))
        at, passed, parts = np.zeros(pages.ranks), 0.0, list[Tails]()
        for block in pages.blocks():
            before = np.arange(block.ranks) < block.last_click[:, np.newaxis]
            clicks += block.by_pair(block.clicked)
            above += block.by_pair(before | block.clicked)
            clicked_above += block.by_pair(block.clicked & before)
            at += block.by_rank(block.clicked & before)
            passed += float(block.by_rank(before).sum())
            parts.append(_tails(block))
        return cls(clicks, above, clicked_above, at, passed, _together(parts, pages))

    def log_likelihood(self, attractiveness: Floats) -> float:
        """Of what was looked at for certain: that it was clicked, or not."""
        return float(self.clicks @ np.log(attractiveness) + (self.above - self.clicks) @ np.log1p(-attractiveness))


def expect(tails: Tails, attractiveness: Floats, after_click: Floats, after_skip: float) -> Below:
    """What is expected of tails: up from their ends for the chance that nothing is clicked, then down.

    `after_click` is how likely users go on after each last click.
    """
    chances = [attractiveness[cell] for cell in tails.cells]
    quiet = [np.ones(len(cell)) for cell in tails.cells]  # nobody who goes on to a place clicks there or below
    for place in range(len(chances) - 1, -1, -1):
        if place + 1 < len(chances):
            longer = quiet[place][: len(quiet[place + 1])]
            longer *= 1 - after_skip
            longer += after_skip * quiet[place + 1]
        quiet[place] *= 1 - chances[place]
    ends, went_on = np.ones(len(tails.head)), np.zeros(len(tails.head))
    if quiet:
        on = np.where(tails.head[: tails.long] < 0, 1.0, after_click[: tails.long])
        ends[: tails.long] = 1 - on + on * quiet[0]
        went_on[: tails.long] = on * quiet[0] / ends[: tails.long]
    weights, skipped, read_on = [np.zeros(0)], 0.0, 0.0
    looked = went_on[: tails.long]
    for place, cell in enumerate(tails.cells):
        weighed = looked * tails.views[: len(cell)]
        weights.append(weighed)
        if place + 1 < len(quiet):
            further = len(quiet[place + 1])
            on = after_skip * quiet[place + 1]
            looked = looked[:further] * on / (1 - after_skip + on)
            skipped += float(weighed[:further].sum())
            read_on += float(looked @ tails.views[:further])
    cells = np.concatenate([np.zeros(0, dtype=np.int32), *tails.cells])
    looks = summed(cells, np.concatenate(weights), len(attractiveness))
    return Below(looks, ends, went_on, skipped, read_on)


def _tails(pages: Pages) -> Tails:
    """Those of each page, not in order; what is not shown is passed over."""
    shown_below = pages.shown & (np.arange(pages.ranks) > pages.last_click[:, np.newaxis])
    rows, columns = np.nonzero(shown_below)
    length = shown_below.sum(axis=1)
    cells = np.full((pages.ranks, len(length)), -1, dtype=np.int32)
    cells[np.arange(len(rows)) - np.repeat(np.cumsum(length) - length, length), rows] = pages.pair[rows, columns]
    clicked = pages.last_click >= 0
    head = np.where(clicked, pages.pair[np.arange(len(length)), pages.last_click], np.int32(-1))
    return Tails(head, np.where(clicked, pages.last_click, 0), pages.views, tuple(cells))


def _together(parts: list[Tails], pages: Pages) -> tuple[Tails, ...]:
    """Alike ones once, longest first, in parts of a size that is quick."""
    if not parts:
        return ()
    rank, views = (np.concatenate([getattr(part, name) for part in parts]) for name in ("head_rank", "views"))
    head = np.concatenate([part.head for part in parts])
    cells = [np.concatenate([part.cells[place] for part in parts]) for place in range(pages.ranks)]
    alike, first = rank.astype(np.int64), np.zeros(0, dtype=np.int64)
    for column in (head, *cells):
        _, first, alike = np.unique(alike * (pages.pairs + 1) + column + 1, return_index=True, return_inverse=True)
    views = summed(alike, views, len(first))
    order = np.argsort(-sum((cell[first] >= 0).astype(np.int64) for cell in cells), kind="stable")
    first, views = first[order], views[order]
    size = max(_TAILS_AT_ONCE, pages.pairs // _PAIRS_A_TAIL)
    return tuple(
        _part(head, rank, views[begin : begin + size], cells, first[begin : begin + size])
        for begin in range(0, len(first), size)
    )


def _part(head: Codes, rank: Ints, views: Floats, cells: list[Codes], rows: Ints) -> Tails:
    chosen = (cell[rows] for cell in cells)
    there = tuple(cell[cell >= 0] for cell in chosen)
    return Tails(head[rows], rank[rows], views, tuple(cell for cell in there if len(cell)))
