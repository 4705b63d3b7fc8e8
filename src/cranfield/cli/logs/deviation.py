"""`cranfield logs deviation`."""

from __future__ import annotations

import math
from typing import Any

import click
import numpy as np

from cranfield.cli.logs.log_options import log_options
from cranfield.cli.logs.plot_option import plot_option, write_plot
from cranfield.cli.options import formats_option
from cranfield.cli.sections import Section, show_sections
from cranfield.errors import DataError, UsageError, did_you_mean
from cranfield.logs.clicks import ENOUGH, click_deviation
from cranfield.logs.log import Log
from cranfield.logs.topic_texts import normalised

SHOWN = 20
HEADER = ("query", "document", "rank", "shown", "clicked", "expected", "cd", "cd_low", "cd_high", "coec", "low", "high")


@click.command("deviation", epilog="Example: cranfield logs deviation shop-log --query 'futon frame'")
@log_options
@click.option("--query", "only", metavar="TEXT", help="Only the documents of this query, in whatever case.")
@click.option("--each-rank", is_flag=True, help="A row for each rank at which a document was shown: CD(d, p).")
@click.option(
    "--enough",
    type=click.IntRange(1),
    default=ENOUGH,
    show_default=True,
    help="Say nothing of documents that were shown less often.",
)
@plot_option("the highest COEC, with its intervals")
@formats_option
def command(log: Log, only: str | None, each_rank: bool, enough: int, plot: str | None, layout: str | None) -> None:
    """How far documents are clicked more often than their ranks alone would have it.

    CD is the share of clicks less the share E(p) that all documents get at these ranks, COEC the number of clicks over
    the number to be expected, over every rank at which the document was shown. Of documents that were shown rarely,
    nothing is said. In a terminal the rows with the highest COEC are shown; elsewhere all.
    """
    found = click_deviation(log, each_rank=each_rank, enough=enough)
    if only is not None:
        (only,) = normalised([only])
        if only not in found.text:
            raise UsageError(f"nothing was shown for the query {only!r}{did_you_mean(only, set(found.text.tolist()))}")
    columns = (
        *(found.text, found.document, found.rank, found.shown, found.clicked, found.expected),
        *(found.deviation, found.deviation_interval.lower, found.deviation_interval.upper),
        *(found.coec, found.coec_interval.lower, found.coec_interval.upper),
    )
    order = np.argsort(-np.nan_to_num(found.coec, nan=-1.0), kind="stable")
    rows = [
        tuple(None if isinstance(cell, float) and math.isnan(cell) else cell for cell in row)
        for row in zip(*(column[order].tolist() for column in columns), strict=True)
        if only is None or row[0] == only
    ]
    thin = sum(row[9] is None for row in rows)
    if plot is not None:
        _draw([row for row in rows if row[9] is not None][:SHOWN], plot)
    header: tuple[str, ...] = HEADER
    if not each_rank:
        header, rows = HEADER[:2] + HEADER[3:], [row[:2] + row[3:] for row in rows]
    show_sections(
        {"documents": Section(header, rows[:SHOWN] if layout == "table" else rows, left=2)},
        layout,
        None,
        usual=("documents",),
        whole={"documents": [dict(zip(header, row, strict=True)) for row in rows]},
        notes=[f"of {thin:,} of {len(rows):,} nothing is said: they were shown less than {enough} times"]
        if thin
        else [],
    )


def _draw(rows: list[tuple[Any, ...]], file: str) -> None:
    from cranfield.report.charts.run_estimates import Estimate, run_estimates

    if not rows:
        raise DataError("there is nothing to draw: no document was shown often enough; ask for less with --enough")
    # The document first: where there is no room for a whole name, it is the query that is cut off.
    named = [(f"{document}{f' at {rank}' * (rank > 0)}, {query}", *rest) for query, document, rank, *rest in rows]
    estimates = [Estimate(name, *numbers[-3:]) for name, *numbers in named]
    notes = ["1: as often as others at the same ranks", "lines: 95 % intervals (Garwood)"]
    title = "Clicks over expected clicks (COEC): the highest"
    chart = run_estimates(
        estimates, title, "clicks over expected clicks", notes, what="document, query", usual=1.0, label=330
    )
    write_plot(chart, file)
