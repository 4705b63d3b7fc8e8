"""The same systems scored twice, in any number of samples: all coefficients of their two orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.stats.correlation.linear_correlation import pearson_of_rows
from cranfield.stats.correlation.paired_lists import PairedLists
from cranfield.stats.correlation.paired_rankings import PairedRankings
from cranfield.stats.correlation.ties import RankedLists


class SystemOrders:
    """Scores of systems, samples x systems, by a first and by a second measure; higher is better.

    Scores that are no more than the tolerance apart are tied. Every coefficient has one value for each sample, nan
    where it is not defined.

    >>> orders = SystemOrders(np.array([[0.3, 0.2, 0.1]]), np.array([[0.9, 0.7, 0.8]]), (1e-12, 1e-12))
    >>> orders.coefficient("tau_b")  # two pairs agree and one does not: (2 - 1) / 3
    array([0.33333333])
    """

    def __init__(self, first: Floats, second: Floats, tolerance: tuple[float, float], *, p: float = 0.9) -> None:
        self._scores = first, second
        self._places = places(first, tolerance[0]), places(second, tolerance[1])
        self._p = p

    def coefficient(self, name: str) -> Floats:
        """The coefficient of this name, one of `COEFFICIENTS`."""
        return COEFFICIENTS[name](self)

    @cached_property
    def lists(self) -> PairedLists:
        samples, systems = self._places[0].shape
        owner = np.repeat(np.arange(samples), systems)
        x, y = (place.ravel().astype(np.float64) for place in self._places)
        return PairedLists(owner, x, y, lists=samples)

    def pearson(self) -> Floats:
        return pearson_of_rows(*self._scores)

    def rank_biased_overlap(self) -> Floats:
        """Extrapolated; an order in which all systems are tied is compared like any other."""
        samples, systems = self._places[0].shape
        (first, row_first), (second, row_second) = (_ranked(place) for place in self._places)
        owner = np.repeat(np.arange(samples), systems)
        return PairedRankings(first, second, owner, row_first, row_second).overlaps(self._p, "b").extrapolated


COEFFICIENTS: Mapping[str, Callable[[SystemOrders], Floats]] = {
    "tau_a": lambda orders: orders.lists.tau_a(),
    "tau_b": lambda orders: orders.lists.tau_b(),
    "tau_ap_a": lambda orders: orders.lists.tau_ap_a(),
    "tau_ap_b": lambda orders: orders.lists.tau_ap_b(),
    "spearman": lambda orders: orders.lists.spearman_rho(),
    "pearson": SystemOrders.pearson,
    "rbo": SystemOrders.rank_biased_overlap,
}


def places(scores: Floats, tolerance: float) -> Ints:
    """For each row, where its scores stand among each other: 0 is the lowest, scores that are tied have the same place.

    >>> places(np.array([[0.3, 0.1 + 0.2, 0.1]]), 1e-12)
    array([[1, 1, 0]])
    """
    order = np.argsort(scores, axis=1, kind="stable")
    rises = np.diff(np.take_along_axis(scores, order, axis=1), axis=1) > tolerance
    among = np.zeros(scores.shape, dtype=np.int64)
    np.cumsum(rises, axis=1, out=among[:, 1:])
    found = np.empty_like(among)
    np.put_along_axis(found, order, among, axis=1)
    return found


def _ranked(place: Ints) -> tuple[RankedLists, Ints]:
    """The rows as lists, best first, and at which row of the lists each system stands."""
    samples, systems = place.shape
    order = np.argsort(-place, axis=1, kind="stable")
    ordered = np.take_along_axis(place, order, axis=1)
    begins = np.ones(place.shape, dtype=np.bool_)
    begins[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    row = np.empty_like(order)
    np.put_along_axis(row, order, np.arange(samples * systems).reshape(samples, systems), axis=1)
    return RankedLists.from_begins(begins.ravel(), np.arange(samples + 1) * systems), row.ravel()
