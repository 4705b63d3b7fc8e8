"""Workers that lack something, or are lost: the job completes, or it is said what to fix."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.errors import ClusterError
from cranfield.evaluation.evaluator import Evaluator
from cranfield.logs.behaviour import behaviour
from cranfield.logs.log import Log
from cranfield.logs.overview import overview
from cranfield.logs.spark_engine import SparkEngine
from cranfield.spark.evaluating import SparkEvaluator
from cranfield.spark.failures import in_words
from cranfield.spark.same_version import Work, same_version
from cranfield.spark.session import Cluster
from tests.logs.made_up import simulated
from tests.spark.alike import differences
from tests.spark.environments import another_python, bare_python
from tests.spark.waiting import until
from tools.loopback import LoopbackCluster

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def engine(cluster: Cluster) -> SparkEngine:
    return SparkEngine(cluster)


def as_it_is() -> Work:
    """Work that workers can do without having this module."""
    return lambda batches: batches


@pytest.fixture
def with_python(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Workers are asked to run another Python."""

    def chosen(command: str) -> None:
        monkeypatch.setattr(cluster.session().sparkContext, "pythonExec", command)

    return chosen


def a_job(cluster: Cluster, work: Work) -> None:
    with in_words(cluster):
        cluster.session().range(4).mapInArrow(work, "id long").collect()


def test_a_python_of_another_version(cluster: Cluster, with_python: Any) -> None:
    other = another_python()
    if other is None:
        pytest.skip("there is no Python of another version here")
    with_python(other)
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    with pytest.raises(
        ClusterError, match=rf"workers have Python 3\.\d+, and here is {here}: both have to be the same"
    ):
        a_job(cluster, as_it_is())


def test_a_python_that_workers_do_not_have(cluster: Cluster, with_python: Any) -> None:
    with_python("/nowhere/python")
    with pytest.raises(ClusterError, match=r"workers have no /nowhere/python that they could run: name a Python"):
        a_job(cluster, as_it_is())


def test_workers_without_packages(cluster: Cluster, with_python: Any, tmp_path: Path) -> None:
    with_python(bare_python(tmp_path / "bare"))
    with pytest.raises(ClusterError, match=r"workers lack the package pyarrow; `cranfield spark package` makes"):
        a_job(cluster, as_it_is())


def test_workers_with_another_version_of_cranfield(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the work came from a later version than workers have."""
    with monkeypatch.context() as later:
        later.setattr("cranfield.__version__", "99.0")
        work = same_version(as_it_is())
    with pytest.raises(ClusterError, match=r"a worker has Cranfield \d[\w.]*, and the work is of 99\.0: give workers"):
        a_job(cluster, work)


def test_one_query_with_a_third_of_all_events(engine: SparkEngine, tmp_path: Path) -> None:
    simulated(tmp_path / "log", sessions=1500, days=3, topics=6, skew=1.6)
    here, there = Log(tmp_path / "log"), Log(tmp_path / "log", engine=engine)
    found = overview(there)
    assert found.head[0].times > found.total.queries / 3
    assert differences(overview(here), found) == []
    assert differences(behaviour(here), behaviour(there)) == []


def executors(cluster: Cluster) -> int:
    return int(cluster.session().sparkContext._jsc.sc().getExecutorMemoryStatus().size()) - 1


@pytest.fixture
def third_worker(loopback: LoopbackCluster, cluster: Cluster) -> Iterator[subprocess.Popen[bytes]]:
    """One more, which takes part in the work of the session; at the end the cluster is as before."""
    before = sum(worker.poll() is None for worker in loopback.workers)
    until(lambda: executors(cluster) == before)
    worker = loopback.add_worker(PYSPARK_PYTHON=sys.executable)
    until(lambda: executors(cluster) == before + 1)
    yield worker
    if worker.poll() is None:
        loopback.kill(worker)
    until(lambda: executors(cluster) == before)


def killed_meanwhile(
    loopback: LoopbackCluster, cluster: Cluster, worker: subprocess.Popen[bytes], work: Callable[[], Any]
) -> Any:
    """What work comes to during which a worker is killed: when some tasks are done, and others are not."""
    tracker = cluster.session().sparkContext.statusTracker()
    stages_before = set(tracker.getActiveStageIds())

    def some_tasks_are_done() -> bool:
        active = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds() if stage not in stages_before]
        return any(stage is not None and stage.numCompletedTasks > 0 for stage in active)

    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(work)
        until(lambda: some_tasks_are_done() or working.done())
        loopback.kill(worker)
        assert not working.done(), "the work was over before the worker was killed"
        return working.result()


def test_a_worker_killed_while_a_log_is_analysed(
    loopback: LoopbackCluster,
    cluster: Cluster,
    third_worker: subprocess.Popen[bytes],
    engine: SparkEngine,
    tmp_path: Path,
) -> None:
    """What the worker had made is lost with it, and is made again by others."""
    simulated(tmp_path / "log", sessions=3000, days=12)
    there = Log(tmp_path / "log", engine=engine)
    found = killed_meanwhile(loopback, cluster, third_worker, lambda: behaviour(there))
    assert differences(behaviour(Log(tmp_path / "log")), found) == []


def test_a_worker_killed_while_runs_are_evaluated(
    loopback: LoopbackCluster, cluster: Cluster, third_worker: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    rng = np.random.default_rng(7)
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"q{q} 0 d{d} {rng.integers(0, 3)}\n" for q in range(300) for d in range(20)))
    runs = [tmp_path / f"{number}.run" for number in range(6)]
    for run in runs:
        lines = (f"q{q} Q0 d{d} 1 {rng.random():.6f} x\n" for q in range(300) for d in range(0, 60, 2))
        run.write_text("".join(lines))
    measures = ["AP", "nDCG@10"]
    expected = Evaluator(qrels, measures).evaluate_all(runs)
    there = SparkEvaluator(qrels, measures, cluster=cluster)
    found = killed_meanwhile(loopback, cluster, third_worker, lambda: there.evaluate_all(runs))
    for name, run_expected in expected.items():
        for measure, values in run_expected.columns.items():
            assert np.array_equal(found[name].columns[measure], values), (name, measure)
