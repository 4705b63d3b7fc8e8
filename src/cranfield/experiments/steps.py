"""What has to be made in a workspace, in order: `cranfield status` and `cranfield update` go by the same list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cranfield.errors import DataError
from cranfield.experiments.staleness import SystemState, WorkspaceStatus


@dataclass(frozen=True)
class Step:
    """Something to make: the index or the run of a system, or the report on all of them."""

    what: Literal["index", "run", "report"]
    of: str
    """The name of the system, or of the workspace."""
    why: str
    target: Path

    def __str__(self) -> str:
        return f"{self.what} of {self.of} ({self.why})"


def plan(found: WorkspaceStatus, systems: Sequence[str] = ()) -> list[Step]:
    """What has to be made, for all systems or these: the index of a system, if its run needs one, the run, the report.

    Systems may share an index, which is made once. What is `unusable` is left out. A report is made again if there is
    one, with systems to be about, and all that it is about will be current then.
    """
    steps: dict[Path, Step] = {}
    left = []
    for one in found.systems:
        if one.run.current:
            continue
        if one.unusable or (systems and one.system.name not in systems):
            left.append(one)
            continue
        if one.folder is not None and not one.index.current:
            steps.setdefault(one.folder, Step("index", one.system.name, str(one.index), one.folder))
        run = found.workspace.run_file(one.system)
        steps[run] = Step("run", one.system.name, str(one.run), run)
    if found.report.condition == "stale" and found.systems and not left:
        report = found.workspace.report
        steps[report] = Step("report", found.workspace.name, str(found.report), report)
    return list(steps.values())


def unusable(found: WorkspaceStatus, systems: Sequence[str] = ()) -> list[SystemState]:
    """Of all systems or these, those of which nothing can be made before someone puts them right."""
    return [one for one in found.systems if one.unusable and (not systems or one.system.name in systems)]


def refuse_problems(found: WorkspaceStatus) -> None:
    """An error that names all that is missing or cannot be read of documents, topics and judgments."""
    if wrong := found.unreadable:
        raise DataError("\n  ".join(f"{name}: {problem}" for name, problem in wrong.items()))
