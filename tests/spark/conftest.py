"""One cluster and one session for all tests of a process: starting them takes most of the time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cranfield.spark.session import Cluster
from tests.spark.loopback import LoopbackCluster, loopback_cluster


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
