"""Where the workspace is: the little that every command needs to know, whether it is given in one or not."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cranfield.experiments.workspace import Workspace

FILE = "cranfield.toml"
PARTS = ("train", "validation", "test")
"""What a workspace may be divided into."""


def find_workspace(start: str | os.PathLike[str] = ".") -> Workspace | None:
    """The workspace that a folder is in: the nearest `cranfield.toml`, here or above; None if there is none."""
    folder = os.path.abspath(start)
    while not os.path.isfile(os.path.join(folder, FILE)):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    from pathlib import Path

    from cranfield.experiments.workspace_file import read_workspace

    return read_workspace(Path(folder))
