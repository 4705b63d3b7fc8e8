"""`cranfield update`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import click

from cranfield.cli.command_line import command_line
from cranfield.cli.progress import progress_bar
from cranfield.cli.workspace_options import nearer, needed_workspace, no_wait_option
from cranfield.cli.workspace_steps import say_stale_split, working
from cranfield.engines.searching import Tell
from cranfield.experiments.report_record import read_report_record
from cranfield.experiments.staleness import status
from cranfield.experiments.updating import Step, StepDone, prune, update
from cranfield.experiments.workspace import Workspace
from cranfield.formats.files import telling_progress


@click.command("update", epilog="Example: cranfield update")
@click.argument("systems", nargs=-1, metavar="[SYSTEM...]")
@click.option("--prune", "remove_unused", is_flag=True, help="Also remove indexes that no system has any more.")
@click.option("-n", "--dry-run", is_flag=True, help="Only say what would be done.")
@no_wait_option
@click.pass_context
def command(
    context: click.Context, systems: tuple[str, ...], remove_unused: bool, dry_run: bool, no_wait: bool
) -> None:
    """Make everything in the workspace that is not there or stale: indexes, runs, and the report if there is one.

    Each takes its place only when it is complete, so that whatever stops this, what was there is still there, and doing
    it again gives the same. An index is made again only if something changed on which it depends. Where one system
    fails, the others are done, and the exit code is 1.
    """
    workspace = needed_workspace()
    if dry_run:
        _say_what_would_be_done(workspace, systems)
        return
    with working(workspace, wait=not no_wait):
        failed = [done for done in _steps(workspace, systems) if done.error is not None]
        if remove_unused:
            for folder in prune(workspace):
                click.echo(f"removed {nearer(folder)}", err=True)
    if not failed and status(workspace).report.condition == "stale":
        _write_report_again(context, workspace)
    else:
        say_stale_split(workspace)
    context.exit(1 if failed else 0)


def _say_what_would_be_done(workspace: Workspace, systems: tuple[str, ...]) -> None:
    from cranfield.experiments.updating import plan

    for name in systems:
        workspace.system(name)
    found = status(workspace)
    for step in plan(found, systems):
        click.echo(f"{nearer(step.target)}: {step}")
    if found.report.condition == "stale":
        click.echo(f"{nearer(workspace.report)}: {found.report}")


def _steps(workspace: Workspace, systems: tuple[str, ...]) -> Iterator[StepDone]:
    """What was done; said on standard error as it happens."""
    any_done = False

    def begin(step: Step, number: int, count: int) -> None:
        click.echo(f"[{number}/{count}] {step}", err=True)

    with _progress() as tell:
        for done in update(workspace, systems, begin=begin, tell=tell, command=command_line()):
            any_done = True
            if done.error is None:
                click.echo(f"      {nearer(done.step.target)} ({done.seconds:.1f} s)", err=True)
            else:
                click.echo(f"cranfield: {done.step.system.name}: {done.error}", err=True)
            yield done
    if not any_done:
        click.echo("indexes and runs are up to date", err=True)


@contextlib.contextmanager
def _progress() -> Iterator[Tell | None]:
    """A terminal shows how far files have been read, and how many topics are done."""
    with progress_bar() as show, telling_progress(show):
        yield None if show is None else lambda done, all_of: show(f"{done} of {all_of} topics", done / all_of)


def _write_report_again(context: click.Context, workspace: Workspace) -> None:
    """As it was asked for the last time."""
    from cranfield.cli.report import command as report

    record = read_report_record(workspace)
    options, folder = (record.options, record.folder) if record else ({}, ".")
    with contextlib.chdir(workspace.root / folder):
        context.invoke(report, **options)
    click.echo(f"wrote {nearer(workspace.report)} again", err=True)
