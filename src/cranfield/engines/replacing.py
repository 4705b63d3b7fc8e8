"""A folder that takes the place of another when it is complete."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from cranfield.errors import UsageError
from cranfield.formats.workplaces import clear_left_behind, workplace
from cranfield.formats.writing import writing_folder

_SUFFIX = ".indexing"
_NEW, _OLD = "new", "old"


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A folder to fill that takes the place of the target when all went well; a target that is there stays until then.

    What a process left behind that was killed is put in order, and removed, by the next.
    """
    target = Path(os.path.realpath(target))
    if not target.parent.is_dir():
        raise UsageError(f"{target}: cannot be written: there is no folder {str(target.parent)!r}")

    def save(left_behind: Path) -> None:
        """Where someone was killed between the last two steps, both indexes are there and neither has the name."""
        if (left_behind / _NEW).is_dir() and (left_behind / _OLD).is_dir() and not target.exists():
            os.rename(left_behind / _NEW, target)

    clear_left_behind(target, _SUFFIX, save)
    with workplace(target, _SUFFIX) as aside:
        with writing_folder(aside / _NEW) as place:
            yield place
        if target.exists():
            os.rename(target, aside / _OLD)
        os.rename(aside / _NEW, target)
