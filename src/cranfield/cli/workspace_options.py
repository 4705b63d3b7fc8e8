"""What commands of a workspace have in common: which workspace it is, and the names of its systems."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import click
from click.core import ParameterSource

from cranfield.errors import CranfieldError, UsageError
from cranfield.experiments.finding import find_workspace

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from cranfield.experiments.workspace import Workspace


def needed_workspace() -> Workspace:
    """The workspace that a command is given in; an error if it is given elsewhere."""
    workspace = find_workspace()
    if workspace is None:
        raise UsageError(
            "this is no workspace: there is no cranfield.toml here or in a folder above; `cranfield init` makes one"
        )
    return workspace


def system_named(name: str | None) -> Workspace | None:
    """The workspace that has a system of this name, if a command is given in one and no file has the name."""
    if name is None or os.path.exists(name):
        return None
    workspace = find_workspace()
    return workspace if workspace is not None and name in workspace.systems else None


def refuse_no_output(name: str) -> NoReturn:
    """An error where a file to write to is needed: the name is that of no system, or there is no workspace."""
    workspace = find_workspace()
    if workspace is not None and not os.path.exists(name):
        workspace.system(name)
    raise click.UsageError("Missing option '-o' / '--output'. Only for a system of a workspace can it be left out.")


no_wait_option = click.option(
    "--no-wait", is_flag=True, help="In a workspace where another command is at work, do not wait until it is done."
)


def given(context: click.Context, name: str) -> bool:
    """Whether an option was given, and is not what it is without that."""
    return context.get_parameter_source(name) not in (ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP, None)


def refuse_given(context: click.Context, system: str, names: Sequence[str]) -> None:
    """An error for what `cranfield.toml` says of a system, and would not if it came from elsewhere."""
    for each in context.command.params:
        if each.name in names and given(context, each.name):
            shown = each.opts[-1] if isinstance(each, click.Option) else each.name.upper()
            own = "" if "output" in names else ", or write to a file of your own with -o"
            raise UsageError(
                f"{shown}: {system} is a system of the workspace, of which cranfield.toml says everything: change it "
                f"there{own}"
            )


def complete_system(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Systems of the workspace that begin like this."""
    from click.shell_completion import CompletionItem

    try:
        workspace = find_workspace()
    except CranfieldError:
        return []
    return [CompletionItem(name) for name in (workspace.systems if workspace else ()) if name.startswith(incomplete)]


def nearer(path: str | os.PathLike[str]) -> str:
    """A path as one would type it here, where that is below."""
    from pathlib import Path

    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else str(path)
