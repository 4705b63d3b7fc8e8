"""Each way to choose documents, against a few lines of plain Python and by hand."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.strings import decode
from cranfield.errors import ParameterError
from cranfield.pooling.by_budget import RankBiased, ReciprocalRank
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.depth import Depth
from cranfield.pooling.run_share import RunShare, turns
from cranfield.pooling.sampling import RandomSample, StratifiedSample
from cranfield.pooling.strategies import STRATEGIES
from cranfield.pooling.strategy import Strategy
from tests.pooling.made_runs import RESULTS, noisy_runs, run_of


def chosen(strategy: Strategy, runs: list[cf.Run], known: set[str] = frozenset(), seed: int = 0) -> dict[str, set[str]]:  # type: ignore[assignment]
    """The chosen documents of each topic; `known` are in the pool already."""
    candidates = Candidates.of(runs, strategy.reading_depth)
    new = np.array([decode(each) not in known for each in candidates.documents.tolist()], dtype=np.bool_)
    choice = strategy.choose(candidates, new, seed)
    found: dict[str, set[str]] = {topic: set() for topic in candidates.topics}
    for at in np.flatnonzero(choice.chosen).tolist():
        found[candidates.topics[candidates.topic[at]]].add(decode(candidates.documents[at]))
    return found


@given(st.lists(RESULTS, min_size=1, max_size=4), st.integers(1, 5))
def test_depth_takes_the_first_of_every_run(results: list[dict[str, dict[str, float]]], depth: int) -> None:
    runs = [cf.Run.from_dict(each) for each in results]
    expected: dict[str, set[str]] = {}
    for run in runs:
        for topic in run:
            expected.setdefault(topic, set()).update(list(run[topic])[:depth])
    assert chosen(Depth(depth), runs) == expected


@pytest.mark.parametrize("strategy", [ReciprocalRank(budget=2), RankBiased(budget=2), RunShare(budget=2)])
def test_a_budget_is_of_new_documents_and_what_is_passed_is_named(strategy: Strategy) -> None:
    runs = [run_of({"q": ["a", "b", "c", "d"]}, "one")]
    assert chosen(strategy, runs) == {"q": {"a", "b"}}
    # b is in the pool: a and c are new, b is passed on the way; d is not reached
    assert chosen(strategy, runs, known={"b"}) == {"q": {"a", "b", "c"}}
    assert chosen(strategy, runs, known={"a", "b", "c", "d"}) == {"q": {"a", "b", "c", "d"}}


def test_rrf_and_rbp_prefer_otherwise() -> None:
    """p = 0.8 gives one first place 0.2, two of rank 9 2 · 0.2 · 0.8^8 = 0.067; RRF 1/61 and 2/69."""
    lists = [["x", *(f"a{n}" for n in range(7)), "both"], ["y", *(f"b{n}" for n in range(7)), "both"]]
    runs = [run_of({"q": each}, name) for name, each in zip(("one", "two"), lists, strict=True)]
    assert chosen(ReciprocalRank(budget=1), runs) == {"q": {"both"}}
    assert chosen(RankBiased(budget=2), runs) == {"q": {"x", "y"}}


@given(st.lists(RESULTS, min_size=1, max_size=4), st.integers(1, 9))
def test_runs_contribute_evenly(results: list[dict[str, dict[str, float]]], budget: int) -> None:
    """The budget is used up where there is enough, and no run is left out of a turn."""
    runs = [cf.Run.from_dict(each, name=f"run-{number}") for number, each in enumerate(results)]
    candidates = Candidates.of(runs)
    found = chosen(RunShare(budget=budget), runs)
    for number, topic in enumerate(candidates.topics):
        order = list(turns(candidates, number, seed=0))
        size = int(np.diff(candidates.offset)[number])
        assert sorted(order) == list(range(size))
        assert len(found[topic]) == min(budget, size)
    # with as many turns as runs, every first document is in, whoever began
    if budget >= len(runs):
        for run in runs:
            for topic in run:
                assert next(iter(run[topic])) in found[topic]


def test_a_long_list_of_one_run_does_not_crowd_out_the_others() -> None:
    many = run_of({"q": [f"m{number}" for number in range(100)]}, "many")
    few = run_of({"q": ["a", "b", "c"]}, "few")
    found = chosen(RunShare(budget=6), [many, few])["q"]
    assert found == {"m0", "m1", "m2", "a", "b", "c"}
    assert len(chosen(RunShare(budget=20), [many, few])["q"]) == 20


def test_bands_are_by_best_rank_and_drawn_to_size() -> None:
    runs, _ = noisy_runs(runs=5, topics=3, documents=300, depth=100, seed=1)
    candidates = Candidates.of(runs)
    strategy = StratifiedSample.parse("5:1.0,20:0.5,60:0.1")
    choice = strategy.choose(candidates, np.ones(len(candidates), dtype=bool), seed=3)
    assert choice.stratum is not None
    for topic in range(3):
        rows = candidates.documents_of(topic)
        best, stratum, drawn = candidates.best_rank[rows], choice.stratum[rows], choice.chosen[rows]
        for code, (low, high, rate) in enumerate([(1, 5, 1.0), (6, 20, 0.5), (21, 60, 0.1)], 1):
            inside = (best >= low) & (best <= high)
            assert (stratum[inside] == code).all()
            assert drawn[inside].sum() == max(1, int(rate * inside.sum() + 0.5))
        assert not drawn[best > 60].any()
        assert (stratum[best > 60] == 0).all()


def test_a_random_sample_by_rate_and_by_number() -> None:
    runs = [run_of({"q": [f"d{n}" for n in range(40)], "r": ["x"]}, "one")]
    assert {t: len(docs) for t, docs in chosen(RandomSample(rate=0.25), runs).items()} == {"q": 10, "r": 1}
    assert {t: len(docs) for t, docs in chosen(RandomSample(budget=7), runs).items()} == {"q": 7, "r": 1}
    assert chosen(RandomSample(budget=7), runs, seed=1) != chosen(RandomSample(budget=7), runs, seed=2)
    # a larger sample with the same seed has the smaller one in it
    assert chosen(RandomSample(budget=7), runs)["q"] < chosen(RandomSample(budget=20), runs)["q"]
    # only what the lists have among their first documents
    assert chosen(RandomSample(rate=1.0, depth=3), runs)["q"] == {"d0", "d1", "d2"}


@pytest.mark.parametrize(
    ("bands", "message"),
    [
        ("10:0", r"band 10:0: documents without any chance of being judged cannot be estimated"),
        ("10:1.5", r"band 10:1.5: expected a share above 0 and at most 1"),
        ("10:1.0,10:0.5", r"bands end at ranks that rise, from 1 on; found 10, 10"),
        ("0:1.0", r"bands end at ranks that rise, from 1 on; found 0"),
        ("ten:1.0", r"band 'ten:1.0': expected the deepest rank of the band and the share"),
        ("10", r"band '10': expected the deepest rank"),
    ],
)
def test_bands_that_cannot_be(bands: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        StratifiedSample.parse(bands)


@pytest.mark.parametrize("rate", [0.0, -1.0, 2.0])
def test_rates_that_cannot_be(rate: float) -> None:
    with pytest.raises(ParameterError, match=r"rate .*: (documents without any chance|expected a share)"):
        RandomSample(rate=rate)


def test_a_sample_needs_a_size() -> None:
    with pytest.raises(ParameterError, match="either a rate or a budget"):
        RandomSample()
    with pytest.raises(ParameterError, match="either a rate or a budget"):
        RandomSample(rate=0.5, budget=3)


EVERY: list[Strategy] = [
    Depth(2),
    RunShare(budget=3),
    ReciprocalRank(budget=3),
    RankBiased(budget=3),
    RandomSample(rate=0.5),
    StratifiedSample(((2, 1.0), (5, 0.5))),
]


def test_every_strategy_is_tried() -> None:
    assert {strategy.name for strategy in EVERY} == set(STRATEGIES)


@pytest.mark.parametrize("strategy", EVERY, ids=lambda strategy: strategy.name)
def test_the_order_of_runs_decides_nothing(strategy: Strategy) -> None:
    runs, _ = noisy_runs(runs=6, topics=3, documents=30, depth=10, seed=5)
    expected = chosen(strategy, runs, seed=4)
    assert all(documents for documents in expected.values())
    for seed in range(5):
        assert chosen(strategy, random.Random(seed).sample(runs, len(runs)), seed=4) == expected
