"""`cranfield similarity`."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from cranfield.cli.completion import FILE
from cranfield.cli.options import depth_option, digits_option, formats_option, run_format_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.tables import render, write_lines
from cranfield.errors import UsageError
from cranfield.evaluation.similarity import DEFAULT_MEASURES, DOCUMENTS, MEASURES, Similarity, similarity
from cranfield.stats.correlation.rank_biased_overlap import TIES

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in MEASURES if name.startswith(incomplete.lower())]


@click.command(
    "similarity",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield similarity bm25.run dense.run -m rbo -m tau_b -M 100",
)
@click.argument("first", type=FILE, metavar="RUN")
@click.argument("second", type=FILE, metavar="RUN")
@click.option(
    "-m",
    "measures",
    multiple=True,
    metavar="MEASURE",
    shell_complete=_complete,
    help=f"One of {', '.join(MEASURES)}; may be repeated.  [default: {', '.join(DEFAULT_MEASURES)}]",
)
@click.option("-p", "p", type=float, default=0.9, show_default=True, help="How persistent the reader of rbo is.")
@click.option(
    "--ties",
    type=click.Choice(TIES),
    default="b",
    show_default=True,
    help="Tied documents in rbo: a, the mean of all their orders; b, that corrected for ties; w, all at one rank.",
)
@click.option(
    "--documents",
    type=click.Choice(DOCUMENTS),
    default="common",
    show_default=True,
    help="Correlations: only documents that both lists have, or all, tied below the end of a list that lacks them.",
)
@depth_option
@click.option("-q", "by_query", is_flag=True, help="Also the values of each topic.")
@click.option("-n", "no_summary", is_flag=True, help="No values over all topics.")
@formats_option
@run_format_option
@digits_option
def command(
    first: str,
    second: str,
    measures: tuple[str, ...],
    p: float,
    ties: str,
    documents: str,
    depth: int | None,
    by_query: bool,
    no_summary: bool,
    layout: str | None,
    input_format: str | None,
    digits: int,
) -> None:
    """How alike the lists of two runs are, topic by topic. No judgments are needed.

    rbo is rank-biased overlap, rbo_min and rbo_max its bounds, since lists end. tau_a, tau_b (Kendall), gamma (Goodman
    and Kruskal), tau_ap_a (the first run is the truth), tau_ap_b (AP correlation) and spearman compare the order of
    documents; overlap, jaccard and common count them.

    A value that is not defined (fewer than two documents to put in order, or all of them tied) is shown as - or nan,
    and is not part of the mean.
    """
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    if no_summary and not by_query:
        raise UsageError("-n leaves nothing to show; add -q for the values of each topic")
    with showing_progress():
        result = similarity(
            first,
            second,
            measures or DEFAULT_MEASURES,
            p=p,
            ties=ties,
            depth=depth,
            documents=documents,
            run_format=input_format,
        )
    if layout == "json":
        whole = result.to_dict()
        if not by_query:
            del whole["per_query"]
        if no_summary:
            del whole["mean"]
        click.echo(json.dumps(whole, indent=2, ensure_ascii=True))
        return
    if layout == "tsv":
        remarkable = result.only_first or result.only_second or any(result.tied_documents)
        for note in [*([result.sentence()] if remarkable else []), *result.depth_notes()]:
            click.echo(f"cranfield: {note}", err=True)
    show = _tsv if layout == "tsv" else _tables
    write_lines(show(result, by_query, not no_summary, digits))


def _tsv(result: Similarity, by_query: bool, summary: bool, digits: int) -> Iterator[str]:
    yield "measure\tquery\tvalue"
    if by_query:
        for query, values in result.per_query.items():
            for name, value in values.items():
                yield f"{name}\t{query}\t{value!r}"
    if summary:
        for name, value in result.mean.items():
            yield f"{name}\tall\t{value!r}"


def _tables(result: Similarity, by_query: bool, summary: bool, digits: int) -> Iterator[str]:
    if by_query:
        rows = [
            [query, *(_cell(name, value, digits) for name, value in values.items())]
            for query, values in result.per_query.items()
        ]
        yield render(["topic", *result.measures], rows)
        yield ""
    if summary:
        rows = [[name, _cell("", value, digits), str(result.defined[name])] for name, value in result.mean.items()]
        yield render(["measure", "mean", "topics"], rows)
        yield ""
    yield f"{result.names[0]} and {result.names[1]}: {result.sentence()}"
    yield from result.depth_notes()


def _cell(name: str, value: float, digits: int) -> str:
    if math.isnan(value):
        return "-"
    return str(int(value)) if name == "common" else f"{value:z.{digits}f}"
