"""`cranfield logs settle`."""

from __future__ import annotations

from collections.abc import Callable

import click

from cranfield.cli.completion import FILE
from cranfield.cli.logs.rules_options import rules_options
from cranfield.cli.logs.show import show_log
from cranfield.cli.options import formats_option
from cranfield.cli.progress import showing_progress
from cranfield.logs.renewing import settle_anew
from cranfield.logs.settling import Rules


@click.command("settle", epilog="Example: cranfield logs settle shop-log --gap 20")
@click.argument("log", metavar="LOG", type=FILE)
@rules_options
@formats_option
def command(log: str, rules: Callable[[Rules], Rules], layout: str | None) -> None:
    """Put a log together anew by other rules; its files are not needed for that.

    Rules that are not named stay as they are. Queries that are removed for being rare do not come back.
    """
    with showing_progress():
        record = settle_anew(log, rules)
    show_log(log, record, layout)
