"""Drawing different queries of a log, by how often each was put: which, and how likely each was to be drawn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.errors import UsageError, did_you_mean

WAYS = {
    "frequency": "each query as likely as it was put often",
    "uniform": "each different query as likely as any other",
    "stratified": "as many from the head, the torso and the tail, which have a third of the traffic each",
}
STRATA = ("head", "torso", "tail")


class Drawn(NamedTuple):
    """Queries that were drawn, in random order."""

    place: Ints
    """Among all queries."""
    inclusion: Floats
    """How likely each was to be drawn."""
    stratum: list[str]
    """One of STRATA, or `all` where queries are not drawn by strata."""


def draw_queries(asked: Ints, size: int, by: str, seed: int) -> Drawn:
    """Draw so many different queries in one of WAYS.

    >>> sorted(draw_queries(np.array([8, 1, 1]), 2, "frequency", 1).inclusion.tolist())
    [0.5, 1.0]
    """
    check_way(by)
    draws = np.random.default_rng(seed)
    if by == "stratified":
        strata = strata_of(asked)
        drawn, inclusion = _draw(asked, strata, size, by, draws)
        return Drawn(drawn, inclusion, [STRATA[stratum] for stratum in strata[drawn].tolist()])
    drawn, inclusion = _draw(asked, np.zeros(len(asked), np.int64), size, by, draws)
    return Drawn(drawn, inclusion, ["all"] * size)


def check_way(by: str) -> None:
    """Refuse a way that is none of WAYS."""
    if by not in WAYS:
        raise UsageError(f"unknown way {by!r} to draw topics{did_you_mean(by, WAYS)} There are: {', '.join(WAYS)}")


def strata_of(asked: Ints) -> Ints:
    """0, 1 or 2: whether a query is among the most frequent ones with the first third of the traffic, and so on."""
    order = np.argsort(-asked, kind="stable")
    above = np.cumsum(asked[order]) - asked[order]
    strata = np.empty(len(asked), np.int64)
    strata[order] = np.minimum(above * len(STRATA) // asked.sum(), len(STRATA) - 1)
    return strata


def _draw(asked: Ints, strata: Ints, size: int, by: str, draws: np.random.Generator) -> tuple[Ints, Floats]:
    """Which are drawn, in random order, and how likely each of them was to be."""
    if by == "frequency":
        chances = inclusion_chances(asked, size)
        drawn = _systematic(chances, draws)
        return drawn, chances[drawn]
    members = [np.flatnonzero(strata == stratum) for stratum in range(int(strata.max()) + 1)]
    numbers = _allotted([len(each) for each in members], size)
    drawn = np.concatenate([draws.permutation(each)[:n] for each, n in zip(members, numbers, strict=True)])
    chance = np.array([n / max(len(each), 1) for each, n in zip(members, numbers, strict=True)])
    drawn = draws.permutation(drawn)
    return drawn, chance[strata[drawn]]


def inclusion_chances(asked: Ints, size: int) -> Floats:
    """In proportion to how often each was put, but 1 at most: what exceeds it goes to the others.

    >>> inclusion_chances(np.array([8, 1, 1]), 2).tolist()
    [1.0, 0.5, 0.5]
    """
    chances = np.zeros(len(asked))
    certain = np.zeros(len(asked), bool)
    while True:
        rest = ~certain
        chances[certain] = 1.0
        if rest.any():
            chances[rest] = (size - certain.sum()) * asked[rest] / asked[rest].sum()
        over = rest & (chances >= 1)
        if not over.any():
            return chances
        certain |= over


def _systematic(chances: Floats, draws: np.random.Generator) -> Ints:
    """Draw so that each has exactly its chance (Madow, 1949): equal steps along the queries in random order."""
    order = draws.permutation(len(chances))
    ends = np.cumsum(chances[order])
    size = round(float(ends[-1]))
    ends *= size / ends[-1]
    steps = np.searchsorted(ends, draws.random() + np.arange(size), side="right").clip(0, len(order) - 1)
    drawn: Ints = draws.permutation(order[steps])
    return drawn


def _allotted(members: list[int], size: int) -> list[int]:
    """Equal parts; what a small stratum does not have goes to the others."""
    numbers = [0] * len(members)
    while size:
        room = [at for at, number in enumerate(members) if numbers[at] < number]
        for at in room[:size]:
            numbers[at] += 1
        size -= min(size, len(room))
    return numbers
