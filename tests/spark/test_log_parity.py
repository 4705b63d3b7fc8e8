"""Every analysis of a log says the same on Spark as on DuckDB, but for the last digits of sums."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.evaluation.query_draws import WAYS
from cranfield.logs.behaviour import behaviour
from cranfield.logs.caching import read_requests
from cranfield.logs.clicks import click_deviation, clicks_by_rank
from cranfield.logs.importing import Ways, import_files
from cranfield.logs.inferring import infer_qrels
from cranfield.logs.log import Log, Part
from cranfield.logs.needs import spreads
from cranfield.logs.overview import overview
from cranfield.logs.personal import personal
from cranfield.logs.phrasings import phrasings
from cranfield.logs.precision import inferred_precision
from cranfield.logs.preferences import RULES, infer_preferences
from cranfield.logs.propensities import randomised_propensities
from cranfield.logs.reformulation_graph import reformulation_graph
from cranfield.logs.settling import Rules
from cranfield.logs.simulating import simulate
from cranfield.logs.simulation.settings import Settings
from cranfield.logs.spark_engine import SparkEngine
from cranfield.logs.topic_sample import sample_log
from cranfield.spark.session import Cluster
from tests.spark.alike import differences

pytestmark = pytest.mark.slow

ANALYSES: dict[str, Callable[[Log], Any]] = {
    "overview": overview,
    "behaviour": behaviour,
    "clicks by rank": clicks_by_rank,
    "click deviation": lambda log: click_deviation(log, enough=3),
    "click deviation at each rank": lambda log: click_deviation(log, each_rank=True, enough=3),
    "propensities": randomised_propensities,
    "judgments": lambda log: infer_qrels(log, enough=3),
    **{f"preferences, {rule}": partial(infer_preferences, rule=rule, enough=3) for rule in RULES},
    "precision": lambda log: inferred_precision(log, enough=3),
    "phrasings": lambda log: phrasings(log, enough=1),
    "needs": lambda log: spreads(log, enough=2),
    "reformulations": reformulation_graph,
    "personal": personal,
    "requests that a cache sees": read_requests,
    **{f"topics by {way}": partial(sample_log, size=5, by=way, least_users=1) for way in WAYS},
}
"""But for click models, which have a file of their own."""


@pytest.fixture(scope="session")
def engine(cluster: Cluster) -> SparkEngine:
    return SparkEngine(cluster)


@pytest.fixture(scope="session")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of two thousand sessions over several days, with users who come again and say things anew."""
    rng = np.random.default_rng(5)
    judged = {f"t{t}": {f"t{t}-d{d}": int(rng.integers(0, 4)) for d in range(12)} for t in range(10)}
    runs = [
        Run.from_dict({t: {d: float(rng.random()) for d in documents} for t, documents in judged.items()}, name=f"{n}")
        for n in range(3)
    ]
    folder = tmp_path_factory.mktemp("simulated") / "log"
    simulate(runs, Qrels.from_dict(judged), folder, users="dbn", settings=Settings(sessions=2000, days=5, seed=3))
    return folder


@pytest.fixture(scope="session")
def chorus(tmp_path_factory: pytest.TempPathFactory, real_data: Path) -> Path:
    """The real log of Chorus, which has everything that is odd."""
    folder = tmp_path_factory.mktemp("chorus") / "log"
    bases = {"Chorus": 1, "esci_ubi_sample": 0, "ubi-demo": 1}
    import_files([real_data / "ubi_chorus" / "ubi_queries_events.ndjson"], folder, Ways(rank_base=bases), Rules())
    return folder


@pytest.mark.parametrize("name", ANALYSES)
def test_a_simulated_log(name: str, simulated: Path, engine: SparkEngine) -> None:
    analysis = ANALYSES[name]
    assert differences(analysis(Log(simulated)), analysis(Log(simulated, engine=engine))) == []


@pytest.mark.parametrize("name", ANALYSES)
def test_the_real_log_of_chorus(name: str, chorus: Path, engine: SparkEngine) -> None:
    analysis = ANALYSES[name]
    assert differences(analysis(Log(chorus)), analysis(Log(chorus, engine=engine))) == []


def test_a_part_of_a_log(simulated: Path, engine: SparkEngine) -> None:
    days = [day.day for day in overview(Log(simulated)).days]
    part = Part(since=days[1], until=days[2], bots=True)
    assert differences(overview(Log(simulated, part)), overview(Log(simulated, part, engine=engine))) == []


def test_a_log_by_its_address(simulated: Path, engine: SparkEngine) -> None:
    """What Spark reads has an address, as s3a://bucket/log: here one of files."""
    found = clicks_by_rank(Log(simulated.as_uri(), engine=engine))
    assert differences(clicks_by_rank(Log(simulated)), found) == []
