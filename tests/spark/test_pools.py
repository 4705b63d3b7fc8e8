"""Pools that Spark reads the runs of: the same files, to the last byte, as pools built here."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from cranfield.errors import UsageError
from cranfield.formats.pools import write_pool
from cranfield.pooling.building import build_pool
from cranfield.pooling.by_budget import ReciprocalRank
from cranfield.pooling.depth import Depth
from cranfield.pooling.on_spark import build_pool_on_spark
from cranfield.pooling.sampling import RandomSample, StratifiedSample
from cranfield.spark.session import Cluster
from tests.spark import drawn_runs


@pytest.mark.slow
def test_the_same_pool(cluster: Cluster, tmp_path: Path) -> None:
    runs = drawn_runs.runs(tmp_path, random.Random(9))
    for strategy, topics in (
        (Depth(10), None),
        (RandomSample(rate=0.3, depth=None), drawn_runs.QUERIES[3:]),
        (StratifiedSample(((5, 1.0), (20, 0.25))), None),
    ):
        here = build_pool(runs, strategy, seed=3, topics=topics)
        there = build_pool_on_spark(runs, strategy, cluster=cluster, seed=3, topics=topics)
        assert there.notes == here.notes
        assert there.new == here.new
        write_pool(here.pool, tmp_path / "here.tsv")
        write_pool(there.pool, tmp_path / "there.tsv")
        assert (tmp_path / "there.tsv").read_bytes() == (tmp_path / "here.tsv").read_bytes()


def test_strategies_that_ask_for_more() -> None:
    with pytest.raises(UsageError, match="the strategy rrf needs the place of every document in every run"):
        build_pool_on_spark(["a.run"], ReciprocalRank(budget=5), cluster=Cluster())
