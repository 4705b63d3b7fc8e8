"""What judging costs."""

from __future__ import annotations

import math

import pytest

import cranfield as cf
from cranfield.errors import CoverageError, CranfieldError, DataError, UsageError
from cranfield.pooling.building import build_pool
from cranfield.pooling.depth import Depth
from cranfield.pooling.missing.cost import Rate, judging_cost
from cranfield.stats.planning.topic_set_size import pilot_variance, topics_for_interval
from tests.pooling.made_runs import noisy_runs, run_of

ONE = run_of({"q1": ["a", "b", "c"], "q2": ["m", "n"]}, "one")
TWO = run_of({"q1": ["x", "a", "b"], "q2": ["n", "y"]}, "two")


def test_depths_are_pools() -> None:
    # Oracle: `build_pool`.
    runs, _ = noisy_runs(runs=4, topics=3, documents=40, depth=15, seed=1)
    found = judging_cost(runs, depths=[10, 3])
    assert [cost.documents for cost in found.depths] == [len(build_pool(runs, Depth(depth)).pool) for depth in (3, 10)]
    assert found.depths[0].hours is None
    assert found.exhaustive is None


def test_by_hand() -> None:
    qrels = cf.Qrels.from_dict({"q1": {"a": 1, "far": 0, "b": -1}})
    rate = Rate(per_hour=10, wage=30, assessors=2)
    found = judging_cost([ONE, TWO], depths=[1, 2], qrels=qrels, documents=50, rate=rate)
    # Depth 1: a x m n, a is judged. Depth 2: and b y. Two assessors, ten documents an hour, 30 for each.
    assert found.depths[0] == ("depth 1", 2, 2.0, 4, 1, 3, 0.6, 18.0)
    assert found.depths[1][3:] == (6, 1, 5, 1.0, 30.0)
    assert found.exhaustive == ("everything", 2, 50.0, 100, 2, 98, 19.6, 588.0)
    assert found.notes == ("without a judgment: 1 topic of the runs: q2",)


def test_an_interval_takes_topics() -> None:
    # Oracle: `topics_for_interval`, whose figures have oracles of their own, times the documents of a topic.
    found = judging_cost([ONE, TWO], depths=[2], width=0.1, sd=0.2)
    topics = topics_for_interval(0.1, 0.2).topics
    assert topics is not None
    (width,) = found.widths
    assert (width.measure, width.topics, width.documents) == (None, topics, topics * 3)
    (never,) = judging_cost([ONE, TWO], depths=[2], width=0.1, sd=0).widths
    assert (never.topics, never.documents) == (None, None)
    assert never.why_not


@pytest.mark.parametrize("of", ["difference", "mean"])
def test_a_pilot_says_how_much_scores_vary(of: str) -> None:
    runs, worth = noisy_runs(runs=3, topics=12, documents=40, depth=15, seed=1)
    qrels = {f"t{t}": {f"d{at}": int(w > 1) for at, w in enumerate(row)} for t, row in enumerate(worth)}
    (width,) = judging_cost(runs, depths=[5], qrels=cf.Qrels.from_dict(qrels), width=0.1, of=of, measures="AP").widths
    scores = {name: list(run["AP"].values()) for name, run in cf.evaluate(qrels, runs, "AP").items()}
    seen = pilot_variance(scores)
    assert width.sd == pytest.approx(seen.difference_sd if of == "difference" else seen.scores_sd)
    assert not math.isnan(width.sd)


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"rate": Rate(wage=3)}, UsageError, "--wage needs --per-hour"),
        ({"rate": Rate(per_hour=0)}, UsageError, "--per-hour 0: expected a number above 0"),
        ({"documents": 1}, DataError, r"1 documents \(--documents\) for each of 2 topics"),
        ({"width": 0.1}, UsageError, "Give --sd, or judgments of a pilot"),
        ({"depths": [0]}, UsageError, "depth"),
        ({"qrels": cf.Qrels.from_dict({"Q": {"a": 1}})}, CoverageError, "has none of the 2 topics of the runs"),
    ],
)
def test_what_is_refused(options: dict[str, object], kind: type[CranfieldError], message: str) -> None:
    with pytest.raises(kind, match=message):
        judging_cost([ONE, TWO], **{"depths": [2], **options})  # type: ignore[arg-type]


def test_one_run_is_no_pilot() -> None:
    with pytest.raises(UsageError, match="one run says nothing about how much runs differ"):
        judging_cost([ONE], depths=[1], qrels=cf.Qrels.from_dict({"q1": {"a": 1}}), width=0.1)
