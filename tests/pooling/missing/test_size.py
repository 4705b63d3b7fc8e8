"""How many relevant documents there are."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield.data.pool import Pool
from cranfield.errors import UsageError
from cranfield.pooling.building import build_pool
from cranfield.pooling.depth import Depth
from cranfield.pooling.judged_pool import JudgedPool
from cranfield.pooling.missing.size import PoolSize, pool_size
from cranfield.pooling.missing.topic_estimates import TopicEstimates
from cranfield.pooling.sampling import StratifiedSample
from tests.pooling.made_runs import noisy_runs, run_of

HALF = run_of({"q1": list("abcdef"), "q2": list("mno")}, "half")
OTHER = run_of({"q1": list("cdefgh"), "q2": list("mxy")}, "other")
THIRD = run_of({"q1": list("aghij"), "q2": list("mz")}, "third")
QRELS = cf.Qrels.from_dict(
    {"q1": dict.fromkeys("abcdefghij", 1), "q2": {"m": 1, "n": 0, "x": 1, "o": 0, "y": 0, "z": 0}}
)


def by_method(found: PoolSize) -> dict[str, TopicEstimates]:
    return {each.method: each for each in found.estimates}


def test_two_runs_by_hand() -> None:
    found = by_method(pool_size(QRELS, [HALF, OTHER]))
    # q1: 6 and 6, of which 4 are the same: 7 · 7 / 5 - 1 = 8.8. q2: m, and m x: 2 · 3 / 2 - 1 = 2.
    topics = found["Chapman"].topics
    assert {topic: (one.seen, one.value) for topic, one in topics.items()} == {
        "q1": (8, pytest.approx(8.8)),
        "q2": (2, 2),
    }
    total = found["Chapman"].total
    assert total is not None
    assert total.value == pytest.approx(10.8)
    assert total.error == pytest.approx(np.hypot(topics["q1"].error, topics["q2"].error))
    lincoln = found["Lincoln-Petersen"].total
    assert lincoln is not None
    assert lincoln.value == pytest.approx(6 * 6 / 4 + 1 * 2 / 1)
    assert "runs find relevant documents independently" in found["Chapman"].assumed
    assert found["Chapman"].notes == (
        "12 relevant documents are known, which is more: the runs are not independent, or others found what these do not "
        "find",
    )  # fmt: skip


def test_several_runs_and_groups_by_hand() -> None:
    found = by_method(pool_size(QRELS, [HALF, OTHER, THIRD]))
    # q1: b i j by one, a c d e f g h by two: 10 + 2/3 · 3 · 2 / (2 · 8). q2: x by one, m by three: 2 + 2/3 · 1 · 0 / 2.
    total = found["Chao2"].total
    assert total is not None
    assert total.value == pytest.approx(10 + 2 / 3 * 3 * 2 / 16 + 2)
    assert "independently of each other, if not all equally easily" in found["Chao2"].assumed
    grouped = by_method(pool_size(QRELS, [HALF, OTHER, THIRD], groups=["rest=o", "rest=t"]))
    # q1: a-f and a c-j, of which a c d e f are the same: 7 · 10 / 6 - 1.
    assert grouped["Chapman"].topics["q1"].value == pytest.approx(70 / 6 - 1)


def test_depth_and_level() -> None:
    found = by_method(pool_size(QRELS, [HALF, OTHER], depth=2))
    # Of the first two: a b and c d in q1, m n and m x in q2.
    assert {topic: one.seen for topic, one in found["Chapman"].topics.items()} == {"q1": 4, "q2": 2}
    assert "the two have nothing in common" in str(found["Lincoln-Petersen"].total)
    none = by_method(pool_size(QRELS, [HALF, OTHER], level=3))
    assert none["capture-recapture"].why_not == "no relevant document is among the first 6 of any run"


def test_what_does_not_apply_says_why() -> None:
    found = by_method(pool_size(QRELS, [HALF]))
    assert str(found["capture-recapture"].why_not).startswith("one search says nothing about what it misses")
    assert str(found["sample"].why_not).startswith("the judgments are not a sample")
    assert found["curve"].why_not == "nothing is left to judge of what the runs returned so far down"
    few = cf.Qrels.from_dict({"q1": {"a": 1, "b": 0}})
    assert "fewer than 10 relevant documents" in str(by_method(pool_size(few, [HALF], depth=1))["curve"].why_not)
    assert "less than half" in str(by_method(pool_size(few, [HALF], depth=6))["curve"].why_not)
    ordered = build_pool([HALF, OTHER], Depth(3), keep_order=True).pool
    sample = by_method(pool_size(QRELS, pool=ordered))["sample"]
    assert sample.why_not == "the pool is not judged in random order, so that what is judged is no sample"
    with pytest.raises(UsageError, match="judgments alone say nothing about what is not judged"):
        pool_size(QRELS)


def world(seed: int, topics: int = 20) -> tuple[list[cf.Run], dict[str, dict[str, int]]]:
    """Runs, and judgments of everything."""
    runs, worth = noisy_runs(runs=6, topics=topics, documents=400, depth=100, seed=seed)
    grades = {f"t{t}": {f"d{at}": int(w > 1.4) for at, w in enumerate(row)} for t, row in enumerate(worth)}
    return runs, grades


def test_a_sample_stands_for_the_pool() -> None:
    runs, grades = world(1)
    pool = build_pool(runs, StratifiedSample.parse("5:1.0,100:0.3"), seed=2).pool
    whole = cf.Qrels.from_dict(grades)
    found = by_method(pool_size(whole, pool=pool))["sample"]
    # Oracle: all documents of the frame that are relevant.
    true = sum(
        grades[topic.decode()][document.decode()]
        for topic, document in zip(
            (pool.topic_ids[t] for t in pool.topic.tolist()), pool.documents.tolist(), strict=True
        )
    )
    assert found.total is not None
    assert found.total.interval is not None
    assert found.total.interval.lower < true < found.total.interval.upper
    # The same from the files that estimators read: strata give the same, prels the same number.
    judged = JudgedPool.of(pool, whole)
    strata = by_method(pool_size(judged.to_strata()))["sample"].total
    chances = by_method(pool_size(judged.to_prels()))["sample"].total
    assert strata == found.total
    assert chances is not None
    assert chances.value == pytest.approx(found.total.value)


def test_a_pool_that_is_judged_in_part_is_a_sample_and_a_curve() -> None:
    runs, grades = world(3)
    pool = build_pool(runs, Depth(50), seed=1).pool
    half = {topic: documents[: len(documents) // 2] for topic, documents in pool.to_judge().items()}
    qrels = cf.Qrels.from_dict({topic: {d: grades[topic][d] for d in documents} for topic, documents in half.items()})
    turn = {(topic, d): at for topic, documents in half.items() for at, d in enumerate(documents, 1)}
    names = zip(qrels.query.tolist(), qrels.documents.tolist(), strict=True)
    order = np.array([turn[qrels.queries[query], document.decode()] for query, document in names])
    found = by_method(pool_size(qrels, pool=pool, order=order))
    true = sum(grades[topic][d] for topic, documents in pool.to_judge().items() for d in documents)
    for method in ("sample", "curve"):
        total = found[method].total
        assert total is not None
        assert total.interval is not None
        assert total.interval.lower < true < total.interval.upper, method


def test_judging_that_has_only_begun() -> None:
    runs, grades = world(5, topics=6)
    pool = build_pool(runs, Depth(50), seed=1).pool
    first = pool["t1"]
    qrels = cf.Qrels.from_dict({"t1": {d: grades["t1"][d] for d in first}})
    order = np.array([first.index(document.decode()) + 1 for document in qrels.documents.tolist()])
    found = by_method(pool_size(qrels, pool=pool, order=order, resamples=20))
    # One topic says what it can about the others; of the sample they are left out, for nothing was drawn of them.
    assert found["curve"].total is not None
    assert found["curve"].topics["t0"].value > 0
    assert found["sample"].total is not None
    assert "5 of 6 topics have no estimate: nothing was drawn of a stratum" in str(found["sample"].total.undefined)


def test_a_pool_of_other_topics() -> None:
    with pytest.raises(cf.errors.CoverageError, match="has none of the 1 topics of the pool"):
        pool_size(QRELS, pool=Pool.from_dict({"Q": ["a"]}))


@pytest.mark.slow
def test_the_curve_holds_what_there_is_where_its_model_does() -> None:
    # Relevance that thins out as the model says: a logistic function of the logarithm of the support of the runs.
    from cranfield.pooling.candidates import Candidates
    from cranfield.pooling.missing.size import support
    from cranfield.stats.logistic import logistic

    held, trials = 0, 60
    for seed in range(trials):
        random = np.random.default_rng(seed)
        runs, _ = noisy_runs(runs=5, topics=25, documents=300, depth=100, seed=seed)
        candidates = Candidates.of(runs)
        easy = random.normal(scale=0.7, size=25)
        chance = logistic(0.5 + easy[candidates.topic] + 1.2 * np.log(support(candidates, 100)))
        relevant = random.uniform(size=len(candidates)) < chance
        rows = np.flatnonzero(candidates.best_rank <= 15)
        names = zip(candidates.topic[rows].tolist(), candidates.documents.take(rows).tolist(), strict=True)
        qrels = cf.Qrels.from_tuples(
            (candidates.topics[topic], document.decode(), int(grade))
            for (topic, document), grade in zip(names, relevant[rows].tolist(), strict=True)
        )
        total = by_method(pool_size(qrels, runs, depth=15, resamples=200))["curve"].total
        assert total is not None
        assert total.interval is not None
        held += total.interval.lower <= relevant.sum() <= total.interval.upper
    assert held / trials > 0.9, held / trials
