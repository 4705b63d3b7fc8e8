"""What fails on a cluster, in words."""

from __future__ import annotations

import contextlib
import platform
import re
from collections.abc import Iterator
from typing import NamedTuple

from cranfield import errors
from cranfield.errors import ClusterError, CranfieldError, DataError
from cranfield.spark.first_line import first_line
from cranfield.spark.session import Cluster

HOW = "`cranfield spark package` makes an archive of what workers need (see docs/spark/workers.md)"
SEEN_BY_ALL = "put it where this machine and all workers see it by the same name: a shared folder, s3a://, hdfs://"
_OURS = re.compile(r"^(?:cranfield\.errors\.)?(\w+Error): (.+)$", re.MULTILINE)
_OTHERWISE_MADE = (errors.AnotherKindError, errors.MissingExtraError, errors.UnknownMeasureError)
"""Errors that are not made of what they say."""
_FILE = r"Encountered error while reading file (?P<place>\S+?)\.\s"


class _Known(NamedTuple):
    """A failure that can be told apart, and what is said of it."""

    pattern: re.Pattern[str]
    words: str
    """With what the pattern found; a `place` that it found comes before."""
    kind: type[CranfieldError] = ClusterError


def _known(pattern: str, words: str, kind: type[CranfieldError] = ClusterError) -> _Known:
    return _Known(re.compile(pattern, re.DOTALL), words, kind)


_MINOR = ".".join(platform.python_version_tuple()[:2])
_FAILURES = (
    _known(
        r"Python in worker has different version: (?P<there>[\d.]+\d)",
        f"workers have Python {{there}}, and here is {_MINOR}: both have to be the same. Name one that workers have by "
        "--conf spark.pyspark.python=/path/to/python",
    ),
    _known(
        r'Cannot run program "(?P<command>[^"]+)"',
        "workers have no {command} that they could run: name a Python that all of them have by "
        "--conf spark.pyspark.python=/path/to/python",
    ),
    _known(
        r"No module named 'cranfield\.(?P<module>[\w.]+)'|Can't get attribute '(?P<name>\w+)' on <module 'cranfield",
        f"workers have another version of Cranfield: give them the one that runs here; {HOW}",
    ),
    _known(r"No module named '(?P<module>\w+)[\w.]*'", f"workers lack the package {{module}}; {HOW}"),
    _known(r"PACKAGE_NOT_INSTALLED\] (?P<module>\w+)", f"workers lack the package {{module}}; {HOW}"),
    _known(
        r"FILE_NOT_EXIST\] " + _FILE,
        f"a worker does not see this file, though it is seen from here: {SEEN_BY_ALL}",
        DataError,
    ),
    _known(
        r"(?P<place>\S+) ?\(Permission denied\)|Permission denied:[^\n]*?inode=\"(?P<inode>[^\"]+)\"",
        f"may not be read here or by a worker: {SEEN_BY_ALL}, and give the user that runs workers the right to read it",
        DataError,
    ),
    _known(
        r"DATA_TYPE_MISMATCH\] " + _FILE + r".*?column \[(?P<column>[^\]]+)\]\. Expected Spark type (?P<wanted>\w+), "
        r"actual Parquet type (?P<type>\w+)",
        "the column {column} of this Parquet file is of another type ({type}) than it has to be ({wanted}): write the "
        "file anew",
        DataError,
    ),
    _known(
        r"FAILED_READ_FILE[.\w]*\] " + _FILE,
        "this file is damaged, or not Parquet: get it anew",
        DataError,
    ),
    _known(
        r"(?P<place>\S+) is not a Parquet file|Could not read footer for file:? (?:FileStatus{path=)?(?P<file>[^;\s]+)",
        "this file is damaged, or not Parquet: get it anew",
        DataError,
    ),
    _known(
        r"(?:Path does not exist: |FileNotFoundException: File )(?P<place>\S+?)(?:\.\s| does not exist)",
        "there is no such file or folder",
        DataError,
    ),
    _known(
        r'(?:No FileSystem for scheme "(?P<scheme>\w+)"|Class org\.apache\.hadoop\.fs\.(?P<system>\w+)\.\w+ not found)',
        "Spark has not what it needs to read such an address: name the library by --conf spark.jars.packages=..., such "
        "as org.apache.hadoop:hadoop-aws:3.4.1 for s3a",
    ),
    _known(
        r"(?P<key>spark\.[\w.]+) should be (?P<kind>\w+), but was (?P<value>[^\n]+)",
        "the setting {key} (--conf) is {value}, which is no {kind}",
    ),
    _known(
        r"OutOfMemoryError",
        "memory did not do: give more by --conf spark.executor.memory=... or spark.driver.memory=..., or make parts "
        "smaller by --conf spark.sql.shuffle.partitions=...",
    ),
    _known(r"No space left on device", "a disk is full: of the workers (spark.local.dir), or where output goes"),
    _known(
        r"Master removed our application|Max number of executor failures",
        "executors ended as soon as they were started. Have the workers Java 17 or 21, and Spark of our version? Their "
        "logs say more",
    ),
    _known(
        r"ExecutorLostFailure \((?P<which>executor \w+) exited",
        "workers were lost again and again in the same task, the last was {which}. Out of memory is the usual reason: "
        "give more by --conf spark.executor.memory=... or spark.executor.memoryOverhead=...",
    ),
    _known(
        r"SparkContext was shut down|stopped SparkContext|Answer from Java side is empty|trying to connect to the Java "
        r"server|Error while sending or receiving",
        "Spark ended before the job did. Was the master stopped, or the application killed?",
    ),
)
"""The first that is found is said."""


@contextlib.contextmanager
def in_words(cluster: Cluster, place: str = "") -> Iterator[None]:
    """A job: what goes wrong in it becomes an error that says what to do."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError, ConnectionError, EOFError) as error:
        raise _worded(cluster, place, str(error)) from None


def _ours(said: str) -> CranfieldError | None:
    """The error that our code raised on a worker, which Spark has told as text."""
    for name, reason in reversed(_OURS.findall(said)):
        kind = getattr(errors, name, None)
        if isinstance(kind, type) and issubclass(kind, CranfieldError) and kind not in _OTHERWISE_MADE:
            return kind(reason)
    return None


def _worded(cluster: Cluster, place: str, said: str) -> CranfieldError:
    ours = _ours(said)
    if ours is not None:
        return ours
    for failure in _FAILURES:
        found = failure.pattern.search(said)
        if found is not None:
            parts = found.groupdict()
            where = next((parts[name] for name in ("place", "inode", "file") if parts.get(name)), place)
            if failure.kind is ClusterError:
                where = cluster.master
            return failure.kind(f"{where}: {failure.words.format(**parts)}")
    return ClusterError(f"{place + ': ' if place else ''}{cluster.master}: the job failed: {first_line(said)}")
