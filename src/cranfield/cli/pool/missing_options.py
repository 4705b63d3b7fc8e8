"""Options that commands about what is missing have in common."""

from __future__ import annotations

import click

from cranfield.cli.completion import FILE

pool_depth_option = click.option(
    "-k", "depth", type=click.IntRange(1), default=100, show_default=True, help="How deep the pool was."
)
groups_option = click.option(
    "--groups",
    multiple=True,
    metavar="FILE|NAME=PREFIX",
    type=FILE,
    help="Runs that belong together: a file with lines `run group`, or those whose names begin so; may be repeated.",
)
confidence_option = click.option("--confidence", type=float, default=0.95, show_default=True, help="Of the intervals.")
