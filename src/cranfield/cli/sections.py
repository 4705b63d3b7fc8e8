"""Several tables about one thing: all of them for people, one at a time for programs."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import click

from cranfield.cli.tables import render, wrapped, write_lines

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class Section:
    """One table."""

    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    title: str = ""
    left: int = 1
    """How many columns are names."""
    digits: Mapping[str, int] = field(default_factory=dict)
    """After the point, of columns that have others than the rest."""


def table_option(names: Sequence[str], usual: str) -> Callable[[Command], Command]:
    """Which table is wanted."""
    return click.option(
        "--table",
        "wanted",
        type=click.Choice(names),
        help=f"Only this table.  [default: in a terminal the most important ones, in tsv {usual}]",
    )


def show_sections(
    sections: Mapping[str, Section],
    layout: str | None,
    wanted: str | None,
    *,
    usual: Sequence[str],
    whole: Mapping[str, Any],
    said: Sequence[str] = (),
    notes: Sequence[str] = (),
    digits: int = 4,
) -> None:
    """On standard output: the tables that are wanted, or `usual`, of which tsv has the first; JSON is the `whole`.

    What is `said` about the whole stands above the tables, notes below; beside tsv both go to standard error. A value
    that is not there is `-` in a table for people, and an empty cell in tsv.
    """
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    if layout == "json":
        write_lines([json.dumps(whole, indent=2, ensure_ascii=True, allow_nan=False)])
        return
    if layout == "tsv":
        for line in (*said, *notes):
            click.echo(f"cranfield: {line}", err=True)
        one = sections[wanted or usual[0]]
        write_lines(["\t".join(one.header), *("\t".join(map(_exact, row)) for row in one.rows)])
        return
    shown = [sections[name] for name in ([wanted] if wanted else usual) if sections[name].rows or wanted]
    write_lines(_tables(shown, said, notes, digits))


def _tables(shown: Sequence[Section], said: Sequence[str], notes: Sequence[str], digits: int) -> Iterator[str]:
    for line in said:
        yield from wrapped(line)
    for number, one in enumerate(shown):
        if said or number:
            yield ""
        if one.title:
            yield one.title
        header = [name.replace("_", " ") for name in one.header]
        places = [one.digits.get(name, digits) for name in one.header]
        yield render(header, [list(map(_cell, row, places)) for row in one.rows], left=one.left)
    if notes:
        yield ""
    for line in notes:
        yield from wrapped(line)


def _nothing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _exact(value: Any) -> str:
    return "" if _nothing(value) else str(value)


def _cell(value: Any, digits: int) -> str:
    if _nothing(value):
        return "-"
    if isinstance(value, float):
        return f"{value:z.{digits}f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
