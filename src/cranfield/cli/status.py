"""`cranfield status`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator

import click

from cranfield.cli.options import formats_option
from cranfield.cli.tables import render, wrapped, write_lines
from cranfield.cli.workspace_options import nearer, needed_workspace
from cranfield.errors import CranfieldError
from cranfield.experiments.staleness import State, WorkspaceStatus, status
from cranfield.experiments.steps import Step, plan, unusable

RUNS_ALONE = "the runs are up to date; indexes that are not are made when something is searched for"
"""What is said where indexes are missing or stale, and nothing needs them."""


@click.command("status", epilog="Example: cranfield status --format json")
@formats_option
@click.pass_context
def command(context: click.Context, layout: str | None) -> None:
    """Say what is in the workspace, what is stale, and what to do next.

    Whether something is stale is decided by hashes alone: of documents, topics, judgments, parameters, and of the files
    that were made of them. A run that is not the file that was written, because something was killed on the way or it
    was edited, is broken. What is made of something stale is stale too.

    Files are hashed again only if their size, times or inode changed. The exit code is 1 where documents, topics,
    judgments or a system are missing or cannot be used.
    """
    found = status(needed_workspace())
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    if layout == "json":
        click.echo(json.dumps(to_dict(found), indent=2))
    else:
        write_lines(_table(found) if layout == "table" else _tsv(found))
    context.exit(1 if found.problems else 0)


def steps_in_lines(steps: Iterable[Step]) -> Iterator[str]:
    """What has to be made, in order, and why: as `cranfield status` and `cranfield update --dry-run` say it."""
    for step in steps:
        line = f"{nearer(step.target)}: {step}"
        yield from wrapped(line) if sys.stdout.isatty() else [line]


def next_commands(found: WorkspaceStatus) -> list[tuple[str, str]]:
    """What to type next, and what it does."""
    if found.at_work is not None:
        return [("", f"{found.at_work} is at work here")]
    wrong = [("", f"put right what is wrong with {', '.join(found.problems)}")] if found.problems else []
    if found.unreadable:
        return wrong
    done = RUNS_ALONE if found.lacks_indexes else "all is up to date"
    return [*wrong, *_discipline(found), *_steps(found)] or [("", f"nothing: {done}")]


def _discipline(found: WorkspaceStatus) -> list[tuple[str, str]]:
    """What to do about the split and the ledger."""
    split = [("cranfield split --force", "divides the workspace again, as it was divided")]
    ledger = [("cranfield ledger verify", "says how the ledger is damaged")]
    return [*(split if found.split_problem else ()), *(ledger if found.ledger_damaged else ())]


def _steps(found: WorkspaceStatus) -> list[tuple[str, str]]:
    """What to do about systems and the report."""
    if not found.systems:
        return [("", f"add a system to {nearer(found.workspace.file)}: [systems.NAME] and engine = ...")]
    steps = plan(found)
    runs = [step.of for step in steps if step.what == "run"]
    does = [f"makes the run{'s' if len(runs) > 1 else ''} of {', '.join(runs)}"] if runs else []
    does += ["writes the report again" for step in steps if step.what == "report"]
    if does:
        return [("cranfield update", " and ".join(does))]
    if found.problems:  # with which the commands below would fail
        return []
    if found.qrels.absent:
        return [("", f"name a file of judgments in {nearer(found.workspace.file)} as qrels, to evaluate the runs")]
    if found.report.condition == "missing":
        several = [("cranfield compare", "says whether the others are better than the first")] * (
            len(found.systems) > 1
        )
        return [("cranfield evaluate", "scores all systems"), *several, ("cranfield report", "writes report.html")]
    return []


def to_dict(found: WorkspaceStatus) -> dict[str, object]:
    """As `--format json` prints it."""
    return {
        "schema": "cranfield.status/1",
        "workspace": {"name": found.workspace.name, "root": str(found.workspace.root)},
        "materials": {
            name: {
                "place": one.place,
                "count": one.content.count if one.content else None,
                "sha256": one.content.sha256 if one.content else None,
                "problem": one.problem or None,
            }
            for name, one in found.materials.items()
        },
        "systems": {
            one.system.name: {
                "engine": one.system.engine,
                "index": _state(one.index) | {"folder": one.folder and nearer(one.folder)},
                "run": _state(one.run) | {"file": nearer(found.workspace.run_file(one.system))},
            }
            for one in found.systems
        },
        "report": _state(found.report),
        "steps": [
            {"what": step.what, "of": step.of, "why": step.why, "target": nearer(step.target)} for step in plan(found)
        ],
        "split": {"problem": found.split_problem or None},
        "ledger": {"damaged": found.ledger_damaged},
        "unused_indexes": [nearer(folder) for folder in found.unused],
        "at_work": None if found.at_work is None else str(found.at_work),
        "next": [{"command": command or None, "does": does} for command, does in next_commands(found)],
    }


def _state(state: State) -> dict[str, object]:
    return {"state": state.condition, "why": state.why or None}


def _tsv(found: WorkspaceStatus) -> Iterator[str]:
    yield "what\tname\tstate\tdetail"
    for name, one in found.materials.items():
        detail = f"{one.content.count} {one.content.sha256}" if one.content else one.problem
        there = "there" if one.content else "none" if one.absent else "broken"
        yield f"{name}\t{one.place}\t{there}\t{_in_a_line(detail)}"
    for system in found.systems:
        for what, state in (("index", system.index), ("run", system.run)):
            yield f"{what}\t{system.system.name}\t{state.condition}\t{_in_a_line(state.why)}"
    yield f"report\t{nearer(found.workspace.report)}\t{found.report.condition}\t{_in_a_line(found.report.why)}"
    if found.split_problem:
        yield f"split\t{nearer(found.workspace.splits_folder)}\tbroken\t{_in_a_line(found.split_problem)}"
    if found.ledger_damaged:
        yield f"ledger\t{nearer(found.workspace.ledger)}\tbroken\t"
    for folder in found.unused:
        yield f"index\t{nearer(folder)}\tunused\t"
    for command, does in next_commands(found):
        yield f"next\t{command}\t\t{_in_a_line(does)}"


def _table(found: WorkspaceStatus) -> Iterator[str]:
    yield f"{found.workspace.name} ({nearer(found.workspace.file)})"
    said = ""
    for name, one in found.materials.items():
        problem = "the same" if one.problem == said else one.problem
        said = one.problem or said
        yield from wrapped(f"{name:<9}  {f'{one.content.count:,} in {one.place}' if one.content else problem}")
    yield from _parts(found)
    if found.systems:
        yield ""
        rows = [[one.system.name, one.system.engine, one.index.condition, one.run.condition] for one in found.systems]
        yield render(["system", "engine", "index", "run"], rows, left=4)
    yield from _report_and_steps(found)
    if found.unused:
        folders = ", ".join(nearer(folder) for folder in found.unused)
        index, it = ("index", "it") if len(found.unused) == 1 else ("indexes", "them")
        yield from wrapped(f"no system has the {index} {folders} any more: `cranfield update --prune` removes {it}")
    yield ""
    commands = next_commands(found)
    width = max(19, *(len(command) + 1 for command, _ in commands))
    for number, (command, does) in enumerate(commands):
        yield f"{'next:' if not number else '     '} {f'{command:<{width}} ' if command else ''}{does}"


def _report_and_steps(found: WorkspaceStatus) -> Iterator[str]:
    """What is wrong with systems of which nothing can be made, what has to be made, and how the report is."""
    steps = [] if found.unreadable else plan(found)
    lines = [line for one in unusable(found) for line in wrapped(one.run.why)]
    lines += steps_in_lines(steps)
    if found.report.condition != "missing" and not any(step.what == "report" for step in steps):
        lines += wrapped(f"{nearer(found.workspace.report)}: {found.report}")
    yield from ["", *lines] if lines else []


def _in_a_line(text: str) -> str:
    return " ".join(text.split())


def _parts(found: WorkspaceStatus) -> Iterator[str]:
    """How a divided workspace is divided, and how often its test topics were looked at."""
    from cranfield.experiments.split_files import is_split, read_split

    if not is_split(found.workspace):
        return
    from cranfield.experiments.looks import looks

    try:
        sizes = ", ".join(f"{part} {count}" for part, count in read_split(found.workspace).counts.items())
        # Topics or judgments that cannot be read are said already.
        said = [] if found.problems else [found.split_problem.rstrip(".")]
        yield from wrapped(f"{'parts':<9}  {'; '.join(filter(None, [sizes, *said, looks(found.workspace).sentence]))}")
    except CranfieldError as error:
        yield from wrapped(f"{'parts':<9}  {error}")
