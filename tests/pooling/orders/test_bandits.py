"""Bandits (Losada, Parapar and Barreiro 2016, 2017), by hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from cranfield.pooling.orders.bandits import (
    MAX_MEAN,
    THOMPSON,
    TUNED_BOUND,
    UPPER_BOUND,
    Arms,
    Bandit,
    Rule,
    tuned_bound,
)
from cranfield.pooling.orders.material import Material
from tests.pooling.orders.asking import Asking, material

LISTS = [["a1", "a2", "a3", "a4", "a5"], ["b1", "b2", "b3", "b4", "b5"]]


def bandit(rule: Rule, discount: float = 1.0) -> Callable[[Material], Bandit]:
    return partial(Bandit, rule=rule, discount=discount)


def after(rule: Rule, told: list[tuple[str, float]], discount: float = 1.0, seed: int = 0) -> str:
    order = Asking(bandit(rule, discount), material(LISTS, seed=seed))
    for document, grade in told:
        order.tell(document, grade)
    return order.next()[0]


def test_the_highest_mean_is_asked() -> None:
    assert after(MAX_MEAN, [("a1", 1)]) == "a2"  # 2/3 against 1/2
    assert after(MAX_MEAN, [("a1", 0)]) == "b1"  # 1/3 against 1/2
    assert after(MAX_MEAN, [("a1", 1), ("a2", 1), ("a3", 0)]) == "a4"  # 3/5 against 1/2
    assert after(MAX_MEAN, [("a1", 1), ("a2", 0), ("a3", 0)]) == "b1"  # 2/5 against 1/2


def test_a_mean_that_forgets() -> None:
    """As above with discount 0: of a only the last counts, (1 + 0) / (2 + 1). With 1/2, r = (1/2 + 1)/2 = 3/4 and
    n = ((1/2 + 1)/2 + 1) = 7/4: (7/4) / (15/4) = 0.467."""
    told: list[tuple[str, float]] = [("a1", 1), ("a2", 1), ("a3", 0)]
    assert after(MAX_MEAN, told, discount=0.0) == "b1"
    assert after(MAX_MEAN, told, discount=0.5) == "b1"
    assert after(MAX_MEAN, told, discount=0.9) == "a4"  # r = 1.71, n = 2.71: 2.71 / 4.71 = 0.575


def test_a_run_forgets_by_its_own_judgments() -> None:
    """With discount 1/2: a1 and a2 give r = n = 3/2, whatever is said of b: 2.5 / 3.5."""
    order = Bandit(material(LISTS), MAX_MEAN, 0.5)
    for document, grade in ((0, 1), (5, 0), (1, 1), (6, 0)):
        order.tell(document, grade)
    assert order.arms.relevant.tolist() == [1.5, 0.0]
    assert order.arms.judged.tolist() == [1.5, 1.5]
    assert order.arms.total == 4


def test_upper_bounds() -> None:
    both: list[tuple[str, float]] = [("a1", 1), ("b1", 0)]
    assert after(UPPER_BOUND, both[:1]) == "b1"  # nothing is known of b
    assert after(UPPER_BOUND, both) == "a2"  # 1 + √(2 ln 2) against √(2 ln 2)
    assert after(UPPER_BOUND, [*both, ("a2", 0)]) == "a3"  # 1/2 + √(2 ln 3 / 2) = 1.548 against √(2 ln 3) = 1.482
    assert after(UPPER_BOUND, [*both, ("a2", 0), ("a3", 0)]) == "b2"  # 1/3 + √(2 ln 4 / 3) = 1.295, √(2 ln 4) = 1.665


def test_upper_bounds_that_forget() -> None:
    """Garivier and Moulines, discount 1/2. After a1, b1, a2: n_a = 1/4 + 1, r_a = 1/4, n_b = 1/2, t = 7/4: for a
    1/5 + √(2 ln 1.75 / 1.25) = 1.146, for b √(2 ln 1.75 / 0.5) = 1.496, where UCB1 would ask a."""
    told: list[tuple[str, float]] = [("a1", 1), ("b1", 0), ("a2", 0)]
    assert after(UPPER_BOUND, told, discount=0.5) == "b2"
    order = Bandit(material(LISTS), UPPER_BOUND, 0.5)
    for document, grade in ((0, 1), (5, 0), (1, 0)):
        order.tell(document, grade)
    assert (order.arms.judged.tolist(), order.arms.relevant.tolist()) == ([1.25, 0.5], [0.25, 0.0])
    assert order.arms.total == 1.75


def test_tuned_bounds() -> None:
    """t = 16, n = 16, r = 0: V = 0 + √(2 ln 16 / 16) = 0.589, so 1/4 counts: √(ln 16 / 16 / 4) = 0.208. With t = e and
    n = 100, r = 1: V = 0.01 - 0.0001 + √(2 / 100) = 0.1513, below 1/4: 0.01 + √(0.01 · 0.1513) = 0.0489."""
    found = tuned_bound(Arms(np.array([0.0]), np.array([16.0]), total=16.0), np.zeros(1))
    assert found == pytest.approx(np.sqrt(np.log(16) / 64))
    found = tuned_bound(Arms(np.array([1.0]), np.array([100.0]), total=float(np.e)), np.zeros(1))
    assert found == pytest.approx(0.01 + np.sqrt(0.01 * (0.0099 + np.sqrt(0.02))))
    assert after(TUNED_BOUND, [("a1", 1), ("b1", 0)]) == "a2"


def test_a_judgment_counts_for_every_run_that_returned_the_document() -> None:
    order = Bandit(material([["x", "a"], ["b", "x"], ["c"]]), MAX_MEAN)
    order.tell(3, 1)  # a b c x
    assert order.arms.relevant.tolist() == [1, 1, 0]
    assert order.arms.judged.tolist() == [1, 1, 0]


def test_draws_are_as_likely_as_they_should_be() -> None:
    """Of a 3 of 4 are relevant, Beta(4, 2), of b 0 of 1, Beta(1, 2), whose distribution function is 2x - x². The chance
    that a is drawn higher is E[2X - X²] = 2 · 4/6 - 4 · 5 / (6 · 7) = 6/7. 600 seeds: 4 standard errors are 0.057."""
    told: list[tuple[str, float]] = [("a1", 1), ("a2", 1), ("a3", 1), ("a4", 0), ("b1", 0)]
    asked = [after(THOMPSON, told, seed=seed) for seed in range(600)]
    assert asked.count("a5") / 600 == pytest.approx(6 / 7, abs=0.057)


def test_draws_change_from_one_document_to_the_next() -> None:
    """Nothing is known: two runs are equally likely each time."""
    lists = [[f"{run}{at}" for at in range(40)] for run in "ab"]
    order = Asking(bandit(THOMPSON), material(lists))
    runs = [document[0] for document in order.next(40)]
    assert 8 < runs.count("a") < 32  # of 40 draws with chance 1/2, 3.8 standard deviations


def test_lots_decide_between_equals() -> None:
    assert {after(MAX_MEAN, [], seed=seed) for seed in range(30)} == {"a1", "b1"}


def test_a_run_at_its_end_is_not_asked() -> None:
    order = Asking(bandit(MAX_MEAN), material([["a"], ["b1", "b2"]]))
    order.tell("a", 1)
    order.tell("b1", 0)
    assert order.next() == ["b2"]
