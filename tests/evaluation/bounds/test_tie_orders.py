"""Orders of tied documents: all of them, or some that are drawn. Oracle: itertools, and the even chance of each order."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.data.tied_documents import TiedDocuments
from cranfield.evaluation.bounds.tie_draws import Draws, streams
from cranfield.evaluation.bounds.tie_orders import DRAWN, MOST_ORDERS, Orders


def tied_documents(
    judged: dict[str, dict[str, int]], ties: dict[str, list[int]], *, by_grade: bool = True
) -> TiedDocuments:
    """Documents d0, d1, ... of each query; so many share a score, from the top."""
    run = {
        query: {f"d{n}": -float(score) for n, score in enumerate(np.repeat(np.arange(len(sizes)), sizes))}
        for query, sizes in ties.items()
    }
    r = Rankings.join(Qrels.from_dict(judged), Run.from_dict(run), keep_ties=True)
    return TiedDocuments.of(r, r.grade.astype(np.int64) if by_grade else r.judgment)


def orders_of(tied: TiedDocuments, *, separable: bool = True) -> dict[int, list[tuple[tuple[int, str], ...]]]:
    """By query, the ranks of the judged documents in each order that is tried."""
    found: dict[int, list[tuple[tuple[int, str], ...]]] = {int(query): [] for query in tied.queries}
    orders = Orders(tied, streams(0, np.arange(len(tied.rankings), dtype=np.uint64)))
    for batch in orders.batches(tied.queries, separable=separable):
        r = batch.rankings
        for number in np.flatnonzero(batch.counts).tolist():
            rows = np.flatnonzero(r.query == number)
            names = [r.qrels.documents[r.judgment[row]].decode() for row in rows]
            found[int(batch.query[number])].append(tuple(zip(r.rank[rows].tolist(), names, strict=True)))
    return found


@pytest.mark.parametrize("separable", [True, False])
def test_all_orders_once(separable: bool) -> None:
    judged = {"q1": {"d0": 1, "d1": 2, "d3": 1}, "q2": {"d1": 1}, "q3": {"d0": 1}}
    tied = tied_documents(judged, {"q1": [2, 3], "q2": [4], "q3": [1, 1]}, by_grade=False)
    found = orders_of(tied, separable=separable)
    assert sorted(found) == [0, 1]
    # q1: d0 and d1 in two orders, d3 at three places beside the unjudged d2 and d4; q2: d1 at four places.
    expected = {(*((rank, name) for rank, name in enumerate(two, 1)), (at, "d3"))
                for two in permutations(("d0", "d1")) for at in (3, 4, 5)}  # fmt: skip
    assert set(found[0]) == expected
    assert len(found[0]) == 6
    assert found[1] == [((1, "d1"),), ((2, "d1"),), ((3, "d1"),), ((4, "d1"),)]


def test_documents_of_one_kind_are_not_told_apart() -> None:
    judged = {"q": {"d0": 1, "d1": 1, "d2": 0, "d3": 0}}
    assert len(orders_of(tied_documents(judged, {"q": [4]}))[0]) == 6  # 4! / (2! 2!)
    assert len(orders_of(tied_documents(judged, {"q": [4]}, by_grade=False))[0]) == 24


def test_how_many_orders_are_tried() -> None:
    few = {"d0": 1}
    many = {f"d{n}": n for n in range(7)}
    tied = tied_documents({"q1": few, "q2": few, "q3": many}, {"q1": [MOST_ORDERS], "q2": [MOST_ORDERS + 1], "q3": [7]})
    orders = Orders(tied, streams(0, np.arange(3, dtype=np.uint64)))
    assert orders.number.tolist() == [MOST_ORDERS, DRAWN, DRAWN]
    assert orders.drawn.tolist() == [False, True, True]


@pytest.mark.parametrize(("judged", "size"), [(2, 4), (2, 5), (3, 3), (3, 4)])
def test_drawn_places_are_even(judged: int, size: int) -> None:
    """Few documents beside the places of their tie (2 of 4 and 5) draw one by one, others together."""
    tied = tied_documents({"q": {f"d{n}": n for n in range(judged)}}, {"q": [size]})
    draws = Draws(tied, np.arange(judged), np.full(judged, 5, dtype=np.uint64))
    number = 24_000
    found = [tuple(draws.slots(np.full(judged, order)).tolist()) for order in range(number)]
    ways = set(permutations(range(size), judged))
    assert set(found) == ways
    chance = 1 / len(ways)
    for way in ways:
        # Binomial; five standard deviations.
        assert abs(found.count(way) - number * chance) < 5 * np.sqrt(number * chance * (1 - chance))
