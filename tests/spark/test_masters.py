"""Masters that are not there, or cannot be."""

from __future__ import annotations

import socket

import pytest

from cranfield.errors import ClusterError, UsageError
from cranfield.spark.masters import addresses, check, on_this_machine, reach
from tests.cli.running import run_cranfield
from tests.spark.available import require_spark


@pytest.mark.parametrize(
    "name",
    ["local", "local[2]", "local[*]", "local[2, 3]", "spark://a:7077", "spark://a:1,b:2", "yarn", "k8s://https://a"],
)
def test_names_of_masters(name: str) -> None:
    check(name)


@pytest.mark.parametrize("name", ["", "here", "spark://a", "spark://a:b", "a:7077", "local[x]", "mesos://a:5050"])
def test_what_is_no_master(name: str) -> None:
    with pytest.raises(UsageError, match=r"expected spark://host:7077, yarn, k8s://\.\.\., or local\[4\]"):
        check(name)


def test_whose_workers_share_this_machine() -> None:
    assert on_this_machine("local[*]")
    assert on_this_machine("spark://127.0.0.1:7077,localhost:7078")
    assert not on_this_machine("spark://127.0.0.1:7077,far:7077")
    assert not on_this_machine("yarn")


def test_one_of_several_masters_answers() -> None:
    with socket.socket() as free, socket.socket() as listening:
        free.bind(("127.0.0.1", 0))
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        silent, there = free.getsockname()[1], listening.getsockname()[1]
        reach(f"spark://127.0.0.1:{silent},127.0.0.1:{there}")
        with pytest.raises(ClusterError, match=rf"no master answers there \(127.0.0.1:{silent}: Connection refused\)"):
            reach(f"spark://127.0.0.1:{silent}")
    assert addresses("spark://a:1,b:2") == [("a", 1), ("b", 2)]


def test_commands_say_so_at_once() -> None:
    require_spark()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        master = f"spark://127.0.0.1:{free.getsockname()[1]}"
        done = run_cranfield("logs", "overview", "hdfs://a/log", "--engine", "spark", "--master", master)
        doctor = run_cranfield("spark", "doctor", environment={"CRANFIELD_SPARK_MASTER": master})
    assert done.exit_code == 1
    assert f"cranfield: {master}: no master answers there" in done.stderr
    assert done.stderr.count("\n") == 1
    assert doctor.exit_code == 3
    assert "session\tno\t" in doctor.text
    unknown = run_cranfield("logs", "overview", "hdfs://a/log", "--engine", "spark", "--master", "there")
    assert (unknown.exit_code, unknown.stderr.count("\n")) == (2, 1)
