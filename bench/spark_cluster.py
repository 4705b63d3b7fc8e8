"""Spark on the loopback address, and what its processes hold while something runs on it."""

import contextlib
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from bench import data
from bench.processes import ENVIRONMENT, Command, CommandError, failure, memory_of, tree, tree_memory
from tools.loopback import LoopbackCluster, loopback_cluster

SAMPLE_SECONDS = 0.25
"""Between two looks at memory and disk: they cost more than those at a single process."""
DRIVER_MEMORY = "512m"
PARTS = 16


@dataclass(frozen=True)
class Shape:
    """How many workers there are, and cores of each: two in all."""

    workers: int
    cores: int

    @property
    def words(self) -> str:
        return "1 worker" if self.workers == 1 else f"{self.workers} workers"

    @property
    def memory(self) -> str:
        """Of the Java of an executor: the same for a core, however they are shared out."""
        return f"{self.cores}g"

    @property
    def settings(self) -> str:
        """What sessions are started with, as scripts take it."""
        return json.dumps(
            {
                "spark.executor.memory": self.memory,
                "spark.driver.memory": DRIVER_MEMORY,
                "spark.sql.shuffle.partitions": str(PARTS),
            }
        )


ONE_WORKER, TWO_WORKERS = Shape(1, 2), Shape(2, 1)


@dataclass
class Watched:
    """What a command on a cluster printed, and the most bytes held on the way."""

    printed: str = ""
    driver: int = 0
    """Python and Java together."""
    java: int = 0
    """Of all executors."""
    python: int = 0
    """Of all that executors started."""
    disk: int = 0
    """What executors kept in files."""

    @property
    def executors(self) -> int:
        return self.java + self.python


@dataclass
class Spark:
    """A cluster that runs."""

    shape: Shape
    cluster: LoopbackCluster
    local: Path
    """Where executors keep files."""
    arguments: list[str] = field(init=False)
    """The first two of every script: how to start a session."""

    def __post_init__(self) -> None:
        self.arguments = [self.cluster.master, self.shape.settings]

    def watched(self, command: Command) -> Watched:
        """Run a command, and look at the memory of all processes again and again: a short peak is missed."""
        found = Watched()
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
            with psutil.Popen(command, env=ENVIRONMENT, stdout=out, stderr=errors, stdin=subprocess.DEVNULL) as process:
                try:
                    while process.poll() is None:
                        self._look(process, found)
                        time.sleep(SAMPLE_SECONDS)
                except BaseException:
                    process.kill()
                    raise
            out.seek(0)
            errors.seek(0)
            if process.returncode:
                raise CommandError(failure(command, errors.read()))
            found.printed = out.read()
        return found

    def _look(self, driver: psutil.Process, found: Watched) -> None:
        found.driver = max(found.driver, tree_memory(driver))
        java = python = 0
        for worker in self.cluster.workers:
            for process in tree(psutil.Process(worker.pid))[1:]:
                held = memory_of(process)
                if _is_java(process):
                    java += held
                else:
                    python += held
        found.java, found.python = max(found.java, java), max(found.python, python)
        found.disk = max(found.disk, _bytes_below(self.local))


@contextlib.contextmanager
def spark(shape: Shape) -> Iterator[Spark]:
    """A cluster of this shape; its files are where those of the benchmark are."""
    data.folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=data.folder(), prefix=".spark-", ignore_cleanup_errors=True) as folder:
        place = Path(folder)
        local = place / "local"
        local.mkdir()
        started = loopback_cluster(
            place, workers=shape.workers, cores=shape.cores, memory=shape.memory, SPARK_LOCAL_DIRS=str(local)
        )
        with started as cluster:
            yield Spark(shape, cluster, local)


def _is_java(process: psutil.Process) -> bool:
    try:
        return bool(process.name() == "java")
    except psutil.Error:
        return False


def _bytes_below(folder: Path) -> int:
    """What files take on the disk; those that vanish meanwhile count nothing."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.stat(os.path.join(place, name)).st_size
    return total
