"""Tables written as folders of Parquet, which have their name only when they are complete."""

from __future__ import annotations

import os
import uuid
from typing import TYPE_CHECKING, Any

from cranfield.errors import UsageError
from cranfield.spark.failures import in_words

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from cranfield.spark.session import Cluster


def write_folder(cluster: Cluster, table: DataFrame, folder: str) -> None:
    """Write under another name beside it, and rename: whoever finds the folder finds all of it, with `_SUCCESS`."""
    system, path = on_file_system(cluster, folder)
    with in_words(cluster, folder):
        if system.exists(path):
            raise already_there(folder)
        _, unfinished = on_file_system(cluster, f"{path.getParent()}/.{path.getName()}.{uuid.uuid4().hex}.unfinished")
        try:
            table.write.parquet(unfinished.toString())
            if not system.rename(unfinished, path):
                raise UsageError(f"{folder}: what was written could not be given its name")
        finally:
            system.delete(unfinished, True)


def on_file_system(cluster: Cluster, place: str) -> tuple[Any, Any]:
    """The file system that a place is on, and its path there; what has no scheme is a path here."""
    session = cluster.session()
    assert session._jvm is not None
    java: Any = session._jvm.org.apache.hadoop.fs
    path = java.Path(place) if ":/" in place else java.Path("file", None, os.path.abspath(place))
    with in_words(cluster, place):
        return path.getFileSystem(session._jsc.hadoopConfiguration()), path


def already_there(folder: str) -> UsageError:
    """What is wrong with the name of a folder that is to be written."""
    return UsageError(f"{folder}: there is something of that name already; name a folder that is not there")
