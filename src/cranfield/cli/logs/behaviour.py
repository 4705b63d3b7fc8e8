"""`cranfield logs behaviour`."""

from __future__ import annotations

import click

from cranfield.cli.logs.log_options import log_options
from cranfield.cli.logs.plot_option import plot_option, write_plot
from cranfield.cli.options import formats_option
from cranfield.cli.sections import Section, show_sections, table_option
from cranfield.logs.behaviour import (
    QUANTILES,
    SATISFIED_SECONDS,
    SUCCESS,
    Behaviour,
    Share,
    behaviour,
)
from cranfield.logs.cohorts import Return, cohort_returns
from cranfield.logs.durations import QUARTILES
from cranfield.logs.log import Log
from cranfield.logs.reformulations import REFORMULATION_MINUTES


@click.command("behaviour", epilog="Example: cranfield logs behaviour shop-log --success purchase")
@log_options
@click.option(
    "--satisfied",
    default=SATISFIED_SECONDS,
    show_default=True,
    help="Seconds that somebody stays after a click that satisfied them.",
)
@click.option(
    "--within", default=REFORMULATION_MINUTES, show_default=True, help="Minutes within which a need is said anew."
)
@click.option(
    "--success",
    multiple=True,
    metavar="ACTION",
    help=f"What ends a search well; may be repeated.  [default: {', '.join(SUCCESS)}]",
)
@table_option(("shares", "seconds", "ranks", "cohorts", "returns"), "shares")
@plot_option("the shares, with their intervals")
@formats_option
def command(
    log: Log,
    satisfied: float,
    within: float,
    success: tuple[str, ...],
    wanted: str | None,
    plot: str | None,
    layout: str | None,
) -> None:
    """Say how happy people are, as far as what they do tells it.

    \b
    shares   queries with a click, abandoned or said anew, clicks at rank 1, satisfied clicks, sessions that ended well
    seconds  to the first click, after a click, to success, from a query to its last click
    ranks    seconds of searches with one document clicked, by its rank: whether time tells how deep the answer stood
    cohorts  users by the week they came first, and how many of them came again so many weeks later
    returns  the same with a row for each week of each cohort and of all together, and intervals

    Intervals (95 %, Wilson) take queries for independent of each other, which those of one user are not: real ones are
    somewhat wider. Clicks are all that the log has, also those of no query of it, which `overview` does not count.
    """
    found = behaviour(log, satisfied_seconds=satisfied, reformulation_minutes=within, success=success or SUCCESS)
    if plot is not None:
        from cranfield.report.charts.behaviour_shares import behaviour_shares

        write_plot(behaviour_shares(found), plot)
    seconds = [(one.name, one.number, *(one.quantiles or (None,) * len(QUANTILES))) for one in found.spreads]
    returns = list(cohort_returns(found.cohorts))
    weeks = max((len(one.returned) for one in found.cohorts), default=0)
    cohorts = [
        (
            one.week,
            one.users,
            *(one.returned[week] / one.users if week < len(one.returned) else None for week in range(weeks)),
        )
        for one in found.cohorts
    ]
    show_sections(
        {
            "shares": Section(("what", *Share._fields[1:]), found.shares),
            "seconds": Section(
                ("seconds", "number", *(f"{at:.0%}" for at in QUANTILES)),
                seconds,
                "Seconds, and the share of cases that took no longer",
                digits=dict.fromkeys((f"{at:.0%}" for at in QUANTILES), 1),
            ),
            "ranks": Section(
                ("rank", "searches", *(f"{at:.0%}" for at in QUARTILES)),
                [(one.rank, one.searches, *one.quartiles) for one in found.durations.ranks],
                _of_ranks(found),
                digits=dict.fromkeys((f"{at:.0%}" for at in QUARTILES), 1),
            ),
            "cohorts": Section(
                ("first_week", "users", *(f"+{week + 1}" for week in range(weeks))),
                cohorts,
                "The share of users that came again so many weeks after their first",
            ),
            "returns": Section(Return._fields, returns, "Users that came again"),
        },
        layout,
        wanted,
        usual=("shares", "seconds", "ranks", "cohorts"),
        whole=_whole(found) | {"returns": [one._asdict() for one in returns]},
        said=_said(found),
        notes=found.notes,
    )


def _of_ranks(found: Behaviour) -> str:
    tau = found.durations.tau
    return "Seconds of searches with one document clicked, by its rank" + (
        "" if tau is None else f": tau of both {tau:.4f}"
    )


def _said(found: Behaviour) -> list[str]:
    if found.reciprocal_rank is None:
        return []
    between = ""
    if found.reciprocal_rank_interval is not None:
        between = " (95 % interval {:.4f} to {:.4f})".format(*found.reciprocal_rank_interval)
    return [
        f"Mean reciprocal rank of the highest click {found.reciprocal_rank:.4f}{between} over {found.ranked:,} "
        "queries, 0 for those without a click."
    ]


def _whole(found: Behaviour) -> dict[str, object]:
    return {
        "shares": [one._asdict() for one in found.shares],
        "reciprocal_rank": found.reciprocal_rank,
        "reciprocal_rank_interval": found.reciprocal_rank_interval,
        "seconds": [one._asdict() for one in found.spreads],
        "quantiles": QUANTILES,
        "ranks": {"tau": found.durations.tau, "ranks": [one._asdict() for one in found.durations.ranks]},
        "cohorts": [one._asdict() for one in found.cohorts],
        "notes": found.notes,
    }
