"""One cluster and one session for all tests of a process: starting them takes most of the time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from cranfield.spark.session import Cluster
from tests.spark.available import require_spark
from tools.loopback import LoopbackCluster, loopback_cluster

_OF_PYSPARK = ("ignore:unclosed <socket:ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
"""It leaves the sockets by which it collects to the garbage collector."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            for told in _OF_PYSPARK:
                item.add_marker(pytest.mark.filterwarnings(told))


@pytest.fixture(scope="session")
def loopback(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopbackCluster]:
    """A master and two workers."""
    require_spark()
    with loopback_cluster(tmp_path_factory.mktemp("spark")) as started:
        yield started


@pytest.fixture(scope="session")
def driver_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The working folder of the driver's Java."""
    return tmp_path_factory.mktemp("driver")


@pytest.fixture(scope="session")
def cluster(loopback: LoopbackCluster, driver_folder: Path) -> Iterator[Cluster]:
    """With its session open."""
    made = Cluster(loopback.master, {"spark.sql.shuffle.partitions": "4"})
    with contextlib.chdir(driver_folder):
        session = made.session()
    yield made
    session.stop()


@pytest.fixture(scope="session")
def other_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopbackCluster]:
    """A master without workers: tests that start commands of their own add what they need."""
    require_spark()
    with loopback_cluster(tmp_path_factory.mktemp("other-spark"), workers=0) as started:
        yield started
