"""Replayed orders of judging against counting by hand and in plain Python."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import CoverageError, UsageError
from cranfield.pooling.orders.material import TopicTexts
from cranfield.pooling.simulation import simulate_orders
from cranfield.pooling.term_matrix import TermMatrix
from tests.pooling.made_runs import noisy_runs, run_of

QRELS = {"q1": {"a": 1, "b": 0, "c": 2, "z": 1}, "q2": {"d": 1, "e": 0}}
RUNS = [
    run_of({"q1": ["a", "b", "c"], "q2": ["e", "d"]}, "one"),
    run_of({"q1": ["c", "x"], "q2": ["e"]}, "two"),
]


def test_by_hand() -> None:
    """RRF: for q1 c has 1/63 + 1/61, a 1/61, then b and x 1/62; for q2 e has 2/61 and d 1/62. z is in no run."""
    found = simulate_orders(QRELS, RUNS, ["rrf"], budgets=[1, 2, 4], seeds=1)
    assert found.judgments.tolist() == [2, 4, 6]
    assert found.relevant.tolist() == [[[1, 3, 3]]]  # c; c, a and d; no more
    assert found.unjudged.tolist() == [[[0, 0, 1]]]  # x
    assert (found.all_relevant, found.reachable, found.topics) == (4, 3, 2)
    assert found.found.tolist() == [[[1, 3, 3, 3]]]
    assert found.share(np.array([3])).tolist() == [0.75]
    assert "1 of the 6 documents that can be asked for have no judgment: they count as not relevant" in found.notes


def test_systems_by_hand() -> None:
    """AP with all: one has q1 (1/1 + 2/3) / 3, q2 (1/2) / 1, 0.528 in the mean; two has q1 (1/1) / 3, q2 0, 0.167.
    After c and e two is better, (1/3 against 1/1) / 1 in q1 and 0 in q2: tau -1. After all: as with all, for z is in
    no run: what it takes from both does not change their order."""
    found = simulate_orders(QRELS, RUNS, ["rrf"], budgets=[1, 4], seeds=1)
    assert found.tau.tolist() == [[[-1.0, 1.0]]]
    assert found.tau_ap.tolist() == [[[-1.0, 1.0]]]


def test_only_what_is_judged_can_be_asked_for() -> None:
    found = simulate_orders(QRELS, RUNS, ["rrf"], seeds=1, judged_only=True)
    assert found.budgets.tolist() == [1, 2, 3]
    assert found.judgments.tolist() == [2, 4, 5]
    assert found.unjudged.max() == 0
    assert not any("no judgment" in note for note in found.notes)


def test_a_negative_grade_is_no_judgment() -> None:
    qrels = {**QRELS, "q1": {**QRELS["q1"], "x": -1}}
    assert simulate_orders(qrels, RUNS, ["rrf"], budgets=[4], seeds=1).unjudged.tolist() == [[[1]]]


def test_the_level_of_relevance() -> None:
    """From grade 2 on only c is relevant."""
    found = simulate_orders(QRELS, RUNS, ["rrf"], budgets=[1, 4], seeds=1, level=2)
    assert found.relevant.tolist() == [[[1, 1]]]
    assert found.all_relevant == 1


def tau_by_pairs(truth: list[float], estimate: list[float]) -> float:
    """Of each two: 1 if in the same order, -1 if in the other, 0 if tied."""
    pairs = list(itertools.combinations(zip(truth, estimate, strict=True), 2))

    def sign(difference: float) -> int:
        return 0 if abs(difference) < 1e-9 else int(math.copysign(1, difference))

    return sum(sign(a[0] - b[0]) * sign(a[1] - b[1]) for a, b in pairs) / len(pairs)


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from([f"d{n}" for n in range(8)]), unique=True, min_size=1), min_size=2, max_size=4),
    st.dictionaries(st.sampled_from([f"d{n}" for n in range(10)]), st.integers(0, 2), min_size=1),
    st.sampled_from(["P@3", "AP", "nDCG"]),
)
def test_against_evaluating_with_fewer_judgments(lists: list[list[str]], grades: dict[str, int], measure: str) -> None:
    """By depth, with the documents of equal depth put in order by judging depth by depth: totals at whole depths."""
    runs = [run_of({"q": each, "r": ["y"]}, f"run-{number}") for number, each in enumerate(lists)]
    # The second topic keeps an evaluation possible where nothing of the first is judged yet.
    qrels = {"q": grades, "r": {"y": 1}}
    pooled = [{d for each in lists for d in each[:depth]} for depth in range(1, 9)]
    sizes = [len(pool) for pool in pooled]
    found = simulate_orders(qrels, runs, ["depth"], budgets=sizes, seeds=2, measure=measure)
    truth = [cf.evaluate(qrels, run, [measure]).mean[measure] for run in runs]
    for pool, size in zip(pooled, sizes, strict=True):
        column = found.budgets.tolist().index(min(size, int(found.budgets[-1])))
        known = {document: grade for document, grade in grades.items() if document in pool}
        relevant = sum(grade > 0 for grade in known.values()) + 1
        assert found.relevant[0, :, column].tolist() == [relevant] * 2
        assert found.unjudged[0, :, column].tolist() == [len(pool) - len(known)] * 2
        # A topic of which nothing is known counts as 0 for every run.
        partial = {"q": known or {"elsewhere": 0}, "r": {"y": 1}}
        scores = [cf.evaluate(partial, run, [measure]).mean[measure] for run in runs]
        assert found.tau[0, :, column] == pytest.approx([tau_by_pairs(truth, scores)] * 2)


def test_learning_orders_find_more_than_chance() -> None:
    runs, worth = noisy_runs(runs=6, topics=3, documents=200, depth=60, seed=3)
    grades = {f"t{t}": {f"d{at}": int(value > 1) for at, value in enumerate(row)} for t, row in enumerate(worth)}
    found = simulate_orders(grades, runs, budgets=[20], seeds=2)
    share = dict(zip(found.orders, found.relevant.mean(axis=(1, 2)).tolist(), strict=True))
    assert len(share) == 14
    assert all(value > share["random"] for order, value in share.items() if order != "random")


def test_texts_for_active_learning() -> None:
    documents = {"a": "soup", "b": "engine", "c": "soup bowl", "d": "soup", "e": "engine", "x": "wheel"}
    terms = TermMatrix.of(documents)

    def texts(topic: str, names: list[str]) -> TopicTexts:
        return terms.of_topic(names, "soup")

    found = simulate_orders(QRELS, RUNS, budgets=[1, 2], seeds=1, texts=texts)  # type: ignore[arg-type]
    assert "active" in found.orders
    assert found.relevant[found.orders.index("active")].tolist() == [[2, 3]]  # a and d, or c and d; then all three


def test_one_system_has_no_order() -> None:
    found = simulate_orders(QRELS, RUNS[:1], ["depth"], budgets=[1], seeds=1)
    assert np.isnan(found.tau).all()
    assert "tau needs two systems or more" in found.notes


def test_a_measure_of_which_less_is_better() -> None:
    """What is missed is 1 - recall: the same order of systems, best first, which AP correlation looks at."""
    runs, worth = noisy_runs(runs=5, topics=3, documents=60, depth=12, seed=1)
    grades = {f"t{t}": {f"d{at}": int(value > 1) for at, value in enumerate(row)} for t, row in enumerate(worth)}
    more, less = (simulate_orders(grades, runs, ["depth"], seeds=1, measure=each) for each in ("SetR", "SetFNR"))
    assert len(set(more.tau_ap.ravel().tolist())) > 2
    assert less.tau_ap == pytest.approx(more.tau_ap)


def test_seeds_go_on_from_the_first() -> None:
    found = simulate_orders(QRELS, RUNS, ["random"], seeds=3, seed=4)
    alone = simulate_orders(QRELS, RUNS, ["random"], seeds=1, seed=6)
    assert found.seeds == (4, 5, 6)
    assert found.relevant[0, 2].tolist() == alone.relevant[0, 0].tolist()


def test_what_cannot_be_replayed() -> None:
    with pytest.raises(UsageError, match="a budget of 0: expected 1 judgment"):
        simulate_orders(QRELS, RUNS, ["depth"], budgets=[5, 0])
    with pytest.raises(UsageError, match="0 seeds"):
        simulate_orders(QRELS, RUNS, ["depth"], seeds=0)
    with pytest.raises(UsageError, match="there is no order 'deep'"):
        simulate_orders(QRELS, RUNS, ["deep"])
    with pytest.raises(CoverageError, match="none of its 1 topics"):
        simulate_orders({"other": {"a": 1}}, [run_of({"q1": ["a"]}, "one")], ["depth"])
