"""Folders that all workers see, on whatever file system, and that are gone in the end."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cranfield.errors import ClusterError, UsageError
from cranfield.spark.failures import in_words
from cranfield.spark.folders import already_there, on_file_system

if TYPE_CHECKING:
    from cranfield.spark.session import Cluster


@contextlib.contextmanager
def scratch_folder(cluster: Cluster, near: str, chosen: str | None = None) -> Iterator[str]:
    """The address of a new folder: beside a place that all workers read, or inside the one that was chosen."""
    name = f"cranfield-scratch-{uuid.uuid4().hex}"
    wanted = f"{chosen.rstrip('/')}/{name}" if chosen else f"{near.rstrip('/')}.{name}"
    system, path = on_file_system(cluster, wanted)
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
        system, path = on_file_system(cluster, folder)
        system.delete(path, True)


def refuse_old(cluster: Cluster, folder: str) -> None:
    """An error if there is something of that name, before hours are spent on what was to go there; before there is a
    session, if it is a path."""
    if ":/" not in folder:
        if os.path.exists(folder):
            raise already_there(folder)
        return
    system, path = on_file_system(cluster, folder)
    with in_words(cluster, folder):
        there = system.exists(path)
    if there:
        raise already_there(folder)
