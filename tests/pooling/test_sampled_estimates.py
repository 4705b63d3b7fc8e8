"""Sampled pools with the estimators of the measures room: what they say on average is what is there.

Runs and relevance are made by chance (seeded), and everything that the runs returned is judged; the truth is the measure
computed of all judgments. A pool draws a share of them, is written as strata or prels, and estimates are made of these.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import cranfield as cf
from cranfield.data.qrels import Qrels
from cranfield.data.strings import Floats, decode
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.extending import EMPTY, extended
from cranfield.pooling.judged_pool import JudgedPool
from cranfield.pooling.sampling import RandomSample, StratifiedSample
from cranfield.pooling.strategy import Strategy
from tests.pooling.made_runs import noisy_runs

TOPICS = 25


@cache
def world() -> tuple[Candidates, Qrels, cf.Run]:
    """What can be pooled, the judgments of all of it (grades 0 to 2), and the run that is evaluated."""
    runs, worth = noisy_runs(runs=8, topics=TOPICS, documents=600, depth=100, seed=11)
    candidates = Candidates.of(runs)
    grades: dict[str, dict[str, int]] = {topic: {} for topic in candidates.topics}
    for document, topic in zip(candidates.documents.tolist(), candidates.topic.tolist(), strict=True):
        name = candidates.topics[topic]
        value = worth[int(name[1:]), int(decode(document)[1:])]
        grades[name][decode(document)] = int(value > 1.2) + int(value > 2.0)
    return candidates, Qrels.from_dict(grades), runs[0]


def judged(strategy: Strategy, seed: int) -> JudgedPool:
    candidates, qrels, _ = world()
    return JudgedPool.of(extended(EMPTY, candidates, strategy, seed=seed), qrels)


def values(qrels: Qrels, *measures: str) -> Floats:
    """The value of each measure (row) for each topic."""
    found = cf.evaluate(qrels, world()[2], list(measures))
    return np.array([[found[measure][topic] for topic in found.queries] for measure in measures])


def bands(share: float) -> StratifiedSample:
    return StratifiedSample(((10, 1.0), (40, share), (100, share / 2)))


def test_the_number_of_relevant_documents_is_unbiased() -> None:
    """Horvitz and Thompson: the mean of 60 estimates is within 4 standard errors of the truth, in all topics at once."""
    _, qrels, _ = world()
    truth = np.bincount(qrels.query, weights=qrels.grade >= 1)
    for strategy in (RandomSample(rate=0.2), bands(0.2)):
        found = []
        for seed in range(60):
            prels = judged(strategy, seed).to_prels()
            weight = (prels.grade >= 1) / prels.inclusion
            found.append(np.bincount(prels.query, weights=weight).sum())
        error = np.std(found, ddof=1) / np.sqrt(len(found))
        assert error < 0.03 * truth.sum()
        assert abs(np.mean(found) - truth.sum()) < 4 * error


def test_strata_and_prels_say_the_same_of_a_sample() -> None:
    pool = judged(bands(0.3), seed=5)
    one, other = pool.to_strata(), pool.to_prels()
    assert values(one, "statAP") == pytest.approx(values(other, "statAP"))
    assert one.is_sample
    assert other.is_sample


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "truth"), [("xinfAP", "AP"), ("statAP", "AP"), ("infNDCG", "nDCG")])
def test_estimates_from_strata_come_nearer_with_more_judgments(measure: str, truth: str) -> None:
    """Consistent: the more is drawn, the smaller is the error of the mean, and its bias is next to nothing."""
    exact = values(world()[1], truth).mean()
    off = []
    for share in (0.1, 0.3, 0.8):
        found = [values(judged(bands(share), seed).to_strata(), measure).mean() for seed in range(80)]
        off.append(np.array(found) - exact)
    spread = [float(np.sqrt((each**2).mean())) for each in off]
    assert spread[0] > 1.4 * spread[1] > 1.4 * 1.4 * spread[2]
    assert spread[2] < 0.01
    assert abs(off[1].mean()) < 0.01


@pytest.mark.slow
def test_infap_of_a_random_sample_comes_nearer_with_more_judgments() -> None:
    exact = values(world()[1], "AP").mean()
    spread = []
    for rate in (0.05, 0.2, 0.8):
        found = [
            values(judged(RandomSample(rate=rate), seed).to_qrels(with_unjudged=True), "infAP").mean()
            for seed in range(80)
        ]
        spread.append(float(np.sqrt(np.mean((np.array(found) - exact) ** 2))))
    assert spread[0] > 1.4 * spread[1] > 1.4 * 1.4 * spread[2]
    assert spread[2] < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("strategy", [RandomSample(rate=0.25), bands(0.3)], ids=lambda strategy: strategy.name)
@pytest.mark.parametrize("layout", ["strata", "prels"])
def test_intervals_of_statap_cover_at_about_their_level(strategy: Strategy, layout: str) -> None:
    """Of 300 samples, the mean ± 1.96 standard errors has the truth in it for about 95 %.

    With 300 draws and 95 %, all but 1 in 1000 counts lie within ± 4.2 points (binomial); statAP of a quarter of the pool
    is also a little too low, as ratios are, which costs 2 or 3 more.
    """
    exact = values(world()[1], "AP").mean()
    inside = 0
    for seed in range(300):
        pool = judged(strategy, seed)
        found = values(pool.to_strata() if layout == "strata" else pool.to_prels(), "statAP", "statAPError")
        error = float(np.sqrt((found[1] ** 2).sum())) / TOPICS
        inside += abs(found[0].mean() - exact) <= 1.96 * error
    assert 0.88 <= inside / 300 <= 0.99
