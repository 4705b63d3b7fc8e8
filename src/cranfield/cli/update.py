"""`cranfield update`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import click

from cranfield.cli.command_line import command_line
from cranfield.cli.progress import progress_bar, say_over_progress
from cranfield.cli.status import RUNS_ALONE, steps_in_lines
from cranfield.cli.tables import write_lines
from cranfield.cli.workspace_options import nearer, needed_workspace, no_wait_option
from cranfield.cli.workspace_steps import say_stale_split, working
from cranfield.engines.searching import Tell
from cranfield.experiments.report_record import read_report_record
from cranfield.experiments.staleness import status
from cranfield.experiments.steps import Step, plan, refuse_problems, unusable
from cranfield.experiments.updating import StepDone, prune, update
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
    it again gives the same. An index is made again only if something changed on which it depends, and the report if
    anything it is made of did. Where one system fails or cannot be used, the others are done, and the exit code is 1.

    What is to be done, and in which order, is what `cranfield status` lists; --dry-run lists it alone.
    """
    workspace = needed_workspace()
    if dry_run:
        context.exit(_say_what_would_be_done(workspace, systems))
    with working(workspace, wait=not no_wait):
        done = list(_steps(context, workspace, systems))
        if remove_unused:
            for folder in prune(workspace):
                click.echo(f"removed {nearer(folder)}", err=True)
    if not any(one.step.what == "report" for one in done):
        say_stale_split(workspace)  # as the report does
    context.exit(1 if any(one.error is not None for one in done) else 0)


def _say_what_would_be_done(workspace: Workspace, systems: tuple[str, ...]) -> int:
    """Gives the exit code: as it would be if all that can be made were made."""
    for name in systems:
        workspace.system(name)
    found = status(workspace)
    refuse_problems(found)
    write_lines(steps_in_lines(plan(found, systems)))
    wrong = unusable(found, systems)
    for one in wrong:
        click.echo(f"cranfield: {one.system.name}: {one.run.why}", err=True)
    return 1 if wrong else 0


def _steps(context: click.Context, workspace: Workspace, systems: tuple[str, ...]) -> Iterator[StepDone]:
    """What was done; said on standard error as it happens."""
    any_done = False

    def begin(step: Step, number: int, count: int) -> None:
        say_over_progress(f"[{number}/{count}] {step}")

    def report() -> None:
        _write_report_again(context, workspace)

    with _progress() as tell:
        for done in update(workspace, systems, begin=begin, tell=tell, command=command_line(), report=report):
            any_done = True
            if done.error is None:
                say_over_progress(f"      {nearer(done.step.target)} ({done.seconds:.1f} s)")
            else:
                of = nearer(done.step.target) if done.step.what == "report" else done.step.of
                say_over_progress(f"cranfield: {of}: {done.error}")
            yield done
    if not any_done:
        click.echo(_nothing_to_do(workspace), err=True)


def _nothing_to_do(workspace: Workspace) -> str:
    if not workspace.systems:
        return f"{nearer(workspace.file)} has no system, so that there is nothing to make"
    return RUNS_ALONE if status(workspace).lacks_indexes else "indexes and runs are up to date"


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
