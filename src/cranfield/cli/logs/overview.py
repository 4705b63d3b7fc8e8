"""`cranfield logs overview`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli.logs.log_options import log_options
from cranfield.cli.logs.plot_option import plot_option, write_plot
from cranfield.cli.options import formats_option
from cranfield.cli.sections import Section, show_sections, table_option
from cranfield.logs.counting import counted
from cranfield.logs.log import Log
from cranfield.logs.overview import MANY, Asked, Counted, Growth, Overview, Traffic, overview

TABLES = ("days", "head", "sessions", "words", "fruitless", "rising", "fading")


@click.command("overview", epilog="Example: cranfield logs overview shop-log --table head --format tsv")
@log_options
@click.option("--named", type=click.IntRange(1), default=MANY, show_default=True, help="How many queries are named.")
@table_option(TABLES, "days")
@plot_option("the traffic by day")
@formats_option
def command(log: Log, named: int, wanted: str | None, plot: str | None, layout: str | None) -> None:
    """Say what is in a log: traffic by day, sessions, the most frequent queries, what finds nothing, what grows.

    \b
    days       queries, sessions, users, clicks; queries without a click, and without results
    head       the queries that were put most often
    sessions   how many sessions have so many queries
    words      how many queries have so many words
    fruitless  the queries without results that were put most often
    rising     whose share of the traffic grew most from the first half of the days to the second
    fading     whose share shrank most

    Rising and fading are queries put ten times or more, of whose ratio the whole interval is above 1, or below; the
    intervals of all queries hold at once (95 %, Bonferroni).
    Clicks are those on queries of the log; `behaviour` looks at all.
    """
    found = overview(log, named=named)
    if plot is not None:
        from cranfield.report.charts.traffic_by_day import traffic_by_day

        write_plot(traffic_by_day(found), plot)
    show_sections(
        _sections(found),
        layout,
        wanted,
        usual=("days", "head", "sessions", "words", "fruitless", "rising"),
        whole=_whole(found),
        said=_said(found),
        notes=found.notes,
    )


def _sections(found: Overview) -> dict[str, Section]:
    def asked(rows: tuple[Asked, ...], title: str) -> Section:
        return Section(Asked._fields, rows, title)

    def counted(rows: tuple[Counted, ...], what: str, title: str) -> Section:
        return Section(
            (what, "number", "share"),
            [(row.sizes, row.number, row.number / sum(r.number for r in rows)) for row in rows],
            title,
        )

    def grown(rows: tuple[Growth, ...], title: str) -> Section:
        return Section(Growth._fields, rows, title)

    return {
        "days": Section(Traffic._fields, found.days, "By day"),
        "head": asked(found.head, "Most frequent queries"),
        "sessions": counted(found.session_sizes, "queries", "Sessions by their number of queries"),
        "words": counted(found.words, "words", "Queries by their number of words"),
        "fruitless": asked(found.fruitless, "Queries without results"),
        "rising": grown(found.rising, "Rising, from the first half of the days to the second"),
        "fading": grown(found.fading, "Fading"),
    }


def _said(found: Overview) -> list[str]:
    total = found.total
    users = "" if total.users is None else f" by {counted(total.users, 'users')}"
    low, high = float(found.without_results.lower[0]), float(found.without_results.upper[0])
    nothing = (
        f"{total.without_results / total.known_results:.1%} of the queries had no results (95 % interval {low:.1%} to "
        f"{high:.1%}), of {total.known_results:,} of which it is known."
        if total.known_results
        else "The log does not say which queries had results."
    )
    minutes = "" if found.session_minutes is None else f"{found.session_minutes:.1f} minutes the one in the middle; "
    return [
        f"{counted(total.queries, 'queries')}{users} in {counted(total.sessions, 'sessions')}, "
        f"{found.queries_per_session:.2f} a session, {minutes}{counted(total.clicks, 'clicks')}.",
        f"{counted(found.texts, 'different queries')}, {found.once:,} of them put only once; "
        + (f"the {found.half:,} most frequent make" if found.half > 1 else "the most frequent makes")
        + " half of the traffic.",
        nothing,
    ]


def _whole(found: Overview) -> dict[str, Any]:
    between = [float(found.without_results.lower[0]), float(found.without_results.upper[0])]
    return {
        "total": found.total._asdict(),
        "without_results_interval": between if found.total.known_results else None,
        "texts": found.texts,
        "once": found.once,
        "half": found.half,
        "queries_per_session": found.queries_per_session,
        "session_minutes": found.session_minutes,
        "notes": found.notes,
        **{
            name: [row._asdict() for row in getattr(found, name)]
            for name in ("days", "head", "session_sizes", "words", "fruitless", "rising", "fading")
        },
    }
