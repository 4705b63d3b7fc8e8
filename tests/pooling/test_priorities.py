"""What runs together say of documents: against fusion, by hand, and whatever the order of the runs."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.strings import decode
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.priorities import by_priority, rbp_priority, rrf_priority
from tests.pooling.made_runs import RESULTS, noisy_runs, run_of


def test_rrf_is_what_fusion_makes_of_the_runs() -> None:
    """`fuse` has ranx 0.3.21 for its oracle."""
    runs, _ = noisy_runs(runs=5, topics=3, documents=60, depth=20, seed=2)
    candidates, fused = Candidates.of(runs), cf.fuse(runs, "RRF(k=60)").to_dict()
    found: dict[str, dict[str, float]] = {}
    for document, topic, value in zip(
        candidates.documents.tolist(), candidates.topic.tolist(), rrf_priority(candidates), strict=True
    ):
        found.setdefault(candidates.topics[topic], {})[decode(document)] = value
    assert found.keys() == fused.keys()
    for topic in fused:
        assert found[topic] == pytest.approx(fused[topic])


def test_rbp_by_hand() -> None:
    runs = [run_of({"q": ["a", "b", "c"]}, "one"), run_of({"q": ["c", "a"]}, "two")]
    # 0.2 (1 + 0.8), 0.2 · 0.8, 0.2 (0.64 + 1)
    assert rbp_priority(Candidates.of(runs), p=0.8) == pytest.approx([0.36, 0.16, 0.328])


@given(st.lists(RESULTS, min_size=2, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_runs_changes_not_a_bit(results: list[dict[str, dict[str, float]]], luck: random.Random) -> None:
    runs = [cf.Run.from_dict(each) for each in results]
    shuffled = luck.sample(runs, len(runs))
    one, other = Candidates.of(runs), Candidates.of(shuffled)
    for priority in (rrf_priority, rbp_priority):
        assert priority(one).tolist() == priority(other).tolist()


def test_lots_decide_between_equals() -> None:
    candidates = Candidates.of([run_of({"q": [name]}, name) for name in "abcdefgh"])
    orders = {tuple(by_priority(candidates, rrf_priority(candidates), seed).tolist()) for seed in range(20)}
    assert len(orders) > 10
