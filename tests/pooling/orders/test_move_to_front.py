"""Move-to-front (Cormack, Palmer and Clarke 1998), by hand and against its own rule."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cranfield.pooling.orders.move_to_front import MoveToFront
from tests.pooling.orders.asking import Asking, material

LISTS = [["a1", "a2", "a3"], ["b1", "b2", "b3"], ["c1", "c2", "c3"]]


def test_a_run_goes_on_as_long_as_it_is_right() -> None:
    order = Asking(MoveToFront, material(LISTS))
    run = order.ask(1)[0]  # priorities 0 0 0: any of the runs
    assert order.ask(1) == f"{run}2"
    assert order.ask(0) == f"{run}3"
    others = {order.ask(0)[0] for _ in range(2)}  # priorities -1 0 0, and then -1 -1 0
    assert others == {"a", "b", "c"} - {run}


def test_runs_that_are_always_wrong_take_turns() -> None:
    order = Asking(MoveToFront, material(LISTS))
    rounds = [{order.ask(0) for _ in range(3)} for _ in range(3)]
    assert rounds == [{f"{run}{at}" for run in "abc"} for at in (1, 2, 3)]


def test_a_run_that_fell_less_often_comes_first() -> None:
    """The first falls at its first document (-1), the second at its second (-1); so does the third (-1). Then all are
    at -1. The one that is asked now and is right stays."""
    order = Asking(MoveToFront, material(LISTS))
    first = order.ask(0)[0]
    second = order.ask(1)[0]
    assert order.ask(0) == f"{second}2"
    third = order.ask(1)[0]
    assert {first, second, third} == {"a", "b", "c"}
    assert order.ask(0) == f"{third}2"
    stays = order.ask(2)
    assert order.next()[0][0] == stays[0]


def test_a_shared_document_costs_only_the_run_that_is_asked() -> None:
    """x is first in both. It is not relevant: one run falls to -1 and the other, at 0, goes on with its second."""
    order = Asking(MoveToFront, material([["x", "a"], ["x", "b"]]))
    assert order.ask(0) == "x"
    going_on = order.ask(0)
    assert order.ask(0) == ({"a", "b"} - {going_on}).pop()


def test_skipped_and_unexpected_documents_change_no_priority() -> None:
    order = Asking(MoveToFront, material(LISTS))
    run = order.next()[0][0]
    order.tell(f"{run}1", None)
    assert order.next() == [f"{run}2"]
    other = next(each for each in "abc" if each != run)
    order.tell(f"{other}1", 0)
    assert order.next() == [f"{run}2"]


def test_relevant_is_from_a_level_on() -> None:
    order = Asking(MoveToFront, material(LISTS, level=2))
    run = order.ask(2)[0]
    assert order.ask(1)[0] == run
    assert order.next()[0][0] != run


@given(
    st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), min_size=1, max_size=4),
    st.sets(st.sampled_from("abcdefgh")),
    st.integers(0, 3),
)
def test_the_rule_holds_at_every_step(lists: list[list[str]], relevant: set[str], seed: int) -> None:
    """What is asked for is the next of a run that has fallen least often, of those that have something left."""
    lists = [each for each in lists if each] or [["a"]]
    order = Asking(MoveToFront, material(lists, seed=seed))
    falls, told = [0] * len(lists), set[str]()
    while asked := order.next():
        (document,) = asked
        heads = {run: left[0] for run, each in enumerate(lists) if (left := [d for d in each if d not in told])}
        least = min(falls[run] for run in heads)
        could_be = [run for run, head in heads.items() if falls[run] == least and head == document]
        assert could_be
        order.tell(document, int(document in relevant))
        told.add(document)
        if document not in relevant:
            # Where several runs at the top have the same next document, lots decided whose turn it was.
            fallen = [run for run in could_be if order.order._falls[run] == falls[run] + 1]  # type: ignore[attr-defined]
            assert len(fallen) == 1
            falls[fallen[0]] += 1
    assert told == {document for each in lists for document in each}
