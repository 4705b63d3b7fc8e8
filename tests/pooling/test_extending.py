"""Building and extending: nothing lost, only what is new, and chances that stay right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.pool import BOTH, CERTAIN_STRATUM, OUTRIGHT, SAMPLED, Pool
from cranfield.data.strings import decode
from cranfield.pooling.by_budget import ReciprocalRank
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.depth import Depth
from cranfield.pooling.extending import EMPTY, extended
from cranfield.pooling.run_share import RunShare
from cranfield.pooling.sampling import RandomSample, StratifiedSample
from cranfield.pooling.strategy import Strategy
from tests.pooling.made_runs import RESULTS, noisy_runs, run_of

STRATEGIES: list[Strategy] = [
    Depth(2),
    RunShare(budget=2),
    ReciprocalRank(budget=2),
    RandomSample(rate=0.4),
    StratifiedSample(((1, 1.0), (4, 0.5))),
]


def rows(pool: Pool) -> dict[tuple[str, str], tuple[bool, int, int, float]]:
    """Of each document: to be judged?, method, stratum, chance."""
    stratum = np.zeros(len(pool.topic)) if pool.stratum is None else pool.stratum
    chance = np.ones(len(pool.topic)) if pool.probability is None else pool.probability
    return {
        (pool.topics[topic], decode(document)): (bool(chosen), int(method), int(band), float(share))
        for topic, document, chosen, method, band, share in zip(
            pool.topic, pool.documents.tolist(), pool.chosen, pool.method, stratum, chance, strict=True
        )
    }


@given(st.lists(st.tuples(RESULTS, st.sampled_from(STRATEGIES), st.integers(0, 3)), min_size=1, max_size=4))
def test_whatever_is_added(steps: list[tuple[dict[str, dict[str, float]], Strategy, int]]) -> None:
    pool = EMPTY
    for number, (results, strategy, seed) in enumerate(steps):
        old, candidates = pool, Candidates.of([cf.Run.from_dict(results)], strategy.reading_depth)
        pool = extended(old, candidates, strategy, seed=seed, recipe={"number": number}).checked()
        assert [each["number"] for each in pool.recipe] == list(range(number + 1))
        before, after = rows(old), rows(pool)
        assert before.keys() <= after.keys()
        assert all(after[key][0] for key in before if before[key][0])
        for topic in old.topics:  # what was to be judged stands first, as it was
            assert pool[topic][: len(old[topic])] == old[topic]
        for (topic, document), (chosen, method, stratum, chance) in after.items():
            if method != SAMPLED:
                assert (chosen, chance) == (True, 1.0)
                continue
            alike = [each[0] for (t, _), each in after.items() if (t, each[1], each[2]) == (topic, SAMPLED, stratum)]
            assert chance == pytest.approx(sum(alike) / len(alike)), document
            assert stratum != CERTAIN_STRATUM
        assert list(pool.topic) == sorted(pool.topic)
        assert (pool.round <= number).all()


def test_a_document_that_had_its_chance_is_not_drawn_again() -> None:
    documents = [f"d{number}" for number in range(20)]
    first = Candidates.of([run_of({"q": documents}, "one")])
    pool = extended(EMPTY, first, RandomSample(budget=5))
    again = extended(pool, first, RandomSample(budget=5), seed=99)
    assert rows(again) == rows(pool)
    more = Candidates.of([run_of({"q": [*documents[10:], "new-1", "new-2", "new-3", "new-4"]}, "two")])
    later = extended(pool, more, RandomSample(budget=2), seed=99)
    assert {key: value for key, value in rows(later).items() if "new" not in key[1]} == rows(pool)
    new = [value for key, value in rows(later).items() if "new" in key[1]]
    assert sorted(new) == [(False, SAMPLED, 2, 0.5)] * 2 + [(True, SAMPLED, 2, 0.5)] * 2


def test_what_is_settled_leaves_its_stratum() -> None:
    pool = extended(EMPTY, Candidates.of([run_of({"q": list("abcdefgh")}, "one")]), RandomSample(budget=4))
    drawn = next(document for (_, document), row in rows(pool).items() if row[0])
    undrawn = next(document for (_, document), row in rows(pool).items() if not row[0])
    later = extended(pool, Candidates.of([run_of({"q": [drawn, undrawn]}, "two")]), Depth(2))
    after = rows(later)
    assert after["q", drawn] == (True, BOTH, CERTAIN_STRATUM, 1.0)
    assert after["q", undrawn] == (True, OUTRIGHT, CERTAIN_STRATUM, 1.0)
    others = [row for (_, document), row in after.items() if document not in (drawn, undrawn)]
    assert sorted(others) == [(False, SAMPLED, 1, 0.5)] * 3 + [(True, SAMPLED, 1, 0.5)] * 3  # 3 of the 6 others
    assert later.round[later.documents.tolist().index(undrawn.encode())] == 1
    assert later.round[later.documents.tolist().index(drawn.encode())] == 0


def test_one_more_is_drawn_where_none_is_left() -> None:
    pool = extended(EMPTY, Candidates.of([run_of({"q": list("abcde")}, "one")]), RandomSample(budget=1))
    (drawn,) = pool["q"]
    later = extended(pool, Candidates.of([run_of({"q": [drawn]}, "two")]), Depth(1))
    others = [row for (_, document), row in rows(later).items() if document != drawn]
    assert sorted(others) == [(False, SAMPLED, 1, 0.25)] * 3 + [(True, SAMPLED, 1, 0.25)]


def test_added_documents_come_before_lots_are_drawn() -> None:
    added = Pool.from_dict({"q": ["c", "by-hand"], "other": ["x"]})
    candidates = Candidates.of([run_of({"q": list("abcdef")}, "one")])
    pool = extended(EMPTY, candidates, RandomSample(budget=2), added=[added], keep_order=True)
    after = rows(pool)
    for topic, document in (("q", "c"), ("q", "by-hand"), ("other", "x")):
        assert after[topic, document] == (True, OUTRIGHT, CERTAIN_STRATUM, 1.0)
    assert sorted(row[3] for key, row in after.items() if key[0] == "q") == [0.4] * 5 + [1.0] * 2
    assert set(pool["q"][:2]) == {"c", "by-hand"}


def test_only_added_documents() -> None:
    pool = extended(EMPTY, Candidates.of([]), Depth(), added=[Pool.from_dict({"q": ["b", "a"]})], keep_order=True)
    assert pool.to_judge() == {"q": ["a", "b"]}
    assert not pool.is_sample


def test_a_pool_without_a_recipe_can_be_extended() -> None:
    pool = extended(Pool.from_dict({"q": ["z", "y"]}), Candidates.of([run_of({"q": ["a"]}, "one")]), Depth(1))
    assert pool["q"] == ["z", "y", "a"]
    assert pool.round.tolist() == [0, 0, 1]


def test_hashes_stay_with_the_pool() -> None:
    empty = replace(EMPTY, collection_sha256="c" * 64, topics_sha256="t" * 64)
    pool = extended(empty, Candidates.of([run_of({"q": ["a"]}, "one")]), Depth(1))
    assert (pool.collection_sha256, pool.topics_sha256) == ("c" * 64, "t" * 64)


def error_of_total(pool: Pool, worth: dict[str, float]) -> float:
    """What Horvitz and Thompson estimate from those drawn, less what all documents of the pool are worth."""
    assert pool.probability is not None
    value = np.array([worth[decode(document)] for document in pool.documents.tolist()])
    return float((value * pool.chosen / pool.probability).sum() - value.sum())


SECOND = ["d3", "d17", "d8", "d0", "d12", "d4", "d18", "d19"]
WORTH = {f"d{number}": 5.0 if f"d{number}" in SECOND else 1.0 for number in range(20)}
"""What the later run finds is worth most, so that estimates go wrong if it is taken for a draw."""


@pytest.mark.parametrize(
    "later",
    [Depth(3), ReciprocalRank(budget=2), RunShare(budget=2), StratifiedSample(((2, 1.0), (5, 0.4)))],
    ids=lambda strategy: strategy.name,
)
def test_totals_are_unbiased_before_and_after_an_extension(later: Strategy) -> None:
    """The mean error of 600 estimates is within 4 of its standard errors of 0, which holds in 99.99 % of cases.

    One document of each band is drawn at first, so that the extension often leaves a band with none.
    """
    first = Candidates.of([run_of({"q": [f"d{number}" for number in range(15)]}, "one")])
    second = Candidates.of([run_of({"q": SECOND}, "two")])
    errors = []
    for seed in range(600):
        pool = extended(EMPTY, first, StratifiedSample(((5, 0.2), (15, 0.1))), seed=seed)
        errors.append([error_of_total(each, WORTH) for each in (pool, extended(pool, second, later, seed=seed))])
    mean, spread = np.mean(errors, axis=0), np.std(errors, axis=0, ddof=1)
    assert (spread > 1).all()
    assert (np.abs(mean) < 4 * spread / np.sqrt(600)).all()


def test_the_order_is_random_and_follows_from_the_seed() -> None:
    runs, _ = noisy_runs(runs=3, topics=2, documents=50, depth=20, seed=1)
    candidates = Candidates.of(runs)
    one, same, other = (extended(EMPTY, candidates, Depth(20), seed=seed) for seed in (1, 1, 2))
    assert one.to_judge() == same.to_judge()
    assert one["t0"] != other["t0"]
    assert sorted(one["t0"]) == sorted(other["t0"])
    assert one["t0"] != sorted(one["t0"])
    alone = extended(EMPTY, candidates.among([b"t1"]), Depth(20), seed=1)
    assert alone["t1"] == one["t1"]


def test_the_order_of_the_strategy_is_kept_where_that_is_wanted() -> None:
    runs = [run_of({"q": list("abcd")}, "one"), run_of({"q": list("bxyz")}, "two")]
    pool = extended(EMPTY, Candidates.of(runs), ReciprocalRank(budget=3, k=0), keep_order=True)
    assert pool["q"][:2] == ["b", "a"]  # 1/2 + 1/1 and 1/1
