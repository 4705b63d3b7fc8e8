"""A session on a Spark cluster, or on Spark inside this machine."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import ClusterError, MissingExtraError, UsageError
from cranfield.spark import masters
from cranfield.spark.first_line import first_line
from cranfield.spark.java import find_java
from cranfield.spark.masters import HERE

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["HERE", "Cluster"]

LOG = "CRANFIELD_SPARK_LOG"
"""The environment variable that names a file for what Spark itself says."""
WAIT = "CRANFIELD_SPARK_WAIT"
"""The environment variable that says for how many seconds to wait for a first worker."""
_WAIT_SECONDS = 180.0
_PYTHON = "spark.pyspark.python"
_USUAL = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
}
"""What is set unless the user says otherwise."""
_CAUSE = re.compile(
    r"^(?:Exception in thread \"\w+\" |Error: |Caused by: )(?:[\w.$]+(?:Exception|Error): )?(.+)$", re.MULTILINE
)
"""What programs that start Java say when they give up."""
_ONLY_ENDS = ("A fatal exception has occurred", "Could not create the Java Virtual Machine")
"""Causes that name none."""


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
        masters.check(self.master)
        find_java()
        masters.reach(self.master)
        self._choose_python()
        logging.getLogger().addFilter(_not_of_py4j)
        with _quiet() as log:
            try:
                self._start_context()
                session = SparkSession.builder.getOrCreate()
            except Exception as error:
                raise self._not_started(str(error), log) from None
        self._await_workers(session)
        return session

    @property
    def local(self) -> bool:
        """Whether Spark runs inside this machine."""
        return self.master.startswith("local")

    def _start_context(self) -> None:
        from pyspark import SparkConf, SparkContext

        settings = {**_USUAL, **self._for_this_machine(), **self.settings}
        before = signal.getsignal(signal.SIGINT)
        SparkContext.getOrCreate(SparkConf().setAll([*settings.items()]).setMaster(self.master).setAppName("cranfield"))
        if threading.current_thread() is threading.main_thread():
            # Ctrl-C does what it did before: the handler that PySpark has set breaks in the middle of a job.
            signal.signal(signal.SIGINT, before)

    def _choose_python(self) -> None:
        """Spark takes the Python of workers from the environment alone, whatever the settings say."""
        if _PYTHON in self.settings:
            os.environ["PYSPARK_PYTHON"] = self.settings[_PYTHON]
        elif masters.on_this_machine(self.master):
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)

    def _for_this_machine(self) -> dict[str, str]:
        """Where the workers share this machine, they call back by the loopback address."""
        if not masters.on_this_machine(self.master):
            return {}
        return {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}

    def _not_started(self, said: str, log: Path) -> ClusterError:
        written = log.read_text(errors="replace")
        causes = [cause for cause in _CAUSE.findall(written) if not cause.startswith(_ONLY_ENDS)]
        unheard = "All masters are unresponsive" in said or "stopped SparkContext" in said
        if unheard and masters.addresses(self.master):
            return ClusterError(
                f"{self.master}: something listens there, but does not take our application. Is it a Spark master, and "
                f"of our version ({_version()})? (What Spark said is in {log})"
            )
        cause = first_line(said)
        if "JAVA_GATEWAY_EXITED" in said:
            cause = causes[-1] if causes else first_line(written)
        return ClusterError(f"{self.master}: no session could be started: {cause} (all of it is in {log})")

    def _await_workers(self, session: SparkSession) -> None:
        """An error if no worker takes part for a long time: Spark would wait for ever, and say nothing."""
        context = session.sparkContext
        if self.local or context.getConf().get("spark.dynamicAllocation.enabled") == "true":
            return
        seconds = _seconds_to_wait()
        deadline = time.monotonic() + seconds
        while context._jsc.sc().getExecutorMemoryStatus().size() < 2:  # the driver is one of them
            if context._jsc.sc().isStopped() or time.monotonic() > deadline:
                session.stop()
                raise ClusterError(
                    f"{self.master}: no worker took part within {seconds:.0f} seconds (${WAIT} sets another limit). Is "
                    f"one running, has it a core and memory to spare (spark.executor.memory, 1g unless set), and is it "
                    f"of our version ({_version()})? The pages and logs of master and workers say more"
                )
            time.sleep(0.1)


def _library() -> type[SparkSession]:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtraError("Spark", "spark") from None
    return SparkSession


def _version() -> str:
    import pyspark

    return str(pyspark.__version__)


def _seconds_to_wait() -> float:
    given = os.environ.get(WAIT, "")
    try:
        return float(given) if given else _WAIT_SECONDS
    except ValueError:
        raise UsageError(f"${WAIT} is {given!r}: expected a number of seconds") from None


def _not_of_py4j(record: logging.LogRecord) -> bool:
    """What breaks between Python and Java is raised, and told in words: it need not be logged beside that."""
    return "py4j" not in record.pathname


@contextlib.contextmanager
def _quiet() -> Iterator[Path]:
    """What Java says while it starts, and later, goes to a file; to one that is kept if asked for, or if all fails."""
    chosen = os.environ.get(LOG)
    if chosen:
        handle, name = os.open(chosen, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644), chosen
    else:
        handle, name = tempfile.mkstemp(prefix="cranfield-spark-", suffix=".log")
    sys.stderr.flush()
    before = os.dup(2)
    os.dup2(handle, 2)
    os.close(handle)
    kept = bool(chosen)
    try:
        yield Path(name)
    except ClusterError:
        kept = True
        raise
    finally:
        os.dup2(before, 2)
        os.close(before)
        if not kept:
            os.unlink(name)
