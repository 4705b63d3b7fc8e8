"""What fails on a cluster, in words."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from cranfield.errors import ClusterError, CranfieldError
from cranfield.spark.session import Cluster

_OURS = re.compile(r"^(?:cranfield\.errors\.)?(\w+Error): (.+)$", re.MULTILINE)


@contextlib.contextmanager
def in_words(cluster: Cluster, place: str = "") -> Iterator[None]:
    """A job: what goes wrong in it becomes an error that says what to do."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise _worded(cluster, place, str(error)) from None


def _worded(cluster: Cluster, place: str, said: str) -> CranfieldError:
    first = next(line for line in said.strip().split("\n") if line.strip())
    return ClusterError(f"{place + ': ' if place else ''}{cluster.master}: the job failed: {first}")
