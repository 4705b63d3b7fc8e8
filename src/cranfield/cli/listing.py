"""Lists of things with words in their cells: as a table, as TSV, or as JSON."""

from __future__ import annotations

import json
import sys

import click

from cranfield.cli.tables import render, write_lines


def show(layout: str | None, header: list[str], rows: list[list[str]], content: dict[str, object]) -> None:
    """Print a list; without a layout, a table in a terminal and TSV elsewhere."""
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    if layout == "json":
        click.echo(json.dumps(content, indent=2))
    elif layout == "tsv":
        write_lines(map("\t".join, [header, *rows]))
    else:
        write_lines([render(header, rows, left=len(header))])
