"""`cranfield logs forget`."""

from __future__ import annotations

import click

from cranfield.cli.completion import FILE
from cranfield.cli.logs.log_options import a_day
from cranfield.cli.logs.show import show_log
from cranfield.cli.options import formats_option
from cranfield.cli.progress import showing_progress
from cranfield.logs.renewing import forget


@click.command("forget", epilog="Example: cranfield logs forget shop-log --before 2026-01-01")
@click.argument("log", metavar="LOG", type=FILE)
@click.option("--before", required=True, callback=a_day, metavar="DAY", help="The first day that is remembered.")
@formats_option
def command(log: str, before: str, layout: str | None) -> None:
    """Remove what happened before a day, in UTC, for good: from the tables and from the records they are made of.

    Of rejected rows only the numbers and reasons stay. Files that are imported later lose their older rows too. The
    files that were imported are not touched.
    """
    with showing_progress():
        record = forget(log, before)
    show_log(log, record, layout)
