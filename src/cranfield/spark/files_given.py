"""The files that names stand for: paths here, or whatever addresses Spark reads."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from cranfield.errors import UsageError
from cranfield.spark.failures import in_words

if TYPE_CHECKING:
    from cranfield.spark.session import Cluster

_PATTERN = re.compile(r"[*?\[\]{}]")
_PARQUET = (".parquet", ".pq")
_NOT_UNPACKED = (".zst", ".zstd", ".xz", ".zip", ".7z")


class File(NamedTuple):
    """One file."""

    address: str
    """What Spark reads it by."""
    said: str
    """What rows say that they come from."""
    bytes: int

    @property
    def packed(self) -> bool:
        return self.address.lower().endswith((".gz", ".bz2", *_PARQUET))


class Given(NamedTuple):
    """What a name stands for: a file, or a folder of files that are one table."""

    name: str
    files: tuple[File, ...]
    kind: Literal["text", "parquet"]


def find(cluster: Cluster, names: Sequence[str]) -> list[Given]:
    """The files of each name, in the order of the names.

    A folder is one table, as Spark writes them; a pattern (`runs/*.run`) stands for all that it matches, each by
    itself.
    """
    session = cluster.session()
    assert session._jvm is not None
    java: Any = session._jvm.org.apache.hadoop.fs
    settings = session._jsc.hadoopConfiguration()
    found = list[Given]()
    for name in names:
        if name == "-":
            raise UsageError("standard input cannot be read by Spark: name a file that all workers see")
        with in_words(cluster, name):
            found += _found(java, settings, name)
    return found


def _found(java: Any, settings: Any, name: str) -> Iterator[Given]:
    here = "://" not in name and not name.startswith("file:")
    path = java.Path("file", None, os.path.abspath(name)) if here else java.Path(name)
    system = path.getFileSystem(settings)
    pattern = bool(_PATTERN.search(name)) and not (here and os.path.exists(name))
    matches = system.globStatus(path) if pattern else [system.getFileStatus(path)] if system.exists(path) else []
    if not matches:
        raise UsageError(f"{name}: there is no such file{'' if here else ' that Spark could find'}")
    for match in matches:
        yield _given(system, match, _plain(match, here) if pattern else name)


def _given(system: Any, match: Any, name: str) -> Given:
    files = tuple(sorted(_files(system, match)))
    if not files:
        raise UsageError(f"{name}: this is a folder without any file")
    packed = next((file for file in files if file.address.lower().endswith(_NOT_UNPACKED)), None)
    if packed is not None:
        raise UsageError(f"{name}: Spark unpacks gzip, and not this. Unpack it, or pack it with gzip (.gz)")
    parquet = {file.address.lower().endswith(_PARQUET) for file in files}
    if len(parquet) > 1:
        raise UsageError(f"{name}: some files of the folder are Parquet and some are not; a folder is one table")
    return Given(name, files, "parquet" if parquet.pop() else "text")


def _files(system: Any, match: Any) -> Iterator[File]:
    if not match.isDirectory():
        yield _file(match)
        return
    for inner in system.listStatus(match.getPath()):
        if not inner.getPath().getName().startswith(("_", ".")):
            yield from _files(system, inner)


def _file(status: Any) -> File:
    path = status.getPath()
    escaped = re.sub(r"([\\*?\[\]{}])", r"\\\1", path.toString())
    return File(escaped, path.toUri().toString().replace("file:///", "file:/"), status.getLen())


def _plain(match: Any, here: bool) -> str:
    path = match.getPath()
    return str(path.toUri().getPath() if here else path.toString())
