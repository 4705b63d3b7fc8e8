"""`cranfield spark`: each subcommand lives in a module of its own."""

from __future__ import annotations

import click

from cranfield.cli.lazy_group import LazyGroup

COMMANDS = {
    "doctor": ("cranfield.cli.spark.doctor", "Say whether a cluster has all that is needed, and what to fix."),
    "package": ("cranfield.cli.spark.package", "Make an archive of what workers need."),
}


@click.group(
    "spark",
    cls=LazyGroup,
    commands_of=COMMANDS,
    epilog="Example: cranfield spark doctor --master spark://host:7077 /shared/log",
)
def command() -> None:
    """Look after Spark, for what one machine cannot hold: `logs`, `evaluate`, `compare` and `pool build` take --engine
    spark."""
