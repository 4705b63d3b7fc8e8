"""`cranfield measures`."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import click

from cranfield.cli.completion import complete_measure
from cranfield.cli.formula import with_plain_formulas
from cranfield.cli.tables import terminal_width
from cranfield.errors import UnknownMeasureError, UsageError
from cranfield.measures import REGISTRY, parse, trec_eval
from cranfield.measures.grammar import known_names
from cranfield.measures.parameters import Choice, Flag, GainMap, Levels, Number, Whole
from cranfield.measures.references import REFERENCES
from cranfield.measures.registry import Definition, Measure, Parameter

_WIDE = 110
"""From so many columns on, the list has room for other names."""
_WIDEST_TEXT = 100
_NEEDS = {
    "qrels": "judgments",
    "groups": "judgments by assessor (-R qrels_jg)",
    "preferences": "preferences (-R prefs or -R qrels_prefs)",
    "anything": "judgments or preferences",
}


@click.command("measures", epilog="Example: cranfield measures nDCG")
@click.argument("name", required=False, shell_complete=complete_measure)
@click.option(
    "--format",
    "layout",
    type=click.Choice(["table", "tsv", "json"]),
    help="How to show a list; json also shows one measure. Default: table in a terminal, tsv elsewhere.",
)
def command(name: str | None, layout: str | None) -> None:
    """List the measures, or explain one, or list what is in a set such as all_trec.

    Names may be given in any spelling: nDCG@10, ndcg_cut_10 and ndcg@10 are the same.
    """
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    if name is None:
        _list_all(layout)
    elif name.lower() in trec_eval.NICKNAMES:
        _list_set(name.lower(), layout)
    elif layout == "json":
        click.echo(json.dumps(_content(_find(name), whole=True), indent=2))
    else:
        click.echo(_explanation(_find(name)))


def _list_all(layout: str) -> None:
    if layout == "json":
        click.echo(json.dumps([_content(definition) for definition in REGISTRY.values()], indent=2))
        return
    rows = [[d.name, ", ".join(_other_names(d)), d.meaning] for d in REGISTRY.values()]
    click.echo("\n".join(_list(["name", "other names", "meaning"], rows, layout)))
    if layout == "table":
        sets = f"Sets of measures, as trec_eval names them: {', '.join(trec_eval.NICKNAMES)}."
        click.echo(f"\n{_wrapped(sets)}\n`cranfield measures NAME` explains one, or lists a set.")


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
    click.echo("\n".join(_list(["name", "stands for", "meaning"], rows, layout)))


def _measures(entry: str) -> list[Measure]:
    return [column.measure for column in trec_eval.ENTRIES[entry].columns() if column.measure is not None]


def _list(header: list[str], rows: list[list[str]], layout: str) -> Iterator[str]:
    """Three columns. In a table the last one goes over as many lines as it takes, and the second needs a wide one."""
    if layout == "tsv":
        yield from ("\t".join(row) for row in [header, *rows])
        return
    width = terminal_width()
    table = [header, *([row[0], textwrap.shorten(row[1], 30, placeholder=" ..."), row[2]] for row in rows)]
    kept = (0, 1) if width >= _WIDE else (0,)
    widths = {at: max(len(row[at]) for row in table) for at in kept}
    for row in table:
        start = "".join(row[at].ljust(widths[at] + 2) for at in kept)
        room = max(width - len(start), 20)
        for number, line in enumerate(textwrap.wrap(row[2], room, break_on_hyphens=False)):
            yield (" " * len(start) if number else start) + line


def _find(name: str) -> Definition:
    if name.lower() in trec_eval.ENTRIES and not _measures(name.lower()):
        raise UsageError(f"{name} is not a measure: it is the tag of the run, which `evaluate --format trec` shows")
    found: list[Measure] = parse(name)
    if len({measure.name for measure in found}) != 1:
        raise UnknownMeasureError(name, known_names())
    return found[0].definition


def _content(definition: Definition, *, whole: bool = False) -> dict[str, Any]:
    """What is known about a measure, for JSON; the whole if only one is asked for."""
    content: dict[str, Any] = {
        "name": definition.name,
        "other_names": _other_names(definition),
        "meaning": definition.meaning,
        "parameters": [
            {"name": p.name, "values": p.kind.describe(), "default": p.default} for p in definition.parameters.values()
        ],
    }
    if whole:
        content["at"] = definition.at
        content["needs"] = definition.needs
        content["write"] = spellings(definition)
        content["text"] = with_plain_formulas(definition.text)
        content["references"] = [REFERENCES[reference] for reference in definition.cites]
    return content


def _explanation(definition: Definition) -> str:
    at = "" if definition.at is None else f" @{definition.at}"
    lines = [f"{definition.name}{at}", ""]
    for paragraph in with_plain_formulas(definition.text).split("\n\n"):
        as_it_is = paragraph.startswith((" ", ">>>"))
        lines += [paragraph if as_it_is else _wrapped(paragraph), ""]
    lines += [
        _wrapped(f"Computed from: {_NEEDS[definition.needs]}."),
        _wrapped(f"Write: {_for_shells(spellings(definition))}"),
    ]
    others = [name if meant is None else f"{name} = {meant}" for name, meant in _other_spellings(definition)]
    if others:
        lines.append(_wrapped(f"Also called: {', '.join(others)}."))
    if definition.parameters:
        lines += ["", "Parameters:"]
        for parameter in definition.parameters.values():
            default = _default(parameter, definition)
            lines.append(_wrapped(f"  {parameter.name}: {parameter.kind.describe()}; default {default}", "    "))
    if definition.cites:
        lines += ["", "References:", *(_wrapped(f"  {REFERENCES[name]}", "    ") for name in definition.cites)]
    return "\n".join(lines)


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text,
        min(terminal_width(), _WIDEST_TEXT),
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _default(parameter: Parameter, definition: Definition) -> str:
    if parameter.default is not None:
        return parameter.kind.show(parameter.default)
    if parameter.name == "rel":
        return "the level of the evaluation (-l), 1"
    if parameter.name == definition.at and definition.at_needed:
        return "all of " + ", ".join(f"{at:g}" for at in definition.defaults_at)
    return "the whole list" if parameter.name == "cutoff" else "not set"


def spellings(definition: Definition) -> list[str]:
    """How to write a measure: plain, or at a usual cutoff, and with another value of its first parameter."""
    measure = Measure(definition.name)
    if definition.at is not None:
        usual = definition.defaults_at
        measure = measure @ (10 if not usual or 10 in usual else usual[len(usual) // 2])
    own = [p for p in definition.parameters.values() if p.name not in (definition.at, "judged_only")]
    own.sort(key=lambda parameter: parameter.name == "rel")  # which many have: the last choice
    first = [measure(**{p.name: _another(p)}) for p in own[:1]]
    return list(dict.fromkeys([str(measure), *map(str, first)]))


def _for_shells(names: list[str]) -> str:
    return ", ".join(f"'{name}'" if "(" in name else name for name in names)


def _another(parameter: Parameter) -> Any:
    """A value that is not the default."""
    kind, default = parameter.kind, parameter.default
    match kind:
        case Choice():
            return next(word for word in kind.words if word != default)
        case Flag():
            return not default
        case Levels():
            return (0.25, 0.5, 0.75)
        case GainMap():
            return ((1, 3), (2, 9))
        case Number() if kind.high == 1:
            return 0.5 if default != 0.5 else 0.9
        case Number() | Whole():
            return 2 if default != 2 else 3
    raise TypeError(f"no example for {parameter}")


def _other_names(definition: Definition) -> list[str]:
    return list(dict.fromkeys(label for label, _ in _other_spellings(definition)))


def _other_spellings(definition: Definition) -> list[tuple[str, Measure | None]]:
    """What others call it; where their name has parameters that are not the default ones, also what that is here."""
    spelt: list[tuple[str, Measure | None]] = []
    presets = [name for name in known_names() if name not in {*REGISTRY, *trec_eval.ENTRIES, *trec_eval.NICKNAMES}]
    for name in [*trec_eval.ENTRIES, *presets]:
        found = parse(name)
        if not found or found[0].name != definition.name:
            continue
        if all(parameter == definition.at for parameter, _ in found[0].given):
            spelt.append((name, None))
        else:
            label = trec_eval.ENTRIES[name].columns()[0].label if name in trec_eval.ENTRIES else name
            spelt.append((label, found[0]))
    spelt += [(alias, None) for alias in definition.aliases]
    return [one for one in dict.fromkeys(spelt) if one[0] != definition.name]
