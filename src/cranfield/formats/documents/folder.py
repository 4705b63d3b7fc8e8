"""A folder and those in it: every file, in the order of the names."""

from __future__ import annotations

import os
from collections.abc import Iterator

from cranfield.errors import DataError, UsageError
from cranfield.formats.documents.members import Member, is_left_out, refuse_name
from cranfield.formats.files import open_source


def iter_members(folder: str) -> Iterator[Member]:
    """The files below a folder, each open until the next is asked for; hidden ones are left out."""
    yield from _iter_below(folder, "")


def _iter_below(folder: str, below: str) -> Iterator[Member]:
    here = os.path.join(folder, below) if below else folder
    try:
        with os.scandir(here) as listed:
            entries = sorted((entry.name, entry.is_dir(), entry.is_symlink()) for entry in listed)
    except OSError as error:
        raise UsageError(f"{here}: cannot be read: {error.strerror or error}") from None
    for name, is_folder, is_link in entries:
        path = f"{below}/{name}" if below else name
        if is_left_out(name):
            continue
        refuse_name(path, folder)
        if is_folder and is_link:
            raise DataError(f"{os.path.join(folder, path)}: links to folders are not followed. Name the folder itself.")
        if is_folder:
            yield from _iter_below(folder, path)
            continue
        with open_source(os.path.join(folder, path)) as source:
            yield Member(path, source)
