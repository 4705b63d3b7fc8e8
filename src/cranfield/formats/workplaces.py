"""Folders in which something is made before it takes its name: hidden beside it, and locked while someone works there.

A lock is gone with the process that holds it. So what a process left behind that was killed can be told from what
another is at work on, and is removed by the next that makes the same.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from cranfield.errors import UsageError


@contextlib.contextmanager
def workplace(target: Path, suffix: str) -> Iterator[Path]:
    """A folder of this process alone, beside the target, which is gone in the end unless it has got another name."""
    while True:
        try:
            made = tempfile.mkdtemp(prefix=_prefix(target), suffix=suffix, dir=target.parent)
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


def clear_left_behind(target: Path, suffix: str, save: Callable[[Path], None] | None = None) -> None:
    """Remove the folders of this target in which nobody works any more; `save` may take something out before that."""
    made = re.compile(rf"{re.escape(_prefix(target))}[a-z0-9_]{{8}}{re.escape(suffix)}")
    for folder in [path for path in target.parent.iterdir() if made.fullmatch(path.name)]:
        with _locked(folder, wait=False) as mine:
            if mine and save is not None:
                save(folder)
            if mine:
                shutil.rmtree(folder, ignore_errors=True)


def _prefix(target: Path) -> str:
    return f".{target.name[:100]}."


@contextlib.contextmanager
def _locked(folder: Path, *, wait: bool) -> Iterator[bool]:
    """Whether this process has a folder for itself."""
    try:
        import fcntl

        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
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
