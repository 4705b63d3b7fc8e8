"""Folders that all workers see, on whatever file system, and that are gone in the end."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cranfield.errors import ClusterError, UsageError
from cranfield.spark.failures import in_words
from cranfield.spark.folders import already_there

if TYPE_CHECKING:
    from cranfield.spark.session import Cluster


@contextlib.contextmanager
def scratch_folder(cluster: Cluster, near: str, chosen: str | None = None) -> Iterator[str]:
    """The address of a new folder: beside a place that all workers read, or inside the one that was chosen."""
    name = f"cranfield-scratch-{uuid.uuid4().hex}"
    wanted = f"{chosen.rstrip('/')}/{name}" if chosen else f"{near.rstrip('/')}.{name}"
    system, path = _on(cluster, wanted)
    try:
        with in_words(cluster):
            made = system.mkdirs(path)
    except ClusterError:
        made = False
    if not made:
        raise UsageError(f"{wanted}: this folder cannot be made; name one in which all workers may write (--scratch)")
    try:
        yield path.toString()
    finally:
        remove_folder(cluster, path.toString())


def remove_folder(cluster: Cluster, folder: str) -> None:
    """With all that is in it."""
    from py4j.protocol import Py4JError

    with contextlib.suppress(Py4JError):
        system, path = _on(cluster, folder)
        system.delete(path, True)


def refuse_old(cluster: Cluster, folder: str) -> None:
    """An error if there is something of that name, before hours are spent on what was to go there; before there is a
    session, if it is a path."""
    if ":/" not in folder:
        if os.path.exists(folder):
            raise already_there(folder)
        return
    system, path = _on(cluster, folder)
    with in_words(cluster, folder):
        there = system.exists(path)
    if there:
        raise already_there(folder)


def _on(cluster: Cluster, place: str) -> tuple[Any, Any]:
    """The file system that a place is on, and its path there; what has no scheme is a path here."""
    session = cluster.session()
    assert session._jvm is not None
    java: Any = session._jvm.org.apache.hadoop.fs
    path = java.Path(place) if ":/" in place else java.Path("file", None, os.path.abspath(place))
    with in_words(cluster, place):
        return path.getFileSystem(session._jsc.hadoopConfiguration()), path
