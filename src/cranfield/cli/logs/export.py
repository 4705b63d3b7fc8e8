"""`cranfield logs export`."""

from __future__ import annotations

import click

from cranfield.cli.completion import FILE
from cranfield.cli.progress import say_notes, showing_progress
from cranfield.logs.counting import counted
from cranfield.logs.exporting import export_ubi
from cranfield.logs.folder import LogFolder


@click.command("export", epilog="Example: cranfield logs export shop-log -o shop.ndjson.gz")
@click.argument("log", metavar="LOG", type=FILE)
@click.option("-o", "--output", required=True, metavar="FILE", type=FILE, help="The file; .gz and .zst are packed.")
@click.option("--to", type=click.Choice(["ubi"]), default="ubi", show_default=True, help="The format: UBI 1.3.")
def command(log: str, output: str, to: str) -> None:
    """Write a log as User Behavior Insights 1.3, one JSON object to a line.

    Users and sessions keep the names that the log has for them, which are hashes. Importing the file gives the same
    tables, but for these names, which are hashed again.
    """
    with showing_progress():
        lines = export_ubi(log, output)
    said = LogFolder(log).read().times_said
    say_notes([f"{output}: {counted(lines, 'lines')}", *([f"{said}, in this file too"] if said else [])])
