"""`cranfield logs clicks`."""

from __future__ import annotations

import click

from cranfield.cli.logs.log_options import log_options
from cranfield.cli.logs.plot_option import plot_option, write_plot
from cranfield.cli.options import formats_option
from cranfield.cli.sections import Section, show_sections
from cranfield.logs.clicks import clicks_by_rank
from cranfield.logs.log import Log


@click.command("clicks", epilog="Example: cranfield logs clicks shop-log --since 2026-03-01")
@log_options
@click.option("--listing", metavar="KIND", help="Only listings of this kind, such as ad.")
@plot_option("click-through by rank, with its intervals")
@formats_option
def command(log: Log, listing: str | None, plot: str | None, layout: str | None) -> None:
    """Click-through by rank: E(p), the share of documents shown at a rank that are clicked, with 95 % intervals."""
    found = clicks_by_rank(log, listing=listing)
    if plot is not None:
        from cranfield.report.charts.click_through import click_through

        write_plot(click_through(found), plot)
    columns = (found.rank, found.shown, found.clicked, found.expected, found.interval.lower, found.interval.upper)
    header = ("rank", "shown", "clicked", "share", "low", "high")
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    show_sections(
        {"ranks": Section(header, rows)},
        layout,
        None,
        usual=("ranks",),
        whole={"ranks": [dict(zip(header, row, strict=True)) for row in rows]},
    )
