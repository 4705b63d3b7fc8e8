"""Writing so that nothing is lost: a file takes its name only when it is complete."""

from __future__ import annotations

import contextlib
import gzip
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from cranfield.errors import UsageError
from cranfield.formats import zstd
from cranfield.formats.workplaces import clear_left_behind, workplace

_UNFINISHED = ".part"


@contextlib.contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to that takes its name only when all is written; an old file survives any failure.

    `-` is standard output; a name ending in .gz or .zst is packed.
    """
    if os.fspath(path) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = _place(path)
    if _in_place(target):
        with _writing_in_place(target) as out:
            yield out
        return
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=_UNFINISHED, dir=target.parent)
    except OSError as error:
        raise UsageError(f"{target}: cannot be written: {error.strerror or error}") from None
    try:
        with os.fdopen(handle, "wb") as raw:
            with _packing(raw, target) as out:
                yield out
            raw.flush()
            os.fsync(raw.fileno())
        _give_usual_rights(temporary, target)
        os.replace(temporary, target)
    except OSError as error:
        raise UsageError(f"{target}: cannot be written: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def check_writable(path: str | os.PathLike[str]) -> None:
    """An error at once, and not after long work, where `writing` would not be able to begin.

    Whether a folder can be written to is only known by trying.
    """
    if os.fspath(path) == "-" or _in_place(target := _place(path)):
        return
    try:
        tempfile.TemporaryFile(dir=target.parent).close()
    except OSError as error:
        raise UsageError(f"{target}: cannot be written: {error.strerror or error}") from None


@contextlib.contextmanager
def writing_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A folder to fill that takes its name only when all is in it; one that is there and not empty is refused."""
    target = Path(path)
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise UsageError(f"{target}: this is there already; give another name, or remove it first")
    target = target.absolute()
    if not target.parent.is_dir():
        raise UsageError(f"{path}: cannot be written: there is no folder {str(Path(path).parent)!r}")
    clear_left_behind(target, _UNFINISHED)
    with workplace(target, _UNFINISHED) as place:
        try:
            yield place
            os.chmod(place, 0o777 & ~_umask())
            os.rename(place, target)  # takes the place of an empty folder
        except OSError as error:
            raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from None


def _place(path: str | os.PathLike[str]) -> Path:
    """Where a file of this name is written, in a folder that is there."""
    target = Path(path)
    if target.is_dir():
        raise UsageError(f"{target}: this is a directory; give the name of a file")
    if _in_place(target):
        return target  # what links such as /dev/stdout lead to may have no name
    target = _behind_links(target)
    if not target.parent.is_dir():
        raise UsageError(f"{target}: cannot be written: there is no folder {str(target.parent)!r}")
    return target


def _in_place(target: Path) -> bool:
    """Whether it is a pipe or a device such as /dev/null, which must not be replaced by a file."""
    return target.exists() and not target.is_file()


@contextlib.contextmanager
def _writing_in_place(target: Path) -> Iterator[BinaryIO]:
    try:
        with open(target, "wb") as raw:
            yield raw
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"{target}: cannot be written: {error.strerror or error}") from None


def _behind_links(target: Path) -> Path:
    """The file a symbolic link leads to: that one is replaced, the link stays."""
    return Path(os.path.realpath(target)) if target.is_symlink() else target


def _give_usual_rights(temporary: str, target: Path) -> None:
    """mkstemp makes files only the owner can read; give the rights the file had, or a new file would have."""
    os.chmod(temporary, stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask())


def _umask() -> int:
    """Which rights are not given; there is no way to ask but to set it."""
    umask = os.umask(0)
    os.umask(umask)
    return umask


@contextlib.contextmanager
def _packing(raw: BinaryIO, target: Path) -> Iterator[BinaryIO]:
    if target.suffix == ".gz":
        # As the command gzip does; Python's own 9 takes several times as long for one part in a hundred.
        with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0) as packed:
            yield cast(BinaryIO, packed)
    elif target.suffix in (".zst", ".zstd"):
        with zstd.writer(raw) as zipped:
            yield zipped
    else:
        yield raw
