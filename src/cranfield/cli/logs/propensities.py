"""`cranfield logs propensities`."""

from __future__ import annotations

import math

import click

from cranfield.cli.logs.log_options import log_options
from cranfield.cli.logs.plot_option import plot_option, write_plot
from cranfield.cli.options import formats_option
from cranfield.cli.sections import Section, show_sections
from cranfield.logs.log import Log
from cranfield.logs.propensities import Propensities, randomised_propensities

HEADER = ("rank", "shown", "clicked", "propensity", "low", "high")


@click.command("propensities", epilog="Example: cranfield logs propensities shop-log --application shuffled")
@log_options
@plot_option("the propensities, with their intervals")
@formats_option
def command(log: Log, plot: str | None, layout: str | None) -> None:
    """How likely each rank is looked at, relative to the first, from pages in random order.

    There documents do not differ between ranks, clicks do: the propensity is the click-through of a rank over that of
    the first, with its 95 % interval (Katz). Choose the part of the log that was in random order by its application or
    its days; of other pages this says what systems put where, and `cranfield logs models` tells both apart by a model.
    """
    found = randomised_propensities(log)
    rows = _rows(found)
    if plot is not None:
        from cranfield.report.charts.run_estimates import Estimate, run_estimates

        drawn = [Estimate(f"rank {rank}", value, low, high) for rank, _, _, value, low, high in rows]
        notes = [f"{int(found.shown.sum()):,} documents shown", "lines: 95 % intervals (Katz)"]
        title, axis = "How likely each rank is looked at", "relative to the first rank"
        write_plot(run_estimates(drawn, title, axis, notes, what="rank"), plot)
    silent = [str(rank) for rank, _, clicked, *_ in rows if not clicked]
    notes = [f"no interval is given where nothing was clicked: rank {', '.join(silent)}"] if silent else []
    if log.part.application is None:
        notes.append("these are propensities only if all of these pages were in random order: see --application")
    show_sections(
        {"ranks": Section(HEADER, rows)},
        layout,
        None,
        usual=("ranks",),
        whole={"ranks": [dict(zip(HEADER, row, strict=True)) for row in rows], "notes": notes},
        notes=notes,
    )


def _rows(found: Propensities) -> list[tuple[int, int, int, float, float | None, float | None]]:
    def known(value: float) -> float | None:
        return None if math.isnan(value) else value

    columns = (found.rank, found.shown, found.clicked, found.propensity, found.interval.lower, found.interval.upper)
    return [
        (*counts, value, known(low), known(high))
        for *counts, value, low, high in zip(*(column.tolist() for column in columns), strict=True)
    ]
