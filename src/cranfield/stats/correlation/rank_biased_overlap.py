"""Rank-biased overlap: how far two lists hold the same items at the same depths, the top counting most.

W. Webber, A. Moffat, J. Zobel. A similarity measure for indefinite rankings. ACM TOIS 28(4), 2010. Ties:
M. Corsi, J. Urbano. The treatment of ties in rank-biased overlap. SIGIR 2024.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence, Set
from typing import Any, NamedTuple

import numpy as np

from cranfield.errors import DataError, ParameterError
from cranfield.stats.correlation.paired_rankings import PairedRankings
from cranfield.stats.correlation.ties import RankedLists, changes, scores

TIES = ("a", "b", "w")
"""How ties are treated; see `rank_biased_overlap`."""


class RankBiasedOverlap(NamedTuple):
    """What two lists that end somewhere say about the overlap of the lists they are the beginnings of."""

    extrapolated: float
    """If the lists go on to agree as they did: the one number to report."""
    minimum: float
    """If what follows has nothing in common."""
    maximum: float
    """If what follows agrees as far as it can."""

    @property
    def residual(self) -> float:
        """How much is open: maximum - minimum."""
        return self.maximum - self.minimum


def rank_biased_overlap(first: Any, second: Any, p: float = 0.9, *, ties: str = "b") -> RankBiasedOverlap:
    r"""The share of items that two lists have in common down to a depth, averaged over the depths to which readers go.

    .. math:: \mathrm{RBO} = (1 - p) \sum_{d=1}^{\infty} p^{d-1} A_d, \qquad A_d = \frac{X_d}{d}

    X_d is the number of items that both lists have down to depth d. A reader who has compared the lists down to a depth
    goes on to the next with probability p: with p = 0.9 the first ten ranks have 86 % of the weight, with 0.98 the
    first fifty have 85 %. Lists end, the sum does not: `minimum` is what it comes to if the rest has nothing in common,
    `maximum` if the rest agrees as far as it can, `extrapolated` if the agreement goes on as it was. The lists may have
    different lengths, and need not have the same items.

    A list is a sequence of items, best first, in which a set holds items that are tied, or a dict with the score of
    each item. In a tie that takes the places t to b an item counts

    - `ties="a"`: for the share (d-t+1)/(b-t+1) at the depths t to b, so that X_d is the mean over all orders of the
      tied items;
    - `ties="b"`: the same, but X_d is divided by the geometric mean of the overlaps that each list has with itself, so
      that a list agrees completely with itself;
    - `ties="w"`: wholly from depth t on, and A_d is 2X_d over the number of items in both; for items that really share
      a place (as Webber, Moffat and Zobel have it).

    Without ties the three are the same. If a list is empty, `extrapolated` is nan: there is nothing to extrapolate.

    >>> rbo = rank_biased_overlap(["a", "b", "c"], ["a", "c", "d"], p=0.5)
    >>> round(rbo.extrapolated, 4)  # A = 1, 1/2, 2/3, and then 2/3: 0.5 (1 + 0.5 · 1/2 + 0.25 · 2/3) + 0.125 · 2/3
    0.7917
    >>> round(rbo.minimum, 4), round(rbo.maximum, 4)  # from depth 4 on 2/d at least, 1 at most
    (0.7613, 0.8333)
    >>> round(rank_biased_overlap([{"a", "b"}], [{"a", "b"}], ties="a").extrapolated, 4)  # A = 1/2, 1, 1 ...
    0.95
    """
    check(p, ties)
    (items_a, a), (items_b, b) = _list(first, "the first list"), _list(second, "the second list")
    place = {item: row for row, item in enumerate(items_a)}
    matches = [(place[item], row) for row, item in enumerate(items_b) if item in place]
    row_a, row_b = np.array(matches, dtype=np.int64).reshape(-1, 2).T
    rankings = PairedRankings(a, b, np.zeros_like(row_a), row_a, row_b)
    return RankBiasedOverlap(*(float(values[0]) for values in rankings.overlaps(p, ties)))


def check(p: Any, ties: Any) -> None:
    """An error for a persistence or a treatment of ties that there is not."""
    if not (isinstance(p, (int, float)) and 0 < p < 1):
        raise ParameterError(f"p must be a number above 0 and below 1, not {p!r}")
    if ties not in TIES:
        raise ParameterError(f"ties must be one of {', '.join(TIES)}, not {ties!r}")


def _list(given: Any, name: str) -> tuple[Sequence[Hashable], RankedLists]:
    """The items best first, and their places."""
    items: list[Hashable] = []
    begins: list[bool] = []
    if isinstance(given, Mapping):
        score = scores(list(given.values()), name)
        order = np.argsort(-score, kind="stable")
        names = list(given)
        items = [names[row] for row in order.tolist()]
        begins = changes(score[order]).tolist()
    elif isinstance(given, (str, bytes)) or not isinstance(given, Collection):
        raise DataError(f"{name}: expected items, best first, or a dict of scores, found {given!r:.60}")
    elif isinstance(given, Set):
        raise DataError(f"{name}: a set has no order; expected a list of items, in which a set holds tied items")
    else:
        for entry in given:
            tied = list(entry) if isinstance(entry, Set) else [entry]
            items += tied
            begins += [True, *[False] * (len(tied) - 1)][: len(tied)]
    try:
        twice = len(set(items)) < len(items)
    except TypeError:
        raise DataError(f"{name}: items must be text, numbers or the like, which a dict could have as keys") from None
    if twice:
        raise DataError(f"{name}: an item stands in it twice. Keep one of them.")
    return items, RankedLists.from_begins(np.array(begins, dtype=np.bool_), np.array([0, len(items)]))
