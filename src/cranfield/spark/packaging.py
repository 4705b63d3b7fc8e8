"""An archive of what workers need, made of what is installed here: no network, and the same versions."""

from __future__ import annotations

import os
import re
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from cranfield.errors import UsageError
from cranfield.formats.writing import writing
from cranfield.spark.probe import PACKAGES

FOLDER = "cranfield"
"""Where workers unpack it."""
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_LEFT_OUT = (".pyc", ".pyi", ".h")
_WITHOUT_TESTS = ("pandas", "pyarrow", "scipy")
"""Whose own tests are large, and which need none of them to run."""


@dataclass(frozen=True)
class Packed:
    """What is in an archive."""

    versions: dict[str, str]
    files: int
    python: str
    """Of which Python the workers must be; the same operating system and processor too."""


def pack(path: str | os.PathLike[str]) -> Packed:
    """Write a .tar.gz with Cranfield and the packages its jobs use, as Spark unpacks it on workers (`--archives`)."""
    if not os.fspath(path).endswith(".tar.gz"):
        raise UsageError(f"{os.fspath(path)}: Spark unpacks an archive by its name, which has to end in .tar.gz")
    versions = dict[str, str]()
    files = 0
    # What is written to a file of that name is packed with gzip already.
    with writing(path) as out, tarfile.open(fileobj=out, mode="w|", dereference=True) as archive:
        for package in _needed():
            versions[package.name] = package.version
            for name, place in _files(package):
                archive.add(place, arcname=name, recursive=False)
                files += 1
    return Packed(versions, files, f"{sys.version_info.major}.{sys.version_info.minor}")


def _needed() -> list[Distribution]:
    """Cranfield, what its jobs use, and what these need in turn."""
    found = dict[str, Distribution]()
    wanted = list(PACKAGES)
    while wanted:
        name = wanted.pop().lower().replace("_", "-")
        if name in found:
            continue
        try:
            package = distribution(name)
        except PackageNotFoundError:  # what is needed on another system, or by another Python
            continue
        found[name] = package
        for line in package.requires or ():
            if "extra ==" not in line and (begin := _NAME.match(line)):
                wanted.append(begin[0])
    return [found[name] for name in sorted(found)]


def _files(package: Distribution) -> Iterator[tuple[str, Path]]:
    """Names in the archive, and where they are."""
    if package.name == "cranfield":
        root = Path(__file__).parents[1]
        for place in sorted(root.rglob("*")):
            if place.is_file() and "__pycache__" not in place.parts:
                yield str(place.relative_to(root.parent)), place
        return
    for file in package.files or ():
        place = Path(str(file.locate()))
        of_tests = "tests" in file.parts and package.name in _WITHOUT_TESTS
        if ".." not in file.parts and not of_tests and file.suffix not in _LEFT_OUT and place.is_file():
            yield str(file), place
