"""Documents handed out one by one, listening to judgments."""

from __future__ import annotations

import pytest

import cranfield as cf
from cranfield.data.run import Run
from cranfield.errors import UsageError
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.flip.order import FlipOrder
from cranfield.pooling.orders import JudgingOrder
from cranfield.pooling.orders.material import Material

ONE = Run.from_dict({"q": {"a": 4, "b": 3, "c": 2, "d": 1}}, name="one")
TWO = Run.from_dict({"q": {"b": 4, "a": 3, "e": 2, "f": 1}}, name="two")
OTHER = Run.from_dict({"q": {"g": 2, "a": 1}}, name="other")


def order_of(measure: str = "RR") -> FlipOrder:
    return FlipOrder.of_material(Material.of(Candidates.of([ONE, TWO, OTHER]), b"q"), measure, "one", "two")


def test_everything_is_handed_out_once() -> None:
    order, asked = order_of("AP"), []
    listening: JudgingOrder = order
    assert listening.next(0) == []
    while following := order.next():
        asked.append(order.names[following[0]])
        order.tell(following[0], 0.0 if len(asked) % 2 else None)
    assert sorted(asked) == ["a", "b", "c", "d", "e", "f", "g"]
    assert asked[-1] == "g"  # which neither returned


def test_it_listens() -> None:
    # Reciprocal rank: a and b, first in the one and second in the other, could make a difference of 1/2. Once both are
    # relevant nothing else can matter.
    order = order_of()
    assert {order.names[number] for number in order.next(2)} == {"a", "b"}
    for number in order.next(2):
        order.tell(number, 1.0)
    assert order.case.difference.tolist() == [0]
    assert len(order.next(10)) == 5


def test_documents_of_a_pool() -> None:
    # In the order of the pool; u was returned by no run, and a and e are not in the pool.
    candidates = Candidates.of([ONE, TWO, OTHER])
    order = FlipOrder.of_material(Material.among(candidates, b"q", ["u", "f", "d", "b"]), "P@4", "one", "two")
    assert order.names == ["u", "f", "d", "b"]
    assert {order.names[number] for number in order.next(2)} == {"f", "d"}
    assert len(order.next(9)) == 4


def test_next_changes_nothing() -> None:
    order = order_of("nDCG@3")
    assert order.next(3) == order.next(7)[:3]


def test_the_order_of_a_result() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    first = {"q1": {"a": 3, "x": 2, "y": 1}, "q2": {"b": 2, "z": 1}}
    second = {"q1": {"x": 2, "a": 1}, "q2": {"b": 1}}
    found = cf.flip(qrels, first, second, "P@2", simulations=0)
    order = found.order("q1")
    assert order.names == ["x", "y"]
    # y is below the cutoff of P@2 in both; x is in both.
    order.tell(0, 1.0)
    assert order.next(5) == [1]
    with pytest.raises(UsageError, match="there is no topic 'q3'"):
        found.order("q3")


def test_a_topic_with_nothing_open() -> None:
    found = cf.flip({"q1": {"a": 1}}, {"q1": {"a": 1}}, {"q1": {"a": 1}}, "AP", simulations=0)
    assert found.order("q1").next() == []


def test_what_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no run 'onne' among the candidates. Did you mean one\?"):
        FlipOrder.of_material(Material.of(Candidates.of([ONE, TWO]), b"q"), "AP", "onne", "two")
    with pytest.raises(UsageError, match="Bpref says nothing certain"):
        order_of("Bpref")
