"""Options that several commands have."""

from __future__ import annotations

import click

from cranfield.cli.completion import complete_format
from cranfield.measures.profiles import PROFILES

formats_option = click.option(
    "--format",
    "layout",
    type=click.Choice(["table", "tsv", "json"]),
    help="Default: table in a terminal, tsv elsewhere.",
)
run_format_option = click.option(
    "--input-format",
    metavar="NAME",
    shell_complete=complete_format,
    help="The format of the runs, if the guess is wrong.",
)
qrels_format_option = click.option(
    "--qrels-format",
    metavar="NAME",
    shell_complete=complete_format,
    help="The format of the judgments, if the guess is wrong.",
)
digits_option = click.option(
    "--digits", type=click.IntRange(0, 17), default=4, show_default=True, help="Decimal places in the table."
)
level_option = click.option(
    "-l", "level", type=float, default=1, show_default=True, help="The least grade that is relevant."
)
depth_option = click.option("-M", "depth", type=int, help="Look at the first M documents of each topic only.")
profile_option = click.option(
    "--profile",
    type=click.Choice(list(PROFILES), case_sensitive=False),
    default="cranfield",
    show_default=True,
    help="Whose semantics.",
)
