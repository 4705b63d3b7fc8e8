"""`cranfield measures`."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import click

from cranfield.cli.completion import complete_measure
from cranfield.cli.tables import in_bold, terminal_width
from cranfield.errors import UnknownMeasureError, UsageError
from cranfield.measures import parse, trec_eval
from cranfield.measures.description import (
    Description,
    Formula,
    describe,
    families,
    full_name,
    parameter_texts,
    properties,
    references,
    title,
)
from cranfield.measures.formula import plain
from cranfield.measures.grammar import known_names
from cranfield.measures.registry import Definition, Measure
from cranfield.measures.spelling import in_python, other_names, other_spellings, ways_to_write

_WIDE = 110
"""From so many columns on, the list has room for other names."""
_WIDEST_TEXT = 100


@click.command("measures", epilog="Example: cranfield measures nDCG")
@click.argument("name", required=False, shell_complete=complete_measure)
@click.option(
    "--format",
    "layout",
    type=click.Choice(["table", "tsv", "json"]),
    help="How to show a list; json also shows one measure. Default: table in a terminal, tsv elsewhere.",
)
def command(name: str | None, layout: str | None) -> None:
    """List the measures, or describe one, or list what is in a set such as all_trec.

    Names may be given in any spelling: nDCG@10, ndcg_cut_10 and ndcg@10 are the same. P@5,10 stands for two measures
    and P@1..10 for ten, one at each rank.
    """
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    if name is None:
        _list_all(layout)
    elif name.lower() in trec_eval.NICKNAMES:
        _list_set(name.lower(), layout)
    elif layout == "json":
        click.echo(json.dumps(_content(_find(name), whole=True), indent=2))
    else:
        click.echo("\n".join(_description(_find(name))))


# Lists


def _list_all(layout: str) -> None:
    if layout == "json":
        inside = [
            {"family": heading, **_content(definition)}
            for heading, definitions in families().items()
            for definition in definitions
        ]
        click.echo(json.dumps(inside, indent=2))
        return
    by_family = {
        heading: [[d.name, ", ".join(other_names(d)), d.meaning] for d in definitions]
        for heading, definitions in families().items()
    }
    click.echo("\n".join(_list(["name", "other names", "meaning"], by_family, layout)))
    if layout == "table":
        sets = f"Sets of measures, as trec_eval names them: {', '.join(trec_eval.NICKNAMES)}."
        several = (
            "A name has parameters in parentheses and a cutoff behind @: nDCG@10, P(rel=2)@10. P@5,10 stands for two "
            "measures and P@1..10 for ten, one at each rank."
        )
        click.echo(f"\n{_wrapped(sets)}\n{_wrapped(several)}")
        click.echo("`cranfield measures NAME` explains one, or lists a set.")


def _list_set(name: str, layout: str) -> None:
    entries = {entry: _measures(entry) for entry in trec_eval.NICKNAMES[name]}
    if layout == "json":
        inside = [{"name": entry, "measures": list(map(str, found))} for entry, found in entries.items()]
        click.echo(json.dumps({"name": name, "measures": inside}, indent=2))
        return
    rows = [
        [entry, ", ".join(map(str, found)) or "-", found[0].definition.meaning if found else "The tag of the run."]
        for entry, found in entries.items()
    ]
    click.echo("\n".join(_list(["name", "stands for", "meaning"], {"": rows}, layout)))


def _measures(entry: str) -> list[Measure]:
    return [column.measure for column in trec_eval.ENTRIES[entry].columns() if column.measure is not None]


def _list(header: list[str], by_heading: dict[str, list[list[str]]], layout: str) -> Iterator[str]:
    """Three columns. In a table the last one goes over as many lines as it takes, and the second needs a wide one."""
    rows = [row for rows in by_heading.values() for row in rows]
    if layout == "tsv":
        yield from ("\t".join(row) for row in [header, *rows])
        return
    width = terminal_width()
    shown = [0, 1] if width >= _WIDE else [0]
    room = {0: width // 3, 1: 30}
    widths = {at: min(room[at], max(len(row[at]) for row in [header, *rows])) for at in shown}

    def lines(row: list[str]) -> Iterator[str]:
        first = [textwrap.shorten(row[at], widths[at], placeholder=" ...") if at else row[at] for at in shown]
        start = "".join(text.ljust(widths[at]) + "  " for at, text in zip(shown, first, strict=True))
        indent = sum(widths.values()) + 2 * len(shown)
        yield from textwrap.wrap(
            row[2],
            max(width, indent + 20),
            initial_indent=start,
            subsequent_indent=" " * indent,
            break_on_hyphens=False,
        )

    yield from lines(header)
    for heading, rows in by_heading.items():
        if heading:
            yield from ("", in_bold(heading))
        for row in rows:
            yield from lines(row)


def _find(name: str) -> Definition:
    if name.lower() in trec_eval.ENTRIES and not _measures(name.lower()):
        raise UsageError(f"{name} is not a measure: it is the tag of the run, which `evaluate --format trec` shows")
    found: list[Measure] = parse(name)
    if len({measure.name for measure in found}) != 1:
        raise UnknownMeasureError(name, known_names())
    return found[0].definition


# One measure


def _content(definition: Definition, *, whole: bool = False) -> dict[str, Any]:
    """What is known about a measure, for JSON; the whole if only one is asked for."""
    content: dict[str, Any] = {
        "name": definition.name,
        "full_name": full_name(definition),
        "other_names": other_names(definition),
        "meaning": definition.meaning,
        "parameters": [
            {"name": p.name, "meaning": p.meaning, "values": p.values, "default": definition.parameters[p.name].default}
            for p in parameter_texts(definition)
        ],
    }
    if whole:
        told = describe(definition)
        ways = ways_to_write(definition)
        content["at"] = definition.at
        content["needs"] = definition.needs
        content["write"] = [str(measure) for measure in ways]
        content["python"] = [in_python(measure) for measure in ways]
        content["formulas"] = list(told.formulas)
        content["text"] = "\n\n".join(_body(told))
        content["errata"] = list(told.errata)
        content["examples"] = list(told.examples)
        content["properties"] = dict(properties(definition))
        content["elsewhere"] = [{"tool": tool, "text": text} for tool, text in told.elsewhere]
        content["references"] = references(definition)
    return content


def _body(told: Description) -> Iterator[str]:
    for part in told.body:
        yield f"    {plain(part.latex)}" if isinstance(part, Formula) else part.text


def _description(definition: Definition) -> Iterator[str]:
    told = describe(definition)
    yield in_bold(title(definition))
    for paragraph in [definition.meaning, *_body(told)]:
        yield from ("", paragraph if paragraph.startswith(" ") else _wrapped(paragraph))
    for erratum in told.errata:
        yield from ("", _wrapped(f"Erratum: {erratum}", "  │ ", "  │ "))
    for example in told.examples:
        yield from ("", example)
    yield ""
    for what, how in properties(definition):
        yield _wrapped(f"{what}: {how}.", indent="  ")
    yield _wrapped(f"Write: {_for_shells(list(map(str, ways_to_write(definition))))}", indent="  ")
    others = [name if meant is None else f"{name} = {meant}" for name, meant in other_spellings(definition)]
    if others:
        yield _wrapped(f"Also called: {', '.join(others)}.", indent="  ")
    if definition.parameters:
        yield from ("", "Parameters:")
        for name, values, default, meaning in parameter_texts(definition):
            yield _wrapped(f"  {name}: {meaning} {values[0].upper()}{values[1:]}; default {default}.", indent="    ")
    if told.elsewhere:
        yield from ("", "Elsewhere:")
        for tool, text in told.elsewhere:
            yield _wrapped(f"  {tool}: {text}", indent="    ")
    if definition.cites:
        yield from ("", "References:", *(_wrapped(f"  {work}", indent="    ") for work in references(definition)))


def _wrapped(text: str, start: str = "", indent: str = "") -> str:
    return textwrap.fill(
        text,
        min(terminal_width(), _WIDEST_TEXT),
        initial_indent=start,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _for_shells(names: list[str]) -> str:
    return ", ".join(f"'{name}'" if "(" in name else name for name in names)
