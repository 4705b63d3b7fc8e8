"""Whether one judge's preferences between pairs contradict each other: circular triads."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import numpy as np

from cranfield.errors import DataError


@dataclass(frozen=True)
class Consistence:
    """How far the preferences of a judge can all be true at once."""

    items: int
    """How many things were compared."""
    pairs: int
    """How many pairs of them, one being preferred."""
    triads: int
    """Sets of three of which all three pairs were compared: each is circular, or it is not."""
    circular: int
    """Of these, how many are circular: a is preferred to b, b to c, and c to a."""
    zeta: float | None
    """Kendall's coefficient of consistence, 1 without circular triads and 0 with as many as there can be; None unless
    each was compared with each other, or if there are fewer than three."""

    @property
    def share(self) -> float:
        """The share of the triads that is circular, a quarter for someone who tosses a coin; nan without triads."""
        return self.circular / self.triads if self.triads else math.nan


def consistence(preferences: Iterable[tuple[Hashable, Hashable]]) -> Consistence:
    r"""The circular triads among preferences, each given as (preferred, other), every pair once.

    .. math:: \zeta = 1 - \frac{24 d}{n^3 - n} \text{ for odd } n, \qquad 1 - \frac{24 d}{n^3 - 4n} \text{ for even } n

    d is the number of circular triads and n that of the things compared; the fractions are the share of the most
    circular triads that are possible. A pair that a judge would not decide is left out, and with it the triads that it
    would belong to.

    M. G. Kendall, B. Babington Smith. On the method of paired comparisons. Biometrika 31, 1940.

    >>> consistence([("a", "b"), ("b", "c"), ("c", "a")])
    Consistence(items=3, pairs=3, triads=1, circular=1, zeta=0.0)
    """
    given = list(preferences)
    place: dict[Hashable, int] = {}
    for one in (one for pair in given for one in pair):
        place.setdefault(one, len(place))
    size = len(place)
    over = np.zeros((size, size), dtype=np.int64)
    for preferred, other in given:
        better, worse = place[preferred], place[other]
        if better == worse:
            raise DataError(f"{preferred!r} is compared with itself")
        if over[better, worse] or over[worse, better]:
            raise DataError(f"{preferred!r} and {other!r} are there twice; expected every pair once")
        over[better, worse] = 1
    compared = over + over.T
    circular = int(np.trace(over @ over @ over)) // 3
    return Consistence(
        items=size,
        pairs=len(given),
        triads=int(np.trace(compared @ compared @ compared)) // 6,
        circular=circular,
        zeta=_zeta(size, circular) if len(given) == size * (size - 1) // 2 else None,
    )


def _zeta(items: int, circular: int) -> float | None:
    if items < 3:
        return None
    return 1 - 24 * circular / (items**3 - (items if items % 2 else 4 * items))
