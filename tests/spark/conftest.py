"""One cluster and one session for all tests of a process: starting them takes most of the time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cranfield.spark.session import Cluster
from tests.spark.loopback import LoopbackCluster, loopback_cluster

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
    with loopback_cluster(tmp_path_factory.mktemp("spark")) as started:
        yield started


@pytest.fixture(scope="session")
def cluster(loopback: LoopbackCluster) -> Iterator[Cluster]:
    """With its session open."""
    made = Cluster(loopback.master, {"spark.sql.shuffle.partitions": "4"})
    session = made.session()
    yield made
    session.stop()
