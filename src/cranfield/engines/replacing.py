"""A folder that takes the place of another when it is complete."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cranfield.errors import UsageError
from cranfield.formats.writing import writing_folder

_SUFFIX = ".indexing"
_NEW, _OLD = "new", "old"


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A folder to fill that takes the place of the target when all went well; a target that is there stays until then.

    It is within a hidden one beside the target, which is locked as long as someone works in it: what a process left
    behind that was killed is put in order, and removed, by the next.
    """
    target = Path(os.path.realpath(target))
    if not target.parent.is_dir():
        raise UsageError(f"{target}: cannot be written: there is no folder {str(target.parent)!r}")
    for left_behind in _beside(target):
        _clear(left_behind, target)
    with _workplace(target) as aside:
        with writing_folder(aside / _NEW) as place:
            yield place
        if target.exists():
            os.rename(target, aside / _OLD)
        os.rename(aside / _NEW, target)


@contextlib.contextmanager
def _workplace(target: Path) -> Iterator[Path]:
    """A hidden folder of this process alone, beside the target, which is gone in the end."""
    while True:
        try:
            made = tempfile.mkdtemp(prefix=_prefix(target), suffix=_SUFFIX, dir=target.parent)
        except OSError as error:
            raise UsageError(f"{target}: cannot be written: {error.strerror or error}") from None
        with _locked(Path(made), wait=True):
            if not os.path.isdir(made):
                continue  # another process took it for left behind before it was locked
            try:
                yield Path(made)
            finally:
                shutil.rmtree(made, ignore_errors=True)
            return


def _beside(target: Path) -> list[Path]:
    """The hidden folders that were made for this target."""
    made = re.compile(rf"{re.escape(_prefix(target))}[a-z0-9_]{{8}}{re.escape(_SUFFIX)}")
    return [path for path in target.parent.iterdir() if made.fullmatch(path.name)]


def _prefix(target: Path) -> str:
    return f".{target.name[:100]}."


def _clear(left_behind: Path, target: Path) -> None:
    """Remove a folder that nobody works in; one whose owner was killed between the last two steps has both indexes."""
    with _locked(left_behind, wait=False) as mine:
        if not mine:
            return
        if (left_behind / _NEW).is_dir() and (left_behind / _OLD).is_dir() and not target.exists():
            os.rename(left_behind / _NEW, target)
        shutil.rmtree(left_behind, ignore_errors=True)


@contextlib.contextmanager
def _locked(folder: Path, *, wait: bool) -> Iterator[bool]:
    """Whether this process has a folder for itself; a lock is gone with the process that holds it."""
    try:
        import fcntl

        handle = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):  # a system without such locks, or a folder that has just gone
        yield False
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        mine = True
    except OSError:
        mine = False
    try:
        yield mine
    finally:
        os.close(handle)
