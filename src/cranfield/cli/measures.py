"""`cranfield measures`."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap

import click

from cranfield.cli.formula import with_plain_formulas
from cranfield.cli.tables import render
from cranfield.errors import UnknownMeasureError
from cranfield.measures import REGISTRY, parse, trec_eval
from cranfield.measures.grammar import known_names
from cranfield.measures.references import REFERENCES
from cranfield.measures.registry import Definition, Measure

_NEEDS = {
    "qrels": "judgments",
    "groups": "judgments by assessor (-R qrels_jg)",
    "preferences": "preferences (-R prefs or -R qrels_prefs)",
    "anything": "judgments or preferences",
}


@click.command("measures", epilog="Example: cranfield measures nDCG")
@click.argument("name", required=False)
@click.option(
    "--format",
    "layout",
    type=click.Choice(["table", "tsv", "json"]),
    help="How to show the list. Default: table in a terminal, tsv elsewhere.",
)
def command(name: str | None, layout: str | None) -> None:
    """List the measures, or explain one.

    Names may be given in any spelling: nDCG@10, ndcg_cut_10 and ndcg@10 are the same.
    """
    if name is not None:
        click.echo(_explanation(name))
        return
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    rows = [[d.name, ", ".join(_other_names(d)), d.meaning] for d in REGISTRY.values()]
    if layout == "json":
        keys = ("name", "other_names", "meaning")
        click.echo(json.dumps([dict(zip(keys, row, strict=True)) for row in rows], indent=2))
    elif layout == "tsv":
        click.echo("\n".join("\t".join(row) for row in [["name", "other names", "meaning"], *rows]))
    else:
        width = shutil.get_terminal_size((100, 24)).columns
        click.echo(render(["name", "other names", "meaning"], _fitted(rows, width), left=3))
        click.echo("\n`cranfield measures NAME` explains one.")


def _fitted(rows: list[list[str]], width: int) -> list[list[str]]:
    """The rows with the last column cut so that lines fit."""
    names = [textwrap.shorten(row[1], 30, placeholder=" ...") for row in rows]
    room = max(20, width - max(len(row[0]) for row in rows) - max(map(len, names)) - 4)
    return [
        [row[0], name, textwrap.shorten(row[2], room, placeholder=" ...")]
        for row, name in zip(rows, names, strict=True)
    ]


def _other_names(definition: Definition) -> list[str]:
    theirs = [
        entry.name
        for entry in trec_eval.TABLE
        if any(measure is not None and measure.name == definition.name for _, measure in entry.build(None))
    ]
    return [name for name in dict.fromkeys([*theirs, *definition.aliases]) if name != definition.name]


def _explanation(name: str) -> str:
    definition = _find(name)
    at = "" if definition.at is None else f" @{definition.at}"
    lines = [
        f"{definition.name}{at}",
        "",
        with_plain_formulas(definition.text),
        "",
        f"Computed from: {_NEEDS[definition.needs]}.",
    ]
    others = _other_names(definition)
    if others:
        lines.append(f"Also called: {', '.join(others)}.")
    if definition.parameters:
        lines += ["", "Parameters:"]
        for parameter in definition.parameters.values():
            default = "not set" if parameter.default is None else parameter.kind.show(parameter.default)
            lines.append(f"  {parameter.name}: {parameter.kind.describe()}; default {default}")
    if definition.cites:
        lines += ["", "References:"]
        for reference in definition.cites:
            lines += textwrap.wrap(REFERENCES[reference], 96, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines)


def _find(name: str) -> Definition:
    found: list[Measure] = parse(name)
    if len({measure.name for measure in found}) != 1:
        raise UnknownMeasureError(name, known_names())
    return found[0].definition
