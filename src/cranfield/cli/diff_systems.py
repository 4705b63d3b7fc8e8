"""`cranfield diff-systems`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import click

from cranfield.cli.options import formats_option
from cranfield.cli.tables import render, wrapped, write_lines
from cranfield.cli.workspace_options import complete_system, needed_workspace
from cranfield.experiments.differences import Difference, differences, shown, things
from cranfield.experiments.systems import configuration


@click.command("diff-systems", epilog="Example: cranfield diff-systems bm25 tuned")
@click.argument("first", metavar="SYSTEM", shell_complete=complete_system)
@click.argument("second", metavar="SYSTEM", shell_complete=complete_system)
@formats_option
def command(first: str, second: str, layout: str | None) -> None:
    """Say what differs between two systems of the workspace.

    A comparison says what a change does if it is the only one. Parameters that are not given count with their usual
    values. Where the engines differ, parameters that only one of them has come with that, and are no differences of
    their own. Of a run that was made elsewhere it is not known with what.
    """
    workspace = needed_workspace()
    systems = [workspace.system(name) for name in (first, second)]
    found = differences(*(configuration(workspace, system) for system in systems))
    elsewhere = [system.name for system in systems if system.given is not None and first != second]
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    if layout == "json":
        click.echo(json.dumps(_to_dict(first, second, found, elsewhere), indent=2))
    elif layout == "tsv":
        cells = ((one.what, shown(one.first), shown(one.second), _kind(one)) for one in found)
        write_lines(["\t".join(row) for row in [("what", first, second, "kind"), *cells]])
    else:
        write_lines(_table(first, second, found, elsewhere))


def _table(first: str, second: str, found: list[Difference], elsewhere: list[str]) -> Iterator[str]:
    rows = [[one.what, shown(one.first), shown(one.second)] for one in things(found)]
    if rows:
        yield render(["", first, second], rows, left=3)
        yield ""
    for place, name in enumerate((first, second)):
        values = [(one.what, (one.first, one.second)[place]) for one in found if one.follows]
        if own := [f"{what} {shown(value)}" for what, value in values if value is not None]:
            yield from wrapped(f"with the engine of {name}: {', '.join(own)}")
    yield from wrapped(_unknown(elsewhere) if elsewhere else _sentence(first, second, found))


def _kind(one: Difference) -> str:
    return "with the engine" if one.follows else "difference"


def _sentence(first: str, second: str, found: list[Difference]) -> str:
    count = len(things(found))
    if count == 0:
        return f"{first} and {second} do not differ"
    if count == 1:
        return f"{first} and {second} differ in one thing"
    return f"{first} and {second} differ in {count} things: a comparison cannot tell which of them makes a difference"


def _unknown(elsewhere: list[str]) -> str:
    what = f"the run of {elsewhere[0]} was" if len(elsewhere) == 1 else f"the runs of {' and '.join(elsewhere)} were"
    return f"{what} made elsewhere: it is not known here in what else they differ"


def _to_dict(first: str, second: str, found: list[Difference], elsewhere: list[str]) -> dict[str, object]:
    rows = [
        {"what": one.what, "first": one.first, "second": one.second, "comes_with_the_engine": one.follows}
        for one in found
    ]
    return {
        "schema": "cranfield.diff-systems/1",
        "systems": [first, second],
        "things": len(things(found)),
        "differences": rows,
        "made_elsewhere": elsewhere,
    }
