"""Continuous active learning (Cormack and Grossman 2015)."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy.sparse import csr_matrix, vstack
from sklearn.linear_model import LogisticRegression

from cranfield.errors import MissingExtraError
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.orders.active_learning import ActiveLearning, batch_at
from cranfield.pooling.orders.material import Material, TopicTexts
from tests.pooling.orders.asking import Asking, with_texts

SOUPS = {
    "soup": "hot soup with noodles",
    "ramen": "ramen broth noodles miso",
    "miso": "miso paste fermented",
    "tofu": "tofu fermented beans",
    **{f"other-{at}": f"engine wheel number{at}" for at in range(12)},
}


def active(material: Material) -> ActiveLearning:
    assert material.texts is not None
    return ActiveLearning(material, material.texts)


def test_batches_grow_as_in_the_paper() -> None:
    """B + ⌈B/10⌉ from B = 1: 1, 2, ..., 10, 11, 13, 15, 17, 19, 21, 24."""
    sizes, begin = [], 0
    for number in range(17):
        batch = batch_at(begin)
        assert (batch.number, batch.begin) == (number, begin)
        assert batch_at(batch.end - 1) == batch
        sizes.append(batch.end - batch.begin)
        begin = batch.end
    assert sizes == [*range(1, 12), 13, 15, 17, 19, 21, 24]


def test_it_begins_with_what_is_like_the_topic() -> None:
    assert Asking(active, with_texts(SOUPS, "hot soup")).next() == ["soup"]


def test_it_goes_from_one_relevant_document_to_the_next() -> None:
    """The topic has no word in common with ramen, miso and tofu: noodles lead to ramen, miso to miso, and so on."""
    order = Asking(active, with_texts(SOUPS, "hot soup"))
    relevant = {"soup", "ramen", "miso", "tofu"}
    asked = [order.next()[0]]
    order.tell(asked[0], 1)
    for _ in range(5):
        asked.append(order.next()[0])
        order.tell(asked[-1], int(asked[-1] in relevant))
    assert relevant <= set(asked)
    assert asked.index("ramen") < asked.index("miso") < asked.index("tofu")


def test_what_is_not_relevant_is_learned_too() -> None:
    documents = {"a1": "soup engine", "a2": "engine wheel", "b1": "soup spoon", **{f"x{n}": f"w{n}" for n in range(6)}}
    order = Asking(active, with_texts(documents, "soup"))
    order.tell("a1", 0)
    ranking = order.next(9)
    assert ranking[0] == "b1"
    assert ranking[-1] == "a2"


def test_scores_are_those_of_a_classifier_of_scikit_learn() -> None:
    """Its own fit of the same examples is the oracle: the topic and the first are relevant, the others are not."""
    rng = np.random.default_rng(5)
    known, unjudged = rng.random((3, 6)), rng.random((20, 6))
    query, documents = rng.random((1, 6)), np.vstack([known, unjudged])
    texts = TopicTexts(csr_matrix(documents), csr_matrix(query))
    names = [f"d{at:02}" for at in range(23)]
    order = ActiveLearning(Material.among(Candidates.of([]), b"q", names, texts=texts), texts)
    for number, grade in ((0, 1.0), (1, 0.0), (2, 0.0)):
        order.tell(number, grade)
    examples = vstack([query, known, unjudged[:10]])
    oracle = LogisticRegression(class_weight="balanced", max_iter=1000)
    oracle.fit(csr_matrix(examples), [True, True, False, False, *[False] * 10])
    scores = order._score({0: 1.0, 1: 0.0, 2: 0.0}, np.arange(3, 13))
    assert scores == pytest.approx(oracle.decision_function(csr_matrix(documents)) - oracle.intercept_)
    assert sorted(order.next(99)) == list(range(3, 23))


def test_nothing_is_learned_within_a_batch() -> None:
    order = Asking(active, with_texts(SOUPS, "hot soup"))
    order.tell("soup", 1)
    first, second = order.next(2)
    order.tell(first, 0)
    assert order.next() == [second]


def test_what_is_skipped_is_not_learned_from() -> None:
    one, other = (Asking(active, with_texts(SOUPS, "hot soup")) for _ in range(2))
    one.tell("tofu", None)
    one.tell("soup", 1)
    other.tell("soup", 1)
    other.tell("tofu", None)
    assert set(one.next(99)) == set(other.next(99)) == SOUPS.keys() - {"soup", "tofu"}
    assert one.next(1) == other.next(1) == ["ramen"]


def test_the_last_document_needs_no_classifier() -> None:
    order = Asking(active, with_texts({"a": "soup", "b": "bread"}, "soup"))
    assert order.next(9) == ["a", "b"]
    order.tell("a", 1)
    assert order.next(9) == ["b"]
    order.tell("b", 0)
    assert order.next(9) == []


def test_documents_without_words() -> None:
    order = Asking(active, with_texts({"a": "", "b": "soup", "c": ""}, "..."))
    assert sorted(order.next(9)) == ["a", "b", "c"]


def test_without_the_library_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(
        MissingExtraError, match=r"the order active needs an optional library: pip install 'cranfield\[active\]'"
    ):
        Asking(active, with_texts(SOUPS, "hot soup")).next()
