"""`cranfield engines`."""

from __future__ import annotations

import inspect
import json
import sys

import click

from cranfield.cli.completion import complete_engine
from cranfield.cli.options import formats_option
from cranfield.cli.tables import render, wrapped, write_lines
from cranfield.engines import ENGINES, engine_class
from cranfield.engines.description import EngineDescription, describe_engine


@click.command("engines", epilog="Example: cranfield engines bm25")
@click.argument("name", required=False, shell_complete=complete_engine)
@formats_option
def command(name: str | None, layout: str | None) -> None:
    """List the search engines, or describe one and its parameters."""
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    if name is not None:
        engine_class(name)
    described = [describe_engine(one) for one in ([name] if name else ENGINES)]
    if layout == "json":
        click.echo(
            json.dumps({"schema": "cranfield.engines/1", "engines": [one.to_dict() for one in described]}, indent=2)
        )
    elif name is not None:
        write_lines(_page(described[0], layout))
    else:
        rows = [[one.name, one.summary] for one in described]
        write_lines([render(["engine", "what it is"], rows, left=2)] if layout == "table" else map("\t".join, rows))


def _page(engine: EngineDescription, layout: str) -> list[str]:
    rows = [[each.name, each.kind, each.default] for each in engine.parameters]
    if layout == "tsv":
        return ["\t".join(row) for row in rows]
    text = inspect.cleandoc(engine.text).partition("\n>>>")[0].strip().split("\n\n")
    paragraphs = [line for paragraph in text for line in [*wrapped(" ".join(paragraph.split())), ""]]
    return [f"{engine.name}: {engine.summary}", "", *paragraphs, render(["parameter", "type", "default"], rows, left=3)]
