"""`cranfield logs personal`."""

from __future__ import annotations

import click

from cranfield.cli.logs.log_options import log_options
from cranfield.cli.logs.plot_option import plot_option, write_plot
from cranfield.cli.options import formats_option
from cranfield.cli.sections import Section, show_sections, table_option
from cranfield.logs.behaviour import Share
from cranfield.logs.log import Log
from cranfield.logs.personal import Gain, Pause, Personal, personal


@click.command("personal", epilog="Example: cranfield logs personal shop-log --plot again.svg")
@log_options
@click.option("--seed", type=int, default=1, show_default=True, help="Of the bootstrap over users.")
@table_option(("shares", "pauses", "gain"), "shares")
@plot_option("after how long queries are put again")
@formats_option
def command(log: Log, seed: int, wanted: str | None, plot: str | None, layout: str | None) -> None:
    """What users do again, and what ranking by their own history would gain.

    \b
    shares  queries and users that repeat, and how often the same document is clicked again
    pauses  after how long a query is put again
    gain    the reciprocal rank of the highest click, as it was, and with documents first that the user clicked for
            the same query before; the interval is over users

    The gain is measured on clicks that were made on the old lists: people click what stands high, and nobody saw the
    new ones. It says where documents would have been that people went for, not what they would have done.
    """
    found = personal(log, seed=seed)
    if plot is not None:
        from cranfield.report.charts.repeat_pauses import repeat_pauses

        write_plot(repeat_pauses(found), plot)
    show_sections(
        {
            "shares": Section(("what", *Share._fields[1:]), found.shares),
            "pauses": Section(Pause._fields, found.pauses, "After how long queries were put again"),
            "gain": _gain(found.gain),
        },
        layout,
        wanted,
        usual=("shares", "pauses", "gain"),
        whole=_whole(found),
        notes=found.notes,
    )


def _gain(gain: Gain | None) -> Section:
    header = ("queries", "users", "before", "after", "difference", "low", "high", "better", "worse", "same")
    if gain is None:
        return Section(header, [])
    bounds = (None, None) if gain.interval is None else (gain.interval.lower, gain.interval.upper)
    row = (*gain[:5], *bounds, *gain[6:])
    return Section(header, [row], "Reciprocal rank of the click, with the user's own documents first", left=0)


def _whole(found: Personal) -> dict[str, object]:
    gain = None
    if found.gain is not None:
        bounds = found.gain.interval
        gain = found.gain._asdict() | {"interval": None if bounds is None else [bounds.lower, bounds.upper]}
    return {
        "shares": [one._asdict() for one in found.shares],
        "pauses": [one._asdict() for one in found.pauses],
        "gain": gain,
        "notes": found.notes,
    }
