"""How far runs are judged, and what each alone brought in."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.pool import Pool
from cranfield.errors import CoverageError, DataError, ParameterError, UsageError
from cranfield.pooling.building import build_pool
from cranfield.pooling.depth import Depth
from cranfield.pooling.missing.statistics import pool_statistics
from tests.pooling.made_runs import RESULTS, run_of

ONE = run_of({"q1": ["a", "b", "c", "d"], "q2": ["m", "n"]}, "one")
TWO = run_of({"q1": ["x", "a", "b", "e"], "q2": ["n", "y"]}, "two")
QRELS = cf.Qrels.from_dict({"q1": {"a": 1, "b": 0, "x": 2, "far": 1, "open": -1}, "q2": {"m": 0, "n": 0}})


def test_by_hand() -> None:
    found = pool_statistics(QRELS, [ONE, TWO], depth=2, cutoffs=[1, 2, 4])
    one, two = found.runs
    # one: a, a b, a b (c d not judged) for q1, m, m n for q2; two: x, x a, x a b (e not) for q1, n, n (y not) for q2.
    assert one.judged == pytest.approx((1.0, 1.0, (2 / 4 + 1) / 2))
    assert two.judged == pytest.approx((1.0, (1 + 1 / 2) / 2, (3 / 4 + 1 / 2) / 2))
    # Of what is judged there, one has a relevant (a) at 1, 2 and 4; two has x at 1, x and a at 2 and 4.
    assert one.relevant == (0.5, 0.25, 0.25)
    assert two.relevant == pytest.approx((0.5, 2 / 3, 0.5))
    # In the first 2 only one has b and m, only two has x and y.
    assert (one.documents, one.unique, one.unique_judged, one.unique_relevant) == (4, 2, 2, 0)
    assert (two.documents, two.unique, two.unique_judged, two.unique_relevant) == (4, 2, 1, 1)
    # Both have a and n of a b m n x y.
    assert one.overlap == two.overlap == pytest.approx(2 / 6)
    assert [topic[1:] for topic in found.topics] == [(3, 3, 4, 3), (3, 2, 2, 0)]
    assert [topic.topic for topic in found.few_relevant] == ["q2", "q1"]
    assert found.totals == {
        "runs": 2, "topics": 2, "pool": 6, "judged_of_pool": 5, "judged": 6, "relevant": 3,
        "judged_in_no_run": 1, "judged_depth": 1,
    }  # fmt: skip


def test_ranks_by_hand() -> None:
    first, second, rest = pool_statistics(QRELS, [ONE, TWO], depth=2, cutoffs=[1, 2, 4]).ranks
    # Rank 1: a m x n, of which a and x are relevant. Rank 2: b n a y, new are b and y.
    assert first == (1, 1, 4, 1.0, 0.5, 4, 4, 2)
    assert tuple(second) == pytest.approx((2, 2, 4, 0.75, 1 / 3, 2, 1, 0))
    # Ranks 3 and 4: c d b e, new are c d e.
    assert rest == (3, 4, 4, 0.25, 0.0, 3, 0, 0)


def test_with_the_pool_that_was_judged() -> None:
    pool = Pool.from_dict({"q1": ["a", "x", "by hand"], "q2": ["n"]})
    found = pool_statistics(QRELS, [ONE, TWO], pool=pool, depth=2)
    assert [run.unique for run in found.runs] == [0, 1]  # b, m and y were not in the pool
    assert [topic[1:3] for topic in found.topics] == [(3, 2), (1, 1)]
    assert "1 of the documents to judge have no judgment yet" in found.notes


def test_one_run_is_said_to_be_alone() -> None:
    found = pool_statistics(QRELS, [ONE], depth=2)
    assert found.runs[0].unique == 4
    assert math.isnan(found.runs[0].overlap)
    assert any(note.startswith("with one run, all it has is its own") for note in found.notes)
    assert found.to_dict()["runs"][0]["overlap"] is None


@given(st.lists(RESULTS, min_size=1, max_size=4), st.integers(1, 6))
@settings(max_examples=25)
def test_unique_documents_are_those_one_pool_less_has(results: list[dict[str, dict[str, float]]], depth: int) -> None:
    # Oracle: pools with and without each run, made by `build_pool`.
    runs = [cf.Run.from_dict({"1": {"doc-0": 0}, **result}, name=f"r{at}") for at, result in enumerate(results)]
    everything = cf.Qrels.from_dict({topic: {f"doc-{n}": n % 2 for n in range(9)} for topic in ("1", "2", "10")})
    found = pool_statistics(everything, runs, depth=depth, cutoffs=[depth])
    whole = build_pool(runs, Depth(depth)).pool
    assert found.totals["pool"] == len(whole)
    for at, run in enumerate(found.runs):
        others = [other for number, other in enumerate(runs) if number != at]
        assert run.unique == len(whole) - (len(build_pool(others, Depth(depth)).pool) if others else 0)
        assert run.judged == (1.0,)
    assert np.allclose(found.overlap, found.overlap.T)


def test_judged_shares_are_those_of_an_evaluation() -> None:
    # Oracle: the coverage of `evaluate`.
    runs = [ONE, TWO]
    expected = [run.coverage.judged_at_10 for run in cf.evaluate(QRELS, runs, "P@10").values()]
    assert [run.judged[-1] for run in pool_statistics(QRELS, runs, cutoffs=[10]).runs] == expected


def test_what_does_not_meet_is_said_or_refused() -> None:
    more = run_of({"q1": ["a"], "q7": ["b"]}, "more")
    assert pool_statistics(QRELS, [ONE, more]).notes[1:] == ("left out: 1 topic of the runs without a judgment: q7",)
    assert "left out: 1 judged topic that no run has: q2" in pool_statistics(QRELS, [more]).notes
    with pytest.raises(CoverageError, match=r"strange: none of its 1 topics \(Q\) is judged in qrels \(q1, q2\)"):
        pool_statistics(QRELS, [ONE, run_of({"Q": ["a"]}, "strange")])
    with pytest.raises(CoverageError, match=r"other: none of its 1 topics \(q2\) is a judged topic of any other run"):
        pool_statistics(
            QRELS, [run_of({"q1": ["a"]}, "first"), run_of({"q1": ["b"]}, "b"), run_of({"q2": ["m"]}, "other")]
        )
    with pytest.raises(UsageError, match="there is no run"):
        pool_statistics(QRELS, [])
    with pytest.raises(ParameterError, match="rank"):
        pool_statistics(QRELS, [ONE], cutoffs=[0])
    twice = cf.Qrels.from_tuples([("q1", "ann", "a", 1), ("q1", "bob", "a", 0)])
    with pytest.raises(DataError, match="judged more than once"):
        pool_statistics(twice, [ONE])
