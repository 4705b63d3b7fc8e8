"""What holds for every order, whatever the runs and the judgments."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.errors import ParameterError, UsageError
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.orders import JudgingOrder
from cranfield.pooling.orders.hand_picked import HandPicked
from cranfield.pooling.orders.material import Material, TopicTexts
from cranfield.pooling.orders.named import ORDERS, NamedOrder
from cranfield.pooling.term_matrix import TermMatrix
from tests.pooling.made_runs import run_of

NAMES = [f"doc-{letter}" for letter in "abcdefghij"]
LISTS = st.lists(st.lists(st.sampled_from(NAMES), unique=True, min_size=1), min_size=1, max_size=4)
GRADES = st.lists(st.sampled_from([0, 0, 1, 2, None]), min_size=len(NAMES), max_size=len(NAMES))
WORDS = ("soup", "bread", "salad", "noodles", "rice")


def made(name: str, lists: list[list[str]], seed: int = 0) -> JudgingOrder:
    """An order of all documents, of which runs returned some; the texts are words of their names."""
    runs = [run_of({"q": each}, f"run-{number}") for number, each in enumerate(lists)]
    texts = {name: f"{WORDS[at % 5]} {WORDS[at // 2]}" for at, name in enumerate(NAMES)}
    material = Material.among(Candidates.of(runs), b"q", NAMES, seed=seed, texts=_texts(texts))
    return NamedOrder.parse(name).make(material)


def _texts(texts: dict[str, str]) -> TopicTexts:
    return TermMatrix.of(texts).of_topic(NAMES, "soup")


def asked(order: JudgingOrder, grades: list[float | None]) -> list[int]:
    """All that an order asks for, one by one."""
    found = []
    while named := order.next():
        (document,) = named
        assert document not in found
        found.append(document)
        order.tell(document, grades[document])
    return found


every_order = pytest.mark.parametrize("name", ORDERS)
few_examples = settings(max_examples=8)


@every_order
@few_examples
@given(lists=LISTS, grades=GRADES, seed=st.integers(0, 2**70))
def test_each_document_comes_once_and_again_in_the_same_order(
    name: str, lists: list[list[str]], grades: list[float | None], seed: int
) -> None:
    order = asked(made(name, lists, seed), grades)
    assert sorted(order) == list(range(len(NAMES)))
    assert asked(made(name, lists, seed), grades) == order


@every_order
@few_examples
@given(lists=LISTS, grades=GRADES, told=st.lists(st.integers(0, len(NAMES) - 1), unique=True), count=st.integers(1, 12))
def test_several_are_what_would_come_if_all_were_skipped(
    name: str, lists: list[list[str]], grades: list[float | None], told: list[int], count: int
) -> None:
    """Whatever was told, in whatever order, asked for or not."""
    one, other = made(name, lists), made(name, lists)
    for document in told:
        one.tell(document, grades[document])
        other.tell(document, grades[document])
    several = one.next(count)
    assert one.next(count) == several  # asking changes nothing
    single = []
    for _ in range(count):
        single += (named := other.next())
        for document in named:
            other.tell(document, None)
    assert several == single
    assert len(several) == min(count, len(NAMES) - len(told))


@every_order
@few_examples
@given(lists=LISTS, grades=GRADES, stops=st.integers(0, len(NAMES)))
def test_an_order_that_is_made_anew_goes_on_where_it_was(
    name: str, lists: list[list[str]], grades: list[float | None], stops: int
) -> None:
    whole = asked(made(name, lists), grades)
    again = made(name, lists)
    for document in whole[:stops]:
        again.tell(document, grades[document])
    assert asked(again, grades) == whole[stops:]


@every_order
def test_a_second_word_on_a_document_changes_nothing(name: str) -> None:
    one, other = (made(name, [NAMES[:4], NAMES[2:7]]) for _ in range(2))
    for order in (one, other):
        order.tell(2, 0)
        order.tell(0, 1)
    other.tell(2, 3)
    assert one.next(9) == other.next(9)


@pytest.mark.parametrize("name", sorted(set(ORDERS) - {"pool", "active", "rrf", "rbp"}))
def test_seeds_decide(name: str) -> None:
    """Six runs with nothing in common: which of them begins is left to chance."""
    lists = [[document] for document in NAMES[:6]]
    assert len({tuple(made(name, lists, seed).next(6)) for seed in range(20)}) > 3


@settings(max_examples=30)
@given(lists=LISTS, grades=GRADES, picked=st.lists(st.integers(0, len(NAMES) - 1), unique=True))
def test_what_is_picked_comes_first(lists: list[list[str]], grades: list[float | None], picked: list[int]) -> None:
    order = asked(HandPicked(picked, made("bandit-max-mean", lists)), grades)
    assert order[: len(picked)] == picked
    assert sorted(order) == list(range(len(NAMES)))
    both = HandPicked(picked, made("depth", lists))
    assert both.next(4) == [*picked, *(each for each in made("depth", lists).next(99) if each not in picked)][:4]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("bandit", UsageError, "there is no order 'bandit'. Did you mean"),
        ("depth:k=3", ParameterError, "'k' is no parameter of the order depth, which has none"),
        ("rrf:p=3", ParameterError, "'p' is no parameter of the order rrf, which has k"),
        ("rbp:p=1", ParameterError, "rbp: p is 1; expected a number from 0 to below 1"),
        ("rrf:k=-1", ParameterError, "rrf: k is -1; expected a number 0 or more"),
        ("rrf:k", ParameterError, "rrf: k is missing; expected a number 0 or more"),
        ("bandit-ucb:discount=2", ParameterError, "discount is 2; expected a number from 0 to 1"),
        ("bandit-ucb:discount=nan", ParameterError, "discount is nan"),
    ],
)
def test_names_that_say_nothing(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        NamedOrder.parse(text)


def test_parameters_make_a_difference() -> None:
    lists = [NAMES[:5], NAMES[5:]]
    for first, second in (("rbp:p=0.1", "rbp:p=0.9"), ("rrf:k=0", "rrf:k=1000")):
        shared = [[*NAMES[:4], NAMES[8]], [*NAMES[4:8], NAMES[8]]]
        assert made(first, shared).next(9) != made(second, shared).next(9)
    told: list[float | None] = [1, 1, 0, *[0] * 7]
    assert asked(made("bandit-max-mean:discount=0", lists), told) != asked(made("bandit-max-mean", lists), told)


def test_texts_are_needed_for_active() -> None:
    with pytest.raises(UsageError, match="needs the texts"):
        NamedOrder.parse("active").make(Material.among(Candidates.of([]), b"q", NAMES))
