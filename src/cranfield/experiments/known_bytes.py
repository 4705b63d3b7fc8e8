"""The hash of the bytes of files and folders, remembered as long as the file system says that they are the same.

As in git's index, a file is the same if its path, size, times and inode are. One thing can escape that: a file that
is changed twice within one tick of the clock, with the hash taken in between. So what was changed just before it was
read is not remembered, and read again the next time.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from cranfield.errors import CranfieldError
from cranfield.evaluation.provenance.fingerprints import of_file
from cranfield.experiments.local_folder import local_folder
from cranfield.experiments.workspace import Workspace
from cranfield.formats.writing import writing

NOTES = "files.json"
TICK = 2_000_000_000
"""Nanoseconds in which a change may leave no trace: the times of FAT, which are the coarsest, are two seconds apart."""


@dataclass(frozen=True)
class Stamp:
    """What the file system says of all files in a place."""

    sha256: str
    """Of their paths, sizes, times and inodes."""
    newest: int
    """When the last of them was written, in nanoseconds."""

    @classmethod
    def of(cls, place: Path) -> Stamp:
        total, newest = hashlib.sha256(), 0
        for file in _files(place):
            stat = file.stat()
            said = (stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)
            total.update(os.fsencode(file.relative_to(place)) + b"\0%d %d %d %d\n" % said)
            newest = max(newest, stat.st_mtime_ns)
        return cls(total.hexdigest(), newest)


@dataclass(frozen=True)
class _Note:
    stamp: str
    sha256: str


def known_bytes(workspace: Workspace, place: Path) -> str:
    """The SHA-256 of a file, or of all files of a folder with their names; OSError if something cannot be read."""
    noted = _noted(workspace)
    key = os.path.relpath(place, workspace.root)
    before, now = Stamp.of(place), time.time_ns()
    if key in noted and noted[key].stamp == before.sha256:
        return noted[key].sha256
    found = _read(place)
    if before.newest + TICK < now and Stamp.of(place) == before:
        _note(workspace, {**noted, key: _Note(before.sha256, found)})
    return found


def _read(place: Path) -> str:
    if not place.is_dir():
        return of_file(str(place))[0].sha256
    total = hashlib.sha256()
    for file in _files(place):
        total.update(f"{of_file(str(file))[0].sha256} ".encode() + os.fsencode(file.relative_to(place)) + b"\n")
    return total.hexdigest()


def _files(place: Path) -> Iterator[Path]:
    if not place.is_dir():
        yield place
    else:
        yield from sorted(each for each in place.rglob("*") if each.is_file())


def _noted(workspace: Workspace) -> dict[str, _Note]:
    try:
        content = json.loads((workspace.state / NOTES).read_bytes())
        return {str(key): _Note(**note) for key, note in content.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _note(workspace: Workspace, notes: dict[str, _Note]) -> None:
    kept = {key: asdict(note) for key, note in notes.items() if (workspace.root / key).exists()}
    # Without a note the bytes are read again, which is no reason to fail.
    with contextlib.suppress(CranfieldError), writing(local_folder(workspace.state) / NOTES) as out:
        out.write(json.dumps(kept, indent=1).encode("utf-8", "backslashreplace"))
