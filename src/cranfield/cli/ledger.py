"""`cranfield ledger`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from cranfield.cli.completion import FILE
from cranfield.cli.options import formats_option
from cranfield.cli.tables import wrapped, write_lines
from cranfield.cli.workspace_options import nearer, needed_workspace
from cranfield.errors import DataError
from cranfield.experiments.ledger import CAUTION, Entry, name_of, read_ledger

SCHEMA = "cranfield.looks/1"
VERIFICATION_SCHEMA = "cranfield.ledger-verification/1"
DAMAGED = 1
_IN = "    "


@click.group("ledger", invoke_without_command=True, epilog="Example: cranfield ledger")
@formats_option
@click.pass_context
def command(context: click.Context, layout: str | None) -> None:
    """Show every look at the test topics of the workspace: when, by which runs, with which measures.

    `cranfield ledger verify` says whether the ledger is whole.
    """
    if context.invoked_subcommand is not None:
        return
    from cranfield.experiments.looks import looks

    workspace = needed_workspace()
    found = looks(workspace)
    ledger = read_ledger(workspace.ledger)
    entries = [(name, ledger.entries[name]) for name in ledger.names_in_order]
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    if layout == "json":
        content = {
            "schema": SCHEMA,
            "looks": found.to_dict(),
            "entries": [{"name": name, "sha256": entry.sha256, **entry.to_dict()} for name, entry in entries],
            "unreadable": dict(ledger.unreadable),
        }
        click.echo(json.dumps(content, indent=2))
        return
    if layout == "tsv":
        header = ["entry", "time", "topics", "runs", "measures", "what"]
        rows = [_row(name, entry) for name, entry in entries]
        rows += [[name, "", "", "", "", f"damaged: {' '.join(why.split())}"] for name, why in ledger.unreadable.items()]
        write_lines(map("\t".join, [header, *rows]))
        return
    write_lines([line for name, entry in entries for line in _paragraph(name, entry)])
    write_lines([line for name, why in ledger.unreadable.items() for line in [name, *wrapped(f"damaged: {why}", _IN)]])
    write_lines([*wrapped(f"{found.sentence[0].upper()}{found.sentence[1:]}."), *wrapped(CAUTION)])


@command.command("verify", epilog="Example: cranfield ledger verify report.html")
@click.argument("reports", nargs=-1, type=FILE, metavar="[REPORT...]")
@click.option("--format", "layout", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.pass_context
def verify_command(context: click.Context, reports: tuple[str, ...], layout: str) -> None:
    """Say whether entries of the ledger were edited, are missing or do not hang together.

    The last entries are missed by no other: that they are there is known from reports, which quote them. Those that are
    named here are held against the ledger, and the report of the workspace. The exit code is 1 if anything is wrong.
    """
    from cranfield.experiments.looks import heads_quoted, ledger_problems

    workspace = needed_workspace()
    for report in reports:
        if not Path(report).is_file():
            raise DataError(f"{report}: there is no such file")
    pages = [Path(report) for report in reports] or [page for page in (workspace.report,) if page.is_file()]
    ledger = read_ledger(workspace.ledger)
    problems = ledger_problems(workspace, ledger, reports=pages)
    if layout == "json":
        content = {
            "schema": VERIFICATION_SCHEMA,
            "entries": len(ledger.entries),
            "heads": list(ledger.heads),
            "reports": {nearer(page): heads_quoted(page) for page in pages},
            "problems": [{"entry": one.entry, "kind": one.kind, "said": one.said} for one in problems],
        }
        click.echo(json.dumps(content, indent=2))
    else:
        lines = [f"{one.entry}: {one.kind}: {one.said}" for one in problems]
        whole = [f"the ledger is whole: entries {len(ledger.entries)}, looks {len(ledger.looks)}"]
        whole += [_held_against(nearer(page), heads_quoted(page)) for page in pages]
        write_lines([*(lines or whole), *(f"ledger head {head}" for head in ledger.heads)])
        write_lines(wrapped(CAUTION) if sys.stdout.isatty() else [])
    context.exit(DAMAGED if problems else 0)


def _held_against(page: str, heads: list[str]) -> str:
    if not heads:
        return f"{page} quotes no entry, so that it says nothing of the ledger"
    return f"{page} quotes {'an entry that is' if len(heads) == 1 else f'{len(heads)} entries that are'} there"


def _row(name: str, entry: Entry) -> list[str]:
    """An entry under the name of its file, which is also what `ledger verify` calls it."""
    topics = f"{entry.topics.count or ''} {entry.topics.split}".lstrip()
    return [name, entry.time, topics, _runs(entry), ", ".join(entry.measures), _command(name, entry)]


def _paragraph(name: str, entry: Entry) -> Iterator[str]:
    """The same for people, in lines that fit."""
    count = entry.topics.count
    topics = "topics" if not count else "1 topic" if count == 1 else f"{count} topics"
    yield f"{name}  {entry.time}  {topics} ({entry.topics.split})"
    yield from wrapped(_command(name, entry), _IN)
    if seen := ": ".join(filter(None, [", ".join(entry.measures), _runs(entry)])):
        yield from wrapped(seen, _IN)
    yield ""


def _runs(entry: Entry) -> str:
    return ", ".join(f"{run.name} {run.sha256[:8]}" for run in entry.runs)


def _command(name: str, entry: Entry) -> str:
    return entry.what if name == name_of(entry.sha256) else f"damaged: {entry.what}"
