"""`cranfield logs clicks`."""

from __future__ import annotations

from typing import Any

import click
import numpy as np

from cranfield.cli.logs.log_options import log_options
from cranfield.cli.logs.plot_option import plot_option, write_plot
from cranfield.cli.options import formats_option
from cranfield.cli.sections import Section, show_sections, table_option
from cranfield.data.strings import Floats
from cranfield.logs.clicks import clicks_by_listing, clicks_by_rank
from cranfield.logs.log import Log
from cranfield.stats.interval import Intervals

HEADER = ("shown", "clicked", "share", "low", "high", "of_clicks")


@click.command("clicks", epilog="Example: cranfield logs clicks shop-log --since 2026-03-01")
@log_options
@click.option("--listing", metavar="KIND", help="By rank only listings of this kind, such as ad.")
@table_option(("ranks", "listings"), "ranks")
@plot_option("click-through by rank, with its intervals")
@formats_option
def command(log: Log, listing: str | None, wanted: str | None, plot: str | None, layout: str | None) -> None:
    """Click-through by rank and by kind of listing.

    \b
    ranks     E(p): the share of documents shown at a rank that are clicked, with its 95 % interval (Wilson)
    listings  the same of each kind of listing, such as ad, where the log says which

    The last column has how all clicks are shared between ranks, or between kinds.
    """
    found, kinds = clicks_by_rank(log, listing=listing), clicks_by_listing(log)
    if plot is not None:
        from cranfield.report.charts.click_through import click_through

        write_plot(click_through(found), plot)
    by_rank = (found.rank, found.shown, found.clicked, found.expected)
    by_kind = (kinds.listing, kinds.shown, kinds.clicked, kinds.clicked / kinds.shown)
    rows = {"ranks": _rows(by_rank, found.interval, found.of_clicks)}
    rows["listings"] = _rows(by_kind, kinds.interval, kinds.of_clicks)
    known = any(kind is not None for kind in kinds.listing)
    headers = {"ranks": ("rank", *HEADER), "listings": ("listing", *HEADER)}
    show_sections(
        {
            "ranks": Section(headers["ranks"], rows["ranks"]),
            "listings": Section(
                headers["listings"],
                [(kind or "not said", *rest) for kind, *rest in rows["listings"]],
                "By kind of listing",
            ),
        },
        layout,
        wanted,
        usual=("ranks", "listings") if known else ("ranks",),
        whole={name: [dict(zip(headers[name], row, strict=True)) for row in table] for name, table in rows.items()}
        | {"notes": found.notes},
        notes=found.notes,
    )


def _rows(columns: tuple[Any, ...], interval: Intervals, of_clicks: Floats) -> list[tuple[Any, ...]]:
    shares = [None if np.isnan(share) else share for share in of_clicks.tolist()]
    return list(zip(*(each.tolist() for each in (*columns, interval.lower, interval.upper)), shares, strict=True))
