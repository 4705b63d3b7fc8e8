"""`cranfield whydiff`."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.completion import FILE, complete_measure
from cranfield.cli.options import depth_option, formats_option, level_option, qrels_format_option, run_format_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.tables import terminal_width, wrapped, write_lines
from cranfield.errors import UsageError
from cranfield.evaluation.whydiff.number_search import find_number
from cranfield.evaluation.whydiff.number_sources import HEADER, POSSIBLE, NumberSearch
from cranfield.evaluation.whydiff.tool_differences import WhyDiff, aligned, no_effect, part_lines, tool_cells
from cranfield.evaluation.whydiff.whydiff import DEFAULT_MEASURE, whydiff
from cranfield.measures.profiles import PROFILES

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_MOST_WAYS = 20
_LEAST_ROOM = 30
"""In which the last column of a table stands beside the others."""


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    done, comma, last = incomplete.rpartition(",")
    return [CompletionItem(f"{done}{comma}{name}") for name in PROFILES if name.startswith(last.lower())]


@click.command(
    "whydiff",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield whydiff qrels.txt bm25.run --profiles trec_eval-9,ranx",
)
@click.argument("qrels", type=FILE)
@click.argument("run", type=FILE)
@click.option(
    "-m",
    "measures",
    multiple=True,
    metavar="MEASURE",
    shell_complete=complete_measure,
    help=f"A measure, in any spelling; may be repeated.  [default: {DEFAULT_MEASURE}]",
)
@click.option(
    "--profiles",
    metavar="NAME,...",
    default=",".join(PROFILES),
    shell_complete=_complete,
    help=f"The tools: {', '.join(PROFILES)}. The others are compared with the first.  [default: all]",
)
@click.option(
    "--number",
    metavar="NUMBER",
    help="A number that somebody reports, as it is printed: which tools and parameters would give it?",
)
@click.option("--topics", type=click.IntRange(0), default=3, show_default=True, help="Topics shown for each rule.")
@click.option("-c", "complete", is_flag=True, help="Each tool with its option to count all judged topics.")
@level_option
@depth_option
@click.option("-J", "judged_only", is_flag=True, help="Drop unjudged documents before ranking.")
@qrels_format_option
@run_format_option
@formats_option
def command(
    qrels: str,
    run: str,
    measures: tuple[str, ...],
    profiles: str,
    number: str | None,
    topics: int,
    layout: str | None,
    input_format: str | None,
    **options: Any,
) -> None:
    """Say why two tools give different numbers for the same run.

    For each tool its number, and for each rule in which it differs from the first one (ties, gain, missing topics,
    score type, rounding and others) which part of the difference the rule makes, and on which topics. Parts are Shapley
    values: what a rule changes on average over all orders in which the rules could be exchanged. They add up to the
    difference.

    With --number it says instead which tools and parameters would give a number in a paper, or come nearest.
    """
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    wanted = measures or (DEFAULT_MEASURE,)
    options["run_format"] = input_format
    if number is not None:
        if len(wanted) > 1:
            raise UsageError(f"--number is about one measure, found {len(wanted)}: {', '.join(wanted)}")
        with showing_progress():
            search = find_number(qrels, run, number, wanted[0], profiles=profiles, **options)
        if layout == "tsv":
            for note in search.notes:
                click.echo(f"cranfield: {note}", err=True)
        _show(search, layout, _number_tsv, _number_table)
        return
    with showing_progress():
        found = whydiff(qrels, run, wanted, profiles=profiles, topics=topics, **options)
    if layout == "tsv":
        _say_who_has_no_number(found)
    _show(found, layout, _tsv, _tables)


def _show(found: Any, layout: str, tsv: Any, table: Any) -> None:
    if layout == "json":
        click.echo(json.dumps(found.to_dict(), indent=2, ensure_ascii=True))
    else:
        write_lines((tsv if layout == "tsv" else table)(found))


def _say_who_has_no_number(found: WhyDiff) -> None:
    for one in found.measures:
        for profile, why in one.without.items():
            click.echo(f"cranfield: {one.measure}: {profile}: {why}", err=True)


def _tables(found: WhyDiff) -> Iterator[str]:
    for one in found.measures:
        yield f"{one.measure} of {found.run}"
        yield from _hanging(aligned(tool_cells(one)))
        yield ""
        for difference in one.differences:
            yield from part_lines(difference)
            if difference.no_effect:
                yield from wrapped(no_effect(difference.no_effect), "  ")
            yield ""
    yield from wrapped(f"{found.run}: {found.coverage}")


def _hanging(lines: list[str]) -> Iterator[str]:
    """Lines that fit in the terminal, what does not fit indented below."""
    for line in lines:
        first, *others = wrapped(line.strip(), "  ") or [""]
        yield line if not others else first
        yield from (f"    {other.strip()}" for other in others)


def _tsv(found: WhyDiff) -> Iterator[str]:
    """A line for each tool's number, each difference from the first tool, each part of it and each topic of a part."""
    yield "measure\ttool\trule\treference_has\ttool_has\ttopic\tvalue"
    for one in found.measures:
        for tool in one.tools:
            yield f"{one.measure}\t{tool.profile}\tnumber\t-\t{tool.measure}\tall\t{tool.value!r}"
            if tool.is_open:
                yield f"{one.measure}\t{tool.profile}\tlowest\t-\t{tool.measure}\tall\t{tool.low!r}"
                yield f"{one.measure}\t{tool.profile}\thighest\t-\t{tool.measure}\tall\t{tool.high!r}"
        for difference in one.differences:
            where = f"{one.measure}\t{difference.other}"
            yield f"{where}\tdifference\t{difference.reference}\t{difference.other}\tall\t{difference.difference!r}"
            for part in difference.parts:
                rule = f"{where}\t{part.rule}\t{part.reference}\t{part.other}"
                yield f"{rule}\tall\t{part.part!r}"
                yield from (f"{rule}\t{topic}\t{share!r}" for topic, share in part.topics)
            for part in difference.no_effect:
                yield f"{where}\t{part.rule}\t{part.reference}\t{part.other}\tall\t0.0"


def _number_table(found: NumberSearch) -> Iterator[str]:
    for note in found.notes:
        yield from wrapped(note)
    yield from wrapped(found.title)
    yield from _fitting([HEADER, *(source.cells for source in found.shown[:_MOST_WAYS])])
    if len(found.shown) > _MOST_WAYS:
        yield f"  ... and {len(found.shown) - _MOST_WAYS} more; --format json has all"
    if found.possible:
        yield POSSIBLE
        yield from _fitting([source.cells for source in found.possible])


def _fitting(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns flush left; what does not fit of the last one goes on below it, or below the line if room is scarce."""
    lines = aligned([row[:-1] for row in rows])
    longest = max(map(len, lines)) + 2
    room = terminal_width() - longest
    for line, row in zip(lines, rows, strict=True):
        if room < _LEAST_ROOM:
            yield line
            yield from wrapped(row[-1], " " * 12)
        else:
            first, *others = textwrap.wrap(row[-1], room, break_long_words=False, break_on_hyphens=False) or [""]
            yield f"{line.ljust(longest)}{first}"
            yield from (" " * longest + other for other in others)


def _number_tsv(found: NumberSearch) -> Iterator[str]:
    yield "matches\tchanges\tvalue\tmeasure\ttools\talso"
    shown = [("yes" if found.matches else "no", source) for source in found.shown]
    for matches, source in [*shown, *(("possible", source) for source in found.possible)]:
        said = f"{','.join(source.profiles)}\t{', '.join(source.also) or '-'}"
        yield f"{matches}\t{source.changes}\t{source.value!r}\t{source.measure}\t{said}"
