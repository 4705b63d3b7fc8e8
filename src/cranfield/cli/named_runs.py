"""Names of systems that stand for their runs: in a workspace, unless there is a file of that name."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cranfield.cli.progress import say_notes
from cranfield.cli.workspace_options import nearer
from cranfield.errors import DataError, UsageError, did_you_mean

if TYPE_CHECKING:
    from cranfield.experiments.staleness import SystemState
    from cranfield.experiments.workspace import Workspace


def run_files(workspace: Workspace | None, names: Sequence[str], *, all_of_them: bool = False) -> list[str]:
    """The files of these runs: paths, or in a workspace the names of systems; `all_of_them`, where none is named."""
    if workspace is None:
        return list(names)
    meant = list(names) or (list(workspace.systems) if all_of_them else [])
    check_runs(workspace, [name for name in meant if is_system(workspace, name)])
    return [run_meant(workspace, name) for name in meant]


def is_system(workspace: Workspace, name: str) -> bool:
    """Whether the run of a system is meant."""
    return name in workspace.systems and not os.path.isfile(name)


def run_meant(workspace: Workspace, name: str) -> str:
    """The run that is meant by the name of a system or a path; an error that offers systems where it is neither."""
    if is_system(workspace, name):
        return nearer(workspace.run_file(name))
    if name != "-" and not _read_elsewhere(name) and not os.path.exists(name):
        there = f"{did_you_mean(name, workspace.systems)} There are: {', '.join(workspace.systems)}"
        raise UsageError(f"{name}: there is no such file, and no system of that name{there}")
    return name


def _read_elsewhere(name: str) -> bool:
    """Whether it is a name of ir_datasets, or of files that Spark finds: an address, or a pattern."""
    return name.startswith("ir_datasets:") or "://" in name or any(sign in name for sign in "*?[")


def check_runs(workspace: Workspace, systems: Sequence[str]) -> None:
    """An error for a run that is not there or not whole; what is stale is said."""
    from cranfield.experiments.staleness import system_states

    unknown: dict[str, list[str]] = {}
    for one in system_states(workspace, systems):
        name, state = one.system.name, one.run
        if state.condition == "missing":
            raise DataError(f"{name}: there is no run yet: `cranfield search {name}`, or `cranfield update` for all")
        if state.condition == "broken":
            raise DataError(f"{name}: {state.why}{_instead(workspace, one)}")
        if state.condition == "unknown":
            unknown.setdefault(state.why, []).append(name)
        elif not state.current:
            say_notes([f"{name}: its run is stale ({state.why}): `cranfield update` makes it anew"])
    say_notes(f"{', '.join(names)}: not known whether stale: {why}" for why, names in unknown.items())


def _instead(workspace: Workspace, broken: SystemState) -> str:
    """What can be done about a run that is not whole, in sentences that follow what is wrong with it."""
    again = [] if broken.unusable else ["`cranfield update` makes it again"]
    there = ["give the path of the file to take it as it is"] if workspace.run_file(broken.system).is_file() else []
    sentence = "; ".join([*again, *there])
    end = "" if broken.run.why.endswith("?") else "."
    return f"{end} {sentence[0].upper()}{sentence[1:]}" if sentence else ""
