"""Holes: ranks without a judged document, in stretches."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.holes import Holes
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run

LISTS = st.lists(st.lists(st.sampled_from([None, -1, 0, 1]), max_size=8), min_size=1, max_size=4)


def rankings(lists: list[list[int | None]]) -> Rankings:
    """A query for each list, with a judged document that none retrieves."""
    judged = {
        f"q{number}": {"missed": 0} | {f"d{at}": grade for at, grade in enumerate(ranks) if grade is not None}
        for number, ranks in enumerate(lists)
    }
    returned = [(f"q{number}", f"d{at}", -at) for number, ranks in enumerate(lists) for at in range(len(ranks))]
    return Rankings.join(Qrels.from_dict(judged), Run.from_tuples(returned or [("other", "d", 1)]))


def hole_ranks(ranks: list[int | None], cutoff: int | None = None) -> list[int]:
    return [at + 1 for at, grade in enumerate(ranks[:cutoff]) if grade is None or grade < 0]


@given(lists=LISTS, cutoff=st.sampled_from([None, 1, 3, 100]))
def test_stretches_hold_all_holes_and_nothing_else(lists: list[list[int | None]], cutoff: int | None) -> None:
    holes = Holes.of(rankings(lists), cutoff)
    for query, ranks in enumerate(lists):
        mine = holes.query == query
        found = [
            r for first, last in zip(holes.first[mine], holes.last[mine], strict=True) for r in range(first, last + 1)
        ]
        assert found == hole_ranks(ranks, cutoff)
        assert holes.count[query] == len(found)
        assert holes.to[mine].tolist() == np.cumsum(holes.size[mine]).tolist()


@given(lists=LISTS)
def test_sums_over_holes_and_over_judged_documents(lists: list[list[int | None]]) -> None:
    r = rankings(lists)
    holes = Holes.of(r)
    squares = np.cumsum(np.arange(10.0) ** 2)
    sums, above = holes.sums(squares), holes.above(r.rank[holes.rows].astype(np.float64))
    for stretch, (query, first, last) in enumerate(zip(holes.query, holes.first, holes.last, strict=True)):
        assert sums[stretch] == sum(rank**2 for rank in range(first, last + 1))
        judged = [at + 1 for at, grade in enumerate(lists[query]) if grade is not None and grade >= 0]
        assert above[stretch] == sum(rank for rank in judged if rank < first)


@given(lists=LISTS, data=st.data())
def test_an_edge_has_so_many_holes_above_it(lists: list[list[int | None]], data: st.DataObject) -> None:
    holes = Holes.of(rankings(lists))
    wanted = [data.draw(st.integers(0, int(count))) for count in holes.count]
    edge = holes.edge(np.array(wanted))
    assert holes.query[edge.stretch].tolist() == list(range(len(lists)))
    for query, (ranks, number, rank) in enumerate(zip(lists, wanted, holes.rank_above(edge), strict=True)):
        assert len([hole for hole in hole_ranks(ranks) if hole <= rank]) == number, query
