"""A standalone Spark cluster on the loopback address: a master and its workers, each a process of its own."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

_SECONDS = 240


@dataclass
class LoopbackCluster:
    """Started by `loopback_cluster`, and stopped by it."""

    folder: Path
    master: str = ""
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    killed: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def add_worker(self, *, cores: int = 1, memory: str = "1g", **environment: str) -> subprocess.Popen[bytes]:
        """One more worker, which has registered with the master; settings of its environment may differ from ours."""
        number = len(self.processes)
        work = self.folder / f"work-{number}"
        arguments = ["--host", "127.0.0.1", "--cores", str(cores), "--memory", memory, "--webui-port", "0"]
        worker = self._start(
            "worker.Worker",
            [*arguments, "--work-dir", str(work), self.master],
            r"Successfully registered with master",
            environment,
        )
        self.workers.append(worker)
        return worker

    def kill(self, worker: subprocess.Popen[bytes]) -> None:
        """End a worker, and the executors it started, as a machine that loses its power does."""
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
        self.killed.append(worker)

    def start_master(self) -> None:
        arguments = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
        self._start("master.Master", arguments, r"Starting Spark master at (spark://[\d.]+:\d+)", {})
        self.master = self._said[1]

    def stop(self) -> None:
        for process in reversed(self.processes):
            if process in self.killed:  # its number may be that of another by now
                continue
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _start(
        self, name: str, arguments: list[str], ready: str, environment: dict[str, str]
    ) -> subprocess.Popen[bytes]:
        home = Path(_spark_home())
        log = self.folder / f"{name}-{len(self.processes)}.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}", *arguments],
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(home), **environment},
            )
        self.processes.append(process)
        deadline = time.monotonic() + _SECONDS
        while (found := re.search(ready, log.read_text(errors="replace"))) is None:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{name} did not start:\n{log.read_text(errors='replace')}")
            time.sleep(0.1)
        self._said = found
        return process


def _spark_home() -> str:
    found = find_spec("pyspark")
    assert found is not None, "pyspark is not installed"
    assert found.submodule_search_locations is not None
    return found.submodule_search_locations[0]


@contextlib.contextmanager
def loopback_cluster(
    folder: Path, *, workers: int = 2, cores: int = 1, memory: str = "1g", **environment: str
) -> Iterator[LoopbackCluster]:
    """A master and its workers, each with so many cores and so much memory."""
    cluster = LoopbackCluster(folder)
    try:
        cluster.start_master()
        for _ in range(workers):
            cluster.add_worker(cores=cores, memory=memory, PYSPARK_PYTHON=sys.executable, **environment)
        yield cluster
    finally:
        cluster.stop()
