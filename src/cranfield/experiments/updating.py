"""Making what is stale in a workspace: indexes, runs, and the report on them."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cranfield.engines.index_record import IndexedCollection, IndexRecord, read_index_record
from cranfield.engines.indexing import build_index
from cranfield.engines.search_files import SearchRequest, forget_another_search, search_to_file
from cranfield.engines.searching import SearchOutcome, Tell
from cranfield.errors import CranfieldError, DataError, EngineError, UsageError, reason
from cranfield.experiments import materials
from cranfield.experiments.local_folder import local_folder
from cranfield.experiments.staleness import status
from cranfield.experiments.steps import Step, plan, refuse_problems, unusable
from cranfield.experiments.systems import (
    configuration,
    index_folder,
    refuse_given_run,
    system_engine,
    withdraw_index_records,
)
from cranfield.experiments.workspace import System, Workspace


@dataclass(frozen=True)
class StepDone:
    """What came of a step."""

    step: Step
    seconds: float
    error: CranfieldError | None = None


def update(
    workspace: Workspace,
    systems: Sequence[str] = (),
    *,
    begin: Callable[[Step, int, int], None] | None = None,
    tell: Tell | None = None,
    command: str | None = None,
    report: Callable[[], None] | None = None,
) -> Iterator[StepDone]:
    """Make all that is stale, or what these systems need; each step is given out when it is done.

    What fails is given out with its error, and the steps of other systems go on; so are, at the end, systems that are
    of no use before someone puts them right. The report is made by who can draw:
    `report`, if it is given and nothing has failed. Call it within `lock.locked`.
    """
    for name in systems:
        workspace.system(name)
    found = status(workspace)
    refuse_problems(found)
    _tidy(workspace)
    indexes = {one.system.name: one.folder for one in found.systems if one.folder is not None}
    failed: set[Path | None] = set()
    steps = [step for step in plan(found, systems) if step.what != "report" or report is not None]
    for number, step in enumerate(steps, 1):
        if indexes.get(step.of) in failed or (step.what == "report" and failed):
            continue
        if begin is not None:
            begin(step, number, len(steps))
        done = do(workspace, step, tell=tell, command=command, report=report)
        if done.error is not None:
            failed.add(step.target)
        yield done
    for one in unusable(found, systems):
        target = workspace.run_file(one.system)
        yield StepDone(Step("run", one.system.name, str(one.run), target), 0.0, DataError(one.run.why))


def do(
    workspace: Workspace,
    step: Step,
    *,
    tell: Tell | None = None,
    command: str | None = None,
    report: Callable[[], None] | None = None,
) -> StepDone:
    """Make one thing; what goes wrong is in what is given back."""
    begun, error = time.perf_counter(), None
    try:
        if step.what == "index":
            index_system(workspace, workspace.system(step.of))
        elif step.what == "run":
            _complete(search_system(workspace, workspace.system(step.of), tell=tell, command=command))
        elif report is not None:
            report()
    except CranfieldError as found:
        error = found
    except OSError as found:
        error = UsageError(f"{step.target}: cannot be written: {reason(found)}")
    return StepDone(step, time.perf_counter() - begun, error)


def index_system(workspace: Workspace, system: System) -> IndexRecord:
    """Index the documents of the workspace with the engine of a system."""
    refuse_given_run(workspace, system)
    folder = index_folder(workspace, system)
    if folder is None:
        raise UsageError(f"{system.name}: the engine {system.engine} is given no documents: search it")
    local_folder(folder.parent)
    withdraw_index_records(workspace, system)
    with contextlib.chdir(workspace.root):  # the files that parameters name are relative to it
        return build_index(materials.collection(workspace), system.engine, system.parameters, folder, force=True)


def search_system(
    workspace: Workspace, system: System, *, tell: Tell | None = None, command: str | None = None
) -> SearchOutcome:
    """Put the topics of the workspace to a system, and write its run; what a search before it found is not lost."""
    refuse_given_run(workspace, system)
    folder = index_folder(workspace, system)
    if folder is not None and not folder.exists():  # another system took its place on a server
        index_system(workspace, system)
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
        end = "" if reason.endswith(("?", "!")) else "."
        raise EngineError(
            f"topic {topic}{others} failed: {reason}{end} What was found is kept; the next search goes on"
        )
    if not outcome.makes_a_run():
        raise DataError("no document was found for any topic, so there is no run")


def _tidy(workspace: Workspace) -> None:
    """Remove what commands left behind that were killed: nobody else writes here now."""
    for folder in (workspace.indexes, workspace.runs):
        for left in folder.glob(".*") if folder.is_dir() else ():
            if left.suffix in (".part", ".old"):
                shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)
