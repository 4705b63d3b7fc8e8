"""Scores of different systems made comparable, list by list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from cranfield.data.strings import Floats
from cranfield.engines.fusion.lists import Lists
from cranfield.errors import DataError


class Values(NamedTuple):
    """What each row is worth, and where that is not nothing, what it is worth to be missing from a list."""

    row: Floats
    missing: Floats | None = None
    """For each run and topic."""


class Normalisation(NamedTuple):
    """A way to make scores comparable."""

    meaning: str
    apply: Callable[[Lists], Values]


def _unchanged(lists: Lists) -> Values:
    return Values(lists.score)


def _by_minimum_and_maximum(lists: Lists) -> Values:
    highest, lowest = _ends(lists)
    return Values(_shares(lists, lowest, highest - lowest, otherwise=np.ones_like(highest)))


def _by_maximum(lists: Lists) -> Values:
    highest, _ = _ends(lists)
    if (highest <= 0).any():
        worst = highest[highest <= 0][0]
        raise DataError(
            f"the highest score of a list is {worst:g}, by which scores cannot be divided (normalisation max): "
            "use min-max, z-score or rank, or a method that looks at ranks, such as RRF"
        )
    return Values(lists.score / np.repeat(highest, lists.length))


def _by_sum(lists: Lists) -> Values:
    _, lowest = _ends(lists)
    total = np.add.reduceat(lists.score - np.repeat(lowest, lists.length), lists.first)
    return Values(_shares(lists, lowest, total, otherwise=1 / lists.length))


def _by_mean_and_deviation(lists: Lists) -> Values:
    mean = np.add.reduceat(lists.score, lists.first) / lists.length
    centred = lists.score - np.repeat(mean, lists.length)
    deviation = np.sqrt(np.add.reduceat(centred**2, lists.first) / lists.length)
    return Values(_shares(lists, mean, deviation, otherwise=np.zeros_like(mean)))


def _by_rank(lists: Lists) -> Values:
    return Values(1 - (lists.rank - 1) / np.repeat(lists.length, lists.length))


def _by_borda(lists: Lists) -> Values:
    points = borda_points(lists)
    assert points.missing is not None
    candidates = lists.candidates_of_topic
    topic = np.repeat(lists.list_topic, lists.length)
    return Values(points.row / candidates[topic], points.missing / candidates)


def borda_points(lists: Lists) -> Values:
    """As many points as there are candidates for the first of a list, one less for each next; the rest for the missing.

    In a list of n out of c candidates, c - n are missing, and the points 1 to c - n are left.
    """
    candidates = lists.candidates_of_topic
    returned = np.zeros((lists.runs, len(candidates)))
    returned[lists.list_run, lists.list_topic] = lists.length
    topic = np.repeat(lists.list_topic, lists.length)
    row = (candidates[topic] - lists.rank + 1).astype(np.float64)
    return Values(row, (candidates - returned + 1) / 2)


def _ends(lists: Lists) -> tuple[Floats, Floats]:
    """The highest and the lowest score of each list."""
    return lists.score[lists.first], lists.score[lists.first + lists.length - 1]


def _shares(lists: Lists, origin: Floats, unit: Floats, *, otherwise: Floats) -> Floats:
    """How many units each score is from the origin; where all scores of a list are the same, what it says otherwise."""
    flat = unit == 0
    shares: Floats = (lists.score - np.repeat(origin, lists.length)) / np.repeat(np.where(flat, 1, unit), lists.length)
    return np.where(np.repeat(flat, lists.length), np.repeat(otherwise, lists.length), shares) if flat.any() else shares


NORMALISATIONS: Mapping[str, Normalisation] = {
    "min-max": Normalisation(
        "the lowest score becomes 0, the highest 1; all 1 where they are equal", _by_minimum_and_maximum
    ),
    "max": Normalisation("divided by the highest score, which has to be positive", _by_maximum),
    "sum": Normalisation("the lowest score becomes 0, the sum 1", _by_sum),
    "z-score": Normalisation("mean 0 and standard deviation 1", _by_mean_and_deviation),
    "rank": Normalisation("1 for the first, and 1/n less for each of the n documents that follow", _by_rank),
    "borda": Normalisation("Borda's points as a share of the candidates; the missing share what is left", _by_borda),
    "none": Normalisation("the scores as they are", _unchanged),
}
"""The ways by name."""
