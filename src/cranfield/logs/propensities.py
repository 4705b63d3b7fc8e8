"""How likely each rank is looked at, from pages in random order: there documents do not differ between ranks, clicks
do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.errors import DataError
from cranfield.logs.clicks import by_rank
from cranfield.logs.log import Log
from cranfield.stats.interval import Intervals


@dataclass(frozen=True, eq=False)
class Propensities:
    """By rank; relative to the first, which is 1."""

    rank: Ints
    shown: Ints
    clicked: Ints
    propensity: Floats
    interval: Intervals


def randomised_propensities(log: Log, *, level: float = 0.95) -> Propensities:
    """The click-through of each rank over that of the first. The log has to be one of pages in random order: choose
    that part of it by its application.

    Intervals are those of a ratio of two shares on the scale of logarithms (Katz, Baptista, Azen and Pike 1978), in
    which clicks on one page count as independent.
    """
    from scipy.special import ndtri

    found = log.run(by_rank(log.counts).order_by("rank"))
    rank, shown, clicked = (found.column(name).to_numpy().astype(np.int64) for name in ("rank", "shown", "clicked"))
    if not len(rank) or rank[0] != 1 or not clicked[0]:
        if not log.days:
            raise log.no_queries()
        raise DataError(f"{log.path}: nothing was clicked at the first rank, to which others are compared")
    share = clicked / shown
    ratio = share / share[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt((1 - share) / clicked + (1 - share[0]) / clicked[0])
        reach = np.exp(float(ndtri((1 + level) / 2)) * spread)
        lower, upper = ratio / reach, ratio * reach
    lower[0] = upper[0] = 1.0
    unknown = clicked == 0
    lower, upper = (np.where(unknown, np.nan, each) for each in (lower, upper))
    return Propensities(rank, shown, clicked, ratio, Intervals(lower, upper, level, "logarithm of a ratio of shares"))
