"""Folders of files that are of use on this machine only, and can be made again."""

from __future__ import annotations

from pathlib import Path

from cranfield.errors import UsageError


def local_folder(path: Path) -> Path:
    """The folder, made if it is not there, and of no interest to git."""
    try:
        path.mkdir(exist_ok=True)
        ignored = path / ".gitignore"
        if not ignored.exists():
            ignored.write_text("*\n")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from None
    return path
