"""Making what is stale in a workspace: indexes, then runs."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cranfield.engines.index_record import IndexedCollection, IndexRecord, read_index_record
from cranfield.engines.indexing import build_index
from cranfield.engines.search_files import SearchRequest, forget_another_search, search_to_file
from cranfield.engines.searching import SearchOutcome, Tell
from cranfield.errors import CranfieldError, DataError, EngineError, UsageError
from cranfield.experiments import materials
from cranfield.experiments.local_folder import local_folder
from cranfield.experiments.staleness import WorkspaceStatus, status
from cranfield.experiments.systems import configuration, index_folder, system_engine
from cranfield.experiments.workspace import System, Workspace


@dataclass(frozen=True)
class Step:
    """Something to make: the index or the run of a system."""

    what: Literal["index", "run"]
    system: System
    why: str
    target: Path

    def __str__(self) -> str:
        return f"{self.what} of {self.system.name} ({self.why})"


@dataclass(frozen=True)
class StepDone:
    """What came of a step."""

    step: Step
    seconds: float
    error: CranfieldError | None = None


def plan(found: WorkspaceStatus, systems: Sequence[str] = ()) -> list[Step]:
    """What has to be made, in order: the index of a system, if its run needs one, and the run. One index for many."""
    steps: dict[Path, Step] = {}
    for one in found.systems:
        if one.run.current or (systems and one.system.name not in systems):
            continue
        if one.folder is not None and not one.index.current:
            steps.setdefault(one.folder, Step("index", one.system, str(one.index), one.folder))
        run = found.workspace.run_file(one.system)
        steps[run] = Step("run", one.system, str(one.run), run)
    return list(steps.values())


def update(
    workspace: Workspace,
    systems: Sequence[str] = (),
    *,
    begin: Callable[[Step, int, int], None] | None = None,
    tell: Tell | None = None,
    command: str | None = None,
) -> Iterator[StepDone]:
    """Make all that is stale, or what these systems need; each step is given out when it is done.

    What fails is given out with its error, and the steps of other systems go on. Call it within `lock.locked`.
    """
    for name in systems:
        workspace.system(name)
    found = status(workspace)
    if problems := [one.problem for one in (found.documents, found.topics) if one.problem]:
        raise DataError("; ".join(dict.fromkeys(problems)))
    _tidy(workspace)
    indexes = {one.system.name: one.folder for one in found.systems if one.folder is not None}
    failed: set[Path | None] = set()
    steps = plan(found, systems)
    for number, step in enumerate(steps, 1):
        if indexes.get(step.system.name) in failed:
            continue
        if begin is not None:
            begin(step, number, len(steps))
        done = do(workspace, step, tell=tell, command=command)
        if done.error is not None and step.what == "index":
            failed.add(step.target)
        yield done


def do(workspace: Workspace, step: Step, *, tell: Tell | None = None, command: str | None = None) -> StepDone:
    """Make one thing; what goes wrong is in what is given back."""
    begun, error = time.perf_counter(), None
    try:
        if step.what == "index":
            index_system(workspace, step.system)
        else:
            _complete(search_system(workspace, step.system, tell=tell, command=command))
    except CranfieldError as found:
        error = found
    except OSError as found:
        error = UsageError(f"{step.target}: cannot be written: {found.strerror or found}")
    return StepDone(step, time.perf_counter() - begun, error)


def index_system(workspace: Workspace, system: System) -> IndexRecord:
    """Index the documents of the workspace with the engine of a system."""
    folder = index_folder(workspace, system)
    if folder is None:
        raise UsageError(f"{system.name}: the engine {system.engine} is given no documents: search it")
    local_folder(folder.parent)
    with contextlib.chdir(workspace.root):  # the files that parameters name are relative to it
        return build_index(materials.collection(workspace), system.engine, system.parameters, folder, force=True)


def search_system(
    workspace: Workspace, system: System, *, tell: Tell | None = None, command: str | None = None
) -> SearchOutcome:
    """Put the topics of the workspace to a system, and write its run; what a search before it found is not lost."""
    folder = index_folder(workspace, system)
    indexed: IndexedCollection | None = None if folder is None else read_index_record(folder).collection
    request = SearchRequest(
        topics=materials.topics(workspace),
        k=system.k,
        fields=system.fields,
        collection=indexed,
        configuration=configuration(workspace, system),
    )
    output = workspace.run_file(system)
    output.parent.mkdir(exist_ok=True)
    with contextlib.chdir(workspace.root), system_engine(workspace, system) as engine:
        forget_another_search(engine, request, output)
        return search_to_file(engine, request, output, resume=True, tell=tell, command=command)


def prune(workspace: Workspace) -> list[Path]:
    """Remove the indexes that no system has any more."""
    unused = status(workspace).unused
    for folder in unused:
        shutil.rmtree(folder, ignore_errors=True)
    return list(unused)


def _complete(outcome: SearchOutcome) -> None:
    if outcome.failures:
        topic, reason = next(iter(outcome.failures.items()))
        others = f" and {len(outcome.failures) - 1} others" if len(outcome.failures) > 1 else ""
        raise EngineError(f"topic {topic}{others} failed: {reason}. What was found is kept; the next search goes on")
    if not outcome.makes_a_run():
        raise DataError("no document was found for any topic, so there is no run")


def _tidy(workspace: Workspace) -> None:
    """Remove what commands left behind that were killed: nobody else writes here now."""
    for folder in (workspace.indexes, workspace.runs):
        for left in folder.glob(".*") if folder.is_dir() else ():
            if left.suffix in (".part", ".old"):
                shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)
