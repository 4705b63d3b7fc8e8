"""The table of docs/pooling/building.md: TREC-COVID round 1 judged again, with as many judgments by each strategy."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau

import cranfield as cf
from cranfield.data.qrels import Qrels
from cranfield.data.strings import Floats
from cranfield.pooling.by_budget import RankBiased, ReciprocalRank
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.depth import Depth
from cranfield.pooling.extending import EMPTY, extended
from cranfield.pooling.judged_pool import JudgedPool
from cranfield.pooling.run_share import RunShare
from cranfield.pooling.sampling import RandomSample, StratifiedSample
from cranfield.pooling.strategy import Strategy

PAGE = Path(__file__).parents[2] / "docs" / "pooling" / "building.md"
DEPTH = 5
TOPICS = 30


def rows() -> dict[str, list[float]]:
    """What the page says of the pools of depth 5 and of those with as many judgments."""
    said = re.findall(
        r"^\| ([\d,]*) ?\| `([\w-]+)`.*? \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", PAGE.read_text(), re.M
    )
    begin = next(at for at, row in enumerate(said) if row[0] == "1,570")
    return {row[1]: [float(value) for value in row[2:]] for row in said[begin : begin + 6]}


def judged_only(run: cf.Run, qrels: dict[str, dict[str, float]]) -> cf.Run:
    lists = {topic: {d: s for d, s in run[topic].items() if qrels[topic].get(d, -1) >= 0} for topic in run}
    return cf.Run.from_dict({topic: documents for topic, documents in lists.items() if documents}, name=run.name)


def values(qrels: Qrels, runs: list[cf.Run], measures: list[str]) -> Floats:
    means = [cf.evaluate(qrels, run, measures).mean for run in runs]
    return np.array([[mean[measure] for measure in measures] for mean in means])


@pytest.mark.slow
@pytest.mark.real_data
def test_the_page_says_what_happens(real_data: Path) -> None:
    folder = real_data / "trec_covid_r1"
    given = cf.read_qrels(folder / "qrels-rnd1.txt").to_dict()
    runs = [judged_only(cf.read_run(path), given) for path in sorted((folder / "runs").iterdir())]
    candidates = Candidates.of(runs)
    every = JudgedPool.of(extended(EMPTY, candidates, Depth(10**6)), Qrels.from_dict(given)).to_qrels()
    assert (len(runs), len(every)) == (16, 7202)
    truth = values(every, runs, ["AP", "nDCG@10"])
    number, first = (len(extended(EMPTY, candidates, Depth(depth))) for depth in (DEPTH, 1))
    assert number == 1570
    budget, rest = number // TOPICS, (number - first) / (7202 - first)
    strategies: list[tuple[Strategy, int]] = [
        (Depth(DEPTH), 1),
        (RunShare(budget=budget), 3),
        (ReciprocalRank(budget=budget), 3),
        (RankBiased(budget=budget), 3),
        (RandomSample(rate=number / 7202, depth=None), 10),
        (StratifiedSample(((1, 1.0), (10_000, rest))), 10),
    ]
    found = {}
    for strategy, seeds in strategies:
        outcomes = []
        for seed in range(seeds):
            pool = JudgedPool.of(extended(EMPTY, candidates, strategy, seed=seed), every)
            if strategy.draws:
                value = values(pool.to_strata(), runs, ["xinfAP", "infNDCG@10"])
            else:
                value = values(pool.to_qrels(), runs, ["AP", "nDCG@10"])
            error = np.sqrt(((value - truth) ** 2).mean(axis=0))
            tau = [kendalltau(truth[:, at], value[:, at]).statistic for at in range(2)]
            outcomes.append([error[0], tau[0], error[1], tau[1]])
        found[strategy.name] = np.mean(outcomes, axis=0).tolist()
    said = rows()
    assert said.keys() == found.keys()
    for name, numbers in said.items():
        assert found[name] == pytest.approx(numbers, abs=0.006), name
