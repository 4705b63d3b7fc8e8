"""Tied documents and the rankings that come of other orders of them. Oracle: the rankings written out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.data.costs import Costs
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.data.strings import Ints
from cranfield.data.tied_documents import TiedDocuments

QRELS = Qrels.from_dict({"q1": {"a": 2, "b": 0, "d": 1}, "q2": {"a": 1, "b": 1}, "q3": {"a": 1, "c": 0}})
RUN = Run.from_dict(
    {
        "q1": {"a": 3, "b": 2, "c": 2, "d": 2, "e": 1},  # a, then b, c, d tied, then e
        "q2": {"a": 2, "b": 2, "c": 1},  # a and b tied, of one kind
        "q3": {"a": 2, "b": 1, "c": 1},  # b and c tied
    }
)


def joined(costs: Costs | None = None) -> Rankings:
    return Rankings.join(QRELS, RUN, keep_ties=True, costs=costs)


def kinds(r: Rankings) -> Ints:
    return r.grade.astype(np.int64)


def documents(r: Rankings, query: int) -> dict[int, str]:
    """Which judged document stands at which rank."""
    rows = np.flatnonzero(r.query == query)
    return {int(r.rank[row]): r.qrels.documents[r.judgment[row]].decode() for row in rows}


def test_only_ties_in_which_something_can_change() -> None:
    r = joined()
    tied = TiedDocuments.of(r, kinds(r))
    assert tied.ties.query.tolist() == [0, 2]
    assert tied.ties.size.tolist() == [3, 2]
    assert [r.qrels.documents[r.judgment[row]].decode() for row in tied.row] == ["b", "d", "c"]
    assert TiedDocuments.of(r, kinds(r), depth=1).ties.query.tolist() == []
    assert TiedDocuments.of(r, r.judgment).ties.query.tolist() == [0, 1, 2]  # each of a kind of its own


def test_best_first_and_worst_first() -> None:
    r = joined()
    tied = TiedDocuments.of(r, kinds(r))
    best = tied.arranged(tied.best_first(r.grade))
    assert documents(best, 0) == {1: "a", 2: "d", 3: "b"}  # the unjudged one last: b is worth no less
    worst = tied.arranged(tied.best_first(-r.grade))
    assert documents(worst, 0) == {1: "a", 2: "b", 4: "d"}
    below_nothing = np.where(r.grade == 0, -1.0, r.grade)
    assert documents(tied.arranged(tied.best_first(below_nothing)), 0) == {1: "a", 2: "d", 4: "b"}


def test_copies_of_queries() -> None:
    r = joined()
    tied = TiedDocuments.of(r, kinds(r)).only(np.array([2, 0, 0]))
    assert tied.source.tolist() == [1, 0, 0]
    copies = tied.arranged(np.array([0, 2, 0, 0, 1]))  # c; b and d; b and d
    assert [documents(copies, query) for query in range(3)] == [
        {1: "a", 2: "c"},
        {1: "a", 2: "d", 4: "b"},
        {1: "a", 2: "b", 3: "d"},
    ]
    assert copies.relevant(1).tolist() == [1, 2, 2]
    assert copies.retrieved.tolist() == [3, 5, 5]


def test_costs_move_with_documents() -> None:
    costs = Costs.from_dict({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5})
    tied = TiedDocuments.every(joined(costs))
    assert tied.ties.query.tolist() == [0, 1, 2]
    # The ranking of q1 is a, d, c, b, e (identifiers, last first), that of q2 b, a, c, that of q3 a, c, b.
    turned = tied.arranged(np.array([1, 2, 0, 1, 0, 1, 0]))  # a, b, d, c, e; a, b, c; a, b, c
    assert turned.costs is not None
    assert turned.costs.cost.tolist() == [1, 2, 4, 3, 5, 1, 2, 3, 1, 2, 3]
    assert documents(turned, 0) == {1: "a", 2: "b", 3: "d"}
    assert documents(turned.cut(2), 2) == {1: "a"}


@pytest.mark.parametrize("wide", [False, True])
def test_few_documents_in_a_wide_tie(wide: bool) -> None:
    """The order of places is found by sorting or by laying documents out, as fits."""
    size = 1000 if wide else 10
    qrels = Qrels.from_dict({"q": {"d0": 1, "d1": 0, "d2": 2}})
    run = Run.from_dict({"q": {f"d{number}": 1.0 for number in range(size)}})
    r = Rankings.join(qrels, run, keep_ties=True)
    tied = TiedDocuments.of(r, kinds(r))  # by grade: d1, d0, d2
    assert documents(tied.arranged(np.array([7, 2, 5])), 0) == {3: "d0", 6: "d2", 8: "d1"}
