"""What Spark says of failures that cannot be had at will, and what becomes of it. The texts are Spark 4.0's own, cut."""

from __future__ import annotations

import pytest

from cranfield.errors import ClusterError, CranfieldError, DataError, FormatError
from cranfield.spark.failures import in_words
from cranfield.spark.packaging import pack
from cranfield.spark.session import Cluster
from tests.cli.running import run_cranfield

pyspark_errors = pytest.importorskip("pyspark.errors")

JAVA = "An error occurred while calling o132.collectToPython.\n: "
STACK = (
    "\n\tat org.apache.spark.rdd.RDD.collect(RDD.scala:1057)\n\tat java.base/java.lang.Thread.run(Thread.java:840)\n"
)
ABORTED = "org.apache.spark.SparkException: Job aborted due to stage failure: "

SAID = {
    "memory": (
        f"{JAVA}{ABORTED}Task 3 in stage 1.0 failed 4 times, most recent failure: Lost task 3.3 in stage 1.0 (TID 9) "
        f"(10.0.0.4 executor 1): java.lang.OutOfMemoryError: Java heap space{STACK}",
        "memory did not do: give more by --conf spark.executor.memory",
    ),
    "a lost worker": (
        f"{JAVA}{ABORTED}Task 3 in stage 1.0 failed 4 times, most recent failure: Lost task 3.3 in stage 1.0 (TID 9) "
        "(10.0.0.4 executor 7): ExecutorLostFailure (executor 7 exited caused by one of the running tasks) Reason: "
        f"Command exited with code 137{STACK}",
        "workers were lost again and again in the same task, the last was executor 7",
    ),
    "a disk": (f"{JAVA}java.io.IOException: No space left on device{STACK}", "a disk is full"),
    "executors": (
        f"{JAVA}{ABORTED}Master removed our application: FAILED{STACK}",
        "executors ended as soon as they were started. Have the workers Java 17 or 21",
    ),
    "a setting": (
        f"{JAVA}java.lang.IllegalArgumentException: spark.sql.shuffle.partitions should be int, but was many{STACK}",
        "yarn: the setting spark.sql.shuffle.partitions (--conf) is many, which is no int",
    ),
    "the end": (
        f"{JAVA}{ABORTED}Job 0 cancelled because SparkContext was shut down{STACK}",
        "Spark ended before the job did",
    ),
    "rights": (
        f"{JAVA}{ABORTED}Task 0 failed: java.io.FileNotFoundException: /shared/a.parquet (Permission denied){STACK}",
        "/shared/a.parquet: may not be read here or by a worker",
    ),
    "another version": (
        'Traceback (most recent call last):\n  File "worker.py", line 1\nModuleNotFoundError: No module named '
        f"'cranfield.spark.query_values'\n{STACK}",
        "workers have another version of Cranfield",
    ),
    "what nobody foresaw": (
        f"{JAVA}java.lang.IllegalStateException: something else{STACK}",
        "the job failed: something else",
    ),
    "what nobody foresaw in Python": (
        f'An exception was thrown from the Python worker.\nTraceback (most recent call last):\n  File "a.py", line 3\n'
        f"ZeroDivisionError: division by zero\n{STACK}",
        "the job failed: division by zero",
    ),
}


def worded(said: str, place: str = "") -> CranfieldError:
    with pytest.raises(CranfieldError) as failure, in_words(Cluster("yarn"), place):
        raise pyspark_errors.PySparkException(said)
    return failure.value


@pytest.mark.parametrize("name", SAID)
def test_failures_in_words(name: str) -> None:
    said, expected = SAID[name]
    found = str(worded(said))
    assert expected in found
    assert "\n" not in found
    assert "org.apache" not in found


def test_what_our_own_code_says_on_a_worker_is_said_here() -> None:
    said = f'Traceback (most recent call last):\n  File "a.py", line 3\ncranfield.errors.FormatError: a.run:3: no score\n{STACK}'
    found = worded(said, "other")
    assert isinstance(found, FormatError)
    assert str(found) == "a.run:3: no score"


def test_whose_fault_it_is_decides_the_kind() -> None:
    assert type(worded(SAID["memory"][0])) is ClusterError
    assert type(worded(SAID["rights"][0])) is DataError


def test_java_that_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ClusterError, match="yarn"), in_words(Cluster("yarn")):
        raise ConnectionResetError(104, "Connection reset by peer")


def test_an_archive_that_spark_could_not_unpack(tmp_path: object) -> None:
    with pytest.raises(CranfieldError, match=r"which has to end in \.tar\.gz"):
        pack(f"{tmp_path}/workers.zip")
    done = run_cranfield("spark", "package", "-o", f"{tmp_path}/workers.zip")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
