"""The orders of a pool's topics, and what is next."""

from __future__ import annotations

import pytest

from cranfield.data.judging import DECISIONS
from cranfield.data.judging_record import JudgingRecord
from cranfield.data.scale import BINARY
from cranfield.errors import UsageError
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.judging_session import JudgingSession
from cranfield.pooling.orders.named import ORDERS, NamedOrder
from cranfield.pooling.pool_orders import NextDocument, PoolOrders, Told, in_no_run, next_documents, not_in_pool
from cranfield.pooling.term_matrix import TermMatrix
from tests.pooling.made_runs import run_of

WORK = {"q1": ["d1", "d2", "d3", "d4", "d9"], "q2": ["d1", "d5"]}
RUNS = [
    run_of({"q1": ["d4", "d3", "d2"], "q2": ["d5"]}, "one"),
    run_of({"q1": ["d1", "d8"], "q2": ["d5", "d1"]}, "two"),
]
TEXTS = {"d1": "soup", "d2": "soup bowl", "d3": "engine", "d4": "engine wheel", "d5": "bread", "d9": "bowl"}


def orders(name: str, **more: object) -> PoolOrders:
    queries = {"q1": "soup", "q2": "bread"}
    return PoolOrders(NamedOrder.parse(name), Candidates.of(RUNS), TermMatrix.of(TEXTS), queries, **more)  # type: ignore[arg-type]


def names(found: list[NextDocument], topic: str) -> list[str]:
    return [document for one, _, document in found if one == topic]


def test_numbers_are_those_of_the_pool() -> None:
    """Of q1, d4 and d1 are first somewhere, then d3, then d2; d9 is in no run. d8 is not in the pool."""
    found = next_documents(WORK, {}, orders("depth"))
    assert set(names(found, "q1")[:2]) == {"d4", "d1"}
    assert names(found, "q1")[2:] == ["d3", "d2", "d9"]
    assert names(found, "q2") == ["d5", "d1"]
    assert [place for topic, place, _ in found if topic == "q1"] == [1, 2, 3, 4, 5]


def test_what_was_judged_steers_what_is_next() -> None:
    """d4 is not relevant: run one is worth 1/3, run two 1/2."""
    told: Told = {"q1": [("d4", 0.0)], "q2": [("d5", 1.0), ("d1", None)]}
    found = next_documents(WORK, told, orders("bandit-max-mean"), count=2)
    assert names(found, "q1") == ["d1", "d3"]
    assert names(found, "q2") == []
    assert names(next_documents(WORK, {}, orders("active"), count=2), "q1") == ["d1", "d2"]


def test_picked_documents_come_first() -> None:
    found = next_documents(WORK, {}, orders("depth", picked={"q1": ["d9", "elsewhere", "d2"]}), count=3)
    assert names(found, "q1")[:2] == ["d9", "d2"]


@pytest.mark.parametrize("name", ORDERS)
def test_a_session_that_asks_gets_the_same_as_who_asks_anew(name: str) -> None:
    """`JudgingSession` keeps its orders; `next_documents` makes them anew from what was judged so far."""
    made = orders(name)
    session = JudgingSession(WORK, JudgingRecord(), assessor="ann", scale=BINARY, order_of=made)
    told: dict[str, list[tuple[str, float | None]]] = {"q1": [], "q2": []}
    while session.item is not None:
        topic, document = session.item
        assert next_documents({topic: WORK[topic]}, told, made, 1)[0].document == document
        event = session.skip() if document == "d3" else session.grade(int(document in ("d1", "d2")))
        assert event.action in DECISIONS
        session.apply(event)
        told[topic].append((document, event.grade))
    assert sum(map(len, told.values())) == 7


def test_undoing_makes_the_order_anew() -> None:
    session = JudgingSession(WORK, JudgingRecord(), assessor="ann", scale=BINARY, order_of=orders("bandit-max-mean"))
    first = session.item
    session.apply(session.grade(0))
    second = session.item
    undone = session.undo()
    assert undone is not None
    session.apply(undone)
    assert session.item == first
    session.apply(session.grade(0))
    assert session.item == second


def test_counting_what_does_not_fit() -> None:
    assert in_no_run(WORK, Candidates.of(RUNS)) == 1  # d9
    assert in_no_run({"unknown": ["d1"]}, Candidates.of(RUNS)) == 1
    assert not_in_pool(WORK, {"q1": [("d1", 1), ("d5", 1)], "q3": [("d1", None)]}) == 2


def test_what_an_order_needs() -> None:
    with pytest.raises(UsageError, match="the order rrf asks runs which documents are next: name their files"):
        PoolOrders(NamedOrder.parse("rrf"))
    with pytest.raises(UsageError, match="the order active reads the documents: name them with --collection"):
        PoolOrders(NamedOrder.parse("active"))
    without_topic = PoolOrders(NamedOrder.parse("active"), terms=TermMatrix.of(TEXTS))
    with pytest.raises(UsageError, match="nothing is known of topic q1"):
        without_topic("q1", ["d1"])
