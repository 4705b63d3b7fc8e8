"""Making the indexes and runs of a workspace, one command at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import cast

import click

from cranfield.cli.command_line import command_line
from cranfield.cli.progress import showing_progress
from cranfield.cli.search_outcome import say_outcome, topic_progress
from cranfield.cli.workspace_options import nearer
from cranfield.engines.configuration import Configuration
from cranfield.engines.index_record import IndexRecord, read_index_record
from cranfield.errors import CranfieldError, DataError
from cranfield.experiments import updating
from cranfield.experiments.lock import locked
from cranfield.experiments.staleness import system_states
from cranfield.experiments.systems import index_folder, refuse_given_run
from cranfield.experiments.workspace import System, Workspace
from cranfield.formats.collections.reading import Ways


@contextmanager
def working(workspace: Workspace, *, wait: bool) -> Iterator[None]:
    """While this lasts, no other command writes in the workspace; who has to be waited for is said."""
    with locked(
        workspace,
        command_line(),
        wait=wait,
        waiting=lambda whom: click.echo(f"cranfield: {whom}; --no-wait does not wait", err=True),
    ):
        yield


def say_stale_split(workspace: Workspace) -> None:
    """On standard error: that the topics or judgments of a divided workspace are not those that were divided."""
    from cranfield.experiments.split_files import is_split, why_split_is_stale

    # What cannot be read is said by the commands that need it.
    with suppress(CranfieldError):
        if is_split(workspace) and (stale := why_split_is_stale(workspace)):
            click.echo(f"cranfield: {stale}", err=True)


def index_system(workspace: Workspace, system: System, *, force: bool, wait: bool) -> None:
    """Make the index of a system, if it is not there or out of date."""
    with working(workspace, wait=wait):
        (state,) = system_states(workspace, [system.name])
        if state.folder is not None and state.index.current and not force:
            click.echo(f"{nearer(state.folder)} is up to date; --force makes it again", err=True)
            return
        with showing_progress():
            record = updating.index_system(workspace, system)
        say_index(record, nearer(state.folder or workspace.indexes))


def search_one_system(workspace: Workspace, system: System, *, wait: bool) -> bool:
    """Make the run of a system, and its index if need be; gives whether it is complete."""
    with working(workspace, wait=wait):
        (state,) = system_states(workspace, [system.name])
        if state.folder is not None and not state.index.current:
            with showing_progress():
                record = updating.index_system(workspace, system)
            say_index(record, nearer(state.folder))
        with topic_progress() as tell:
            outcome = updating.search_system(workspace, system, tell=tell, command=command_line())
    say_outcome(outcome, nearer(workspace.run_file(system)), system.k, allow_gaps=False)
    return outcome.makes_a_run()


def system_configuration(workspace: Workspace, system: System) -> Configuration:
    """The engine of a system as one that is searched by itself; an error if its index is not there."""
    refuse_given_run(workspace, system)
    folder = index_folder(workspace, system)
    if folder is None:
        return Configuration(system.engine, system.parameters, source=system.name)
    (state,) = system_states(workspace, [system.name])
    if not state.index.current:
        raise DataError(f"{system.name}: its index is {state.index}: `cranfield index {system.name}` makes it")
    return Configuration(
        system.engine, system.parameters, folder, read_index_record(folder).collection, source=system.name
    )


def topics_place(workspace: Workspace) -> str:
    """Where the topics are: their own file, or the collection they are in."""
    return workspace.topics_place or workspace.collection_place


def ways_said(workspace: Workspace, given: Ways) -> Ways:
    """How the files of a workspace are read: as is said with a command, and else as `cranfield.toml` says."""
    return cast(Ways, {**workspace.reading, **{name: way for name, way in given.items() if way is not None}})


def say_index(record: IndexRecord, where: str) -> None:
    """On standard error: what was indexed, where and how fast."""
    indexed = record.collection
    speed = f"{indexed.documents / record.seconds:,.0f} a second" if record.seconds else "at once"
    size = "" if record.bytes is None else f", {_size(record.bytes)}"
    click.echo(f"{indexed.documents:,} documents of {indexed.name} in {where} ({speed}{size})", err=True)


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 100_000 else f"{count / 1e3:,.1f} kB"
