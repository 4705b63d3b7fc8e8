"""A session on a Spark cluster, or on Spark inside this machine."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cranfield.errors import ClusterError, MissingExtraError, UsageError
from cranfield.spark.java import find_java

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HERE = "local[*]"
"""The master that is this machine, with all its cores."""
_STANDALONE = re.compile(r"spark://(?:[^,/:]+:\d+)(?:,[^,/:]+:\d+)*")
_SECONDS = 5.0

_USUAL = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
}
"""What is set unless the user says otherwise."""


@dataclass(frozen=True)
class Cluster:
    """Where Spark runs, and how: its master, and settings as `spark-submit --conf` has them."""

    master: str = HERE
    settings: Mapping[str, str] = field(default_factory=dict)

    def session(self) -> SparkSession:
        """The session of this process; it is made at the first call. ClusterError if the cluster cannot be reached."""
        SparkSession = _library()
        running = SparkSession.getActiveSession()
        if running is not None:
            return running
        find_java()
        self._reach()
        builder = SparkSession.builder.master(self.master).appName("cranfield")
        for name, value in {**_USUAL, **self._for_this_machine(), **self.settings}.items():
            builder = builder.config(name, value)
        with _quiet() as log:
            try:
                return builder.getOrCreate()
            except Exception as error:
                raise ClusterError(
                    f"{self.master}: no session could be started: {_first_line(error)} (all of it is in {log})"
                ) from None

    @property
    def local(self) -> bool:
        """Whether Spark runs inside this machine."""
        return self.master.startswith("local")

    def _for_this_machine(self) -> dict[str, str]:
        """Where the workers share this machine, they call back by the loopback address, and use this Python."""
        hosts = [host for host, _ in self._addresses()]
        if not self.local and not (hosts and all(host in {"127.0.0.1", "localhost"} for host in hosts)):
            return {}
        return {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.pyspark.python": sys.executable,
        }

    def _reach(self) -> None:
        """An error at once where no master listens: Spark itself would try for minutes."""
        if self.master.startswith("spark://") and not _STANDALONE.fullmatch(self.master):
            raise UsageError(f"master {self.master!r}: expected one such as spark://host:7077")
        tried = list[str]()
        for host, port in self._addresses():
            try:
                socket.create_connection((host, port), timeout=_SECONDS).close()
            except OSError as error:
                tried.append(f"{host}:{port}: {error.strerror or error}")
            else:
                return
        if tried:
            raise ClusterError(
                f"{self.master}: no master answers there ({'; '.join(tried)}). Is it started, and is this its address? "
                "`cranfield spark doctor` checks all that is needed"
            )

    def _addresses(self) -> list[tuple[str, int]]:
        if not _STANDALONE.fullmatch(self.master):
            return []
        pairs = (place.rpartition(":") for place in self.master.removeprefix("spark://").split(","))
        return [(host, int(port)) for host, _, port in pairs]


def _library() -> type[SparkSession]:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtraError("Spark", "spark") from None
    return SparkSession


@contextlib.contextmanager
def _quiet() -> Iterator[str]:
    """What Java says while it starts, and later, goes to a file, whose name is given."""
    handle, name = tempfile.mkstemp(prefix="cranfield-spark-", suffix=".log")
    sys.stderr.flush()
    before = os.dup(2)
    os.dup2(handle, 2)
    os.close(handle)
    try:
        yield name
    finally:
        os.dup2(before, 2)
        os.close(before)


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0]
