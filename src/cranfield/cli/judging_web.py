"""`cranfield judge` in a browser."""

from __future__ import annotations

import os
from pathlib import Path

import click

from cranfield.cli.completion import FILE
from cranfield.errors import UsageError
from cranfield.experiments.finding import FILE as WORKSPACE_FILE
from cranfield.experiments.finding import find_workspace

data_option = click.option(
    "--data",
    type=FILE,
    metavar="DIR",
    help="The folder of the installation: database and secret key.  [default: $CRANFIELD_JUDGING, or "
    ".cranfield/judging in the workspace]",
)


def serve(workspace: str | None, host: str, port: int, data: str | None, threads: int = 8) -> None:
    """Start the application, say where it is, and answer until somebody stops it."""
    from cranfield.web.serving import start

    root = _workspace(workspace)
    serving = start(host=host, port=port, threads=threads, data=data_folder(data, root), workspace=root)
    if serving.first_administrator is not None:
        click.echo("There is no administrator yet. This link makes one, once, within a day:", err=True)
        click.echo(f"  {serving.first_administrator}", err=True)
    if serving.unnamed:
        click.echo(
            "cranfield: it listens to the network, but answers to no name there: set CRANFIELD_HOSTS to the names or "
            "addresses that people type",
            err=True,
        )
    if serving.plain:
        click.echo(
            "cranfield: it speaks plain HTTP to the network: passwords and judgments can be read on the way. Put a "
            "proxy with TLS before it and set CRANFIELD_TLS=1 (docs/judging/deployment.md)",
            err=True,
        )
    click.echo(f"data: {serving.folder}", err=True)
    click.echo(f"The judging application is at {serving.address} (Ctrl-C stops it)")
    serving.run()
    click.echo("stopped", err=True)


def data_folder(data: str | None, root: Path | None = None) -> Path | None:
    """The folder of the installation: as given, as the environment has it (None), or in the workspace."""
    from cranfield.web import instance

    if data is not None:
        return Path(data)
    if os.environ.get(instance.FOLDER):
        return None
    if root is None:
        found = find_workspace()
        root = found.root if found is not None else None
    return None if root is None else root / ".cranfield" / "judging"


def _workspace(named: str | None) -> Path | None:
    if named is None:
        found = find_workspace()
        return None if found is None else found.root
    if not (Path(named) / WORKSPACE_FILE).is_file():
        raise UsageError(
            f"{named}: this is no workspace: there is no {WORKSPACE_FILE} in it; `cranfield init` makes one"
        )
    return Path(named)
