"""Whether a cluster has all that jobs need, one check after another, and what to do about what it lacks."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import unquote, urlsplit

from cranfield.errors import CranfieldError
from cranfield.spark import probe
from cranfield.spark.failures import HOW, SEEN_BY_ALL, in_words
from cranfield.spark.java import find_java
from cranfield.spark.session import Cluster

_TASKS_A_CORE = 4
_SECONDS_A_TASK = 0.25


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    what: str
    fine: bool
    found: str
    advice: str = ""
    """What to do, if it is not fine."""


def examine(cluster: Cluster, paths: Sequence[str] = ()) -> Iterator[Check]:
    """The checks as they are made. After one that is not fine, those that rest on it are not made."""
    for check in _here():
        yield check
        if not check.fine:
            return
    begin = time.perf_counter()
    try:
        cluster.session()
    except CranfieldError as error:
        yield Check("session", fine=False, found=str(error), advice="docs/spark/faults.md says what this can be")
        return
    yield Check("session", fine=True, found=f"{cluster.master}, in {time.perf_counter() - begin:.0f} s")
    here = {path: _path_here(path) for path in paths}
    try:
        found = _ask(cluster, tuple(path for path in here.values() if path is not None))
    except CranfieldError as error:
        yield Check("workers", fine=False, found=str(error), advice=f"see the logs of the workers; {HOW}")
        return
    yield from _workers(found)
    for path, local in here.items():
        yield _address(cluster, path) if local is None else _path(path, local, found)


def _here() -> Iterator[Check]:
    try:
        yield Check("pyspark", fine=True, found=version("pyspark"))
    except PackageNotFoundError:
        yield Check("pyspark", fine=False, found="is not installed", advice="pip install 'cranfield[spark]'")
        return
    try:
        java = find_java()
    except CranfieldError as error:
        yield Check("Java", fine=False, found=str(error), advice="install Java 17 or 21, and set JAVA_HOME to it")
        return
    yield Check("Java", fine=True, found=f"{java.version} ({java.command})")


def _ask(cluster: Cluster, paths: tuple[str, ...]) -> list[dict[str, Any]]:
    """What workers say of themselves: each executor once."""
    pyspark: Any = import_module("pyspark")

    # By value, since the workers may lack the module: that is what is asked.
    pyspark.cloudpickle.register_pickle_by_value(probe)
    try:
        look = probe.look

        def answer(_: int) -> dict[str, Any]:
            time.sleep(_SECONDS_A_TASK)  # so that one worker does not answer for all
            return look(paths)

        # Nor may this module be needed there.
        answer.__module__ = "__main__"
        context = cluster.session().sparkContext
        tasks = max(context.defaultParallelism, 2) * _TASKS_A_CORE
        with in_words(cluster):
            found = context.parallelize(range(tasks), tasks).map(answer).collect()
    finally:
        pyspark.cloudpickle.unregister_pickle_by_value(probe)
    by_executor = {(one["host"], one["executor"]): one for one in found}
    return [by_executor[key] for key in sorted(by_executor)]


def _workers(found: list[dict[str, Any]]) -> Iterator[Check]:
    hosts = ", ".join(sorted({one["host"] for one in found}))
    yield Check("workers", fine=True, found=f"{len(found)} answered, on {hosts}")
    pythons = ", ".join(sorted({f"{one['python']} ({one['command']})" for one in found}))
    yield Check("Python of workers", fine=True, found=f"{pythons}, here {platform.python_version()}")
    here = probe.look(())["versions"]
    for name in probe.PACKAGES:
        yield _package(name, here[name], {one["versions"][name] for one in found})


def _package(name: str, here: str, there: set[str]) -> Check:
    said = ", ".join(sorted(one or "is not there" for one in there))
    if "" in there:
        return Check(name, fine=False, found=said, advice=f"install {name} {here} on all workers; {HOW}")
    if there != {here}:
        return Check(name, fine=False, found=f"{said}, here {here}", advice=f"install {name} {here} there; {HOW}")
    return Check(name, fine=True, found=said)


def _path_here(path: str) -> str | None:
    """A path of files, which is looked at as such; None for any other address."""
    if "://" not in path and not path.startswith("file:"):
        return os.path.abspath(path)
    parts = urlsplit(path)
    return unquote(parts.path) if parts.scheme == "file" else None


def _path(path: str, local: str, found: list[dict[str, Any]]) -> Check:
    here = probe.look((local,))["paths"][local]
    blind = sorted({one["host"] for one in found if one["paths"][local] is None})
    if blind and here is None:
        return Check(path, fine=False, found="is not there, or may not be read", advice="name what is there")
    if blind:
        where = f"is seen here, but not by workers on {', '.join(blind)}"
        return Check(path, fine=False, found=where, advice=SEEN_BY_ALL)
    if any(one["paths"][local] != here for one in found):
        return Check(path, fine=False, found="is not the same here and on the workers", advice=SEEN_BY_ALL)
    return Check(path, fine=True, found="is seen by all")


def _address(cluster: Cluster, path: str) -> Check:
    """An address that Spark alone can read."""
    try:
        with in_words(cluster, path):
            cluster.session().read.option("recursiveFileLookup", "true").text(path).limit(1).count()
    except CranfieldError as error:
        return Check(path, fine=False, found=str(error), advice="set what Spark needs for it by --conf")
    return Check(path, fine=True, found="can be read")
