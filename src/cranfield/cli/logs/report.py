"""`cranfield logs report`."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path

import click

from cranfield.cli.command_line import command_line
from cranfield.cli.completion import FILE
from cranfield.cli.logs.log_options import log_options
from cranfield.cli.progress import progress_bar
from cranfield.errors import UsageError
from cranfield.logs.log import Log


@click.command("report", epilog="Example: cranfield logs report shop-log -o report.html --open")
@log_options
@click.option(
    "-o",
    "output",
    required=True,
    metavar="FILE",
    type=FILE,
    help="The page to write, which ends in .html; - is standard output.",
)
@click.option("--open", "show", is_flag=True, help="Open it in the browser.")
@click.option("--title", metavar="TEXT", help="What stands at the top.  [default: the name of the log]")
@click.option(
    "--named-users",
    type=click.IntRange(1),
    metavar="N",
    help="Name no query that fewer people put.  [default: 2, or as many as the log itself asks for]",
)
@click.option("--without", multiple=True, metavar="SECTION", help="Leave this section out; may be repeated.")
def command(
    log: Log, output: str, show: bool, title: str | None, named_users: int | None, without: tuple[str, ...]
) -> None:
    """Write all that a log says to one HTML file, which opens in any browser without a network.

    \b
    traffic    by day, sessions          asked      head and tail, no results, rising, fading
    behaviour  shares with intervals     ranks      click-through by rank
    documents  clicks over expected      models     click models, how far people look
    judgments  what could be inferred    needs      what means the same, or several things
    anew       reformulations            caches     what a cache would save
    again      what users repeat

    A section that cannot be made says why. Queries that only few people put are counted, but never named; people are
    users, or sessions where users are unknown.
    """
    from cranfield.report.html.log_report import write_log_report

    if show and output == "-":
        raise UsageError("--open needs a file to open: give its name with -o")
    with progress_bar(patience=0.0) as progress:
        written = write_log_report(
            log,
            output,
            title=title,
            least_people=named_users,
            without=without,
            command=command_line(),
            progress=progress,
        )
    if output == "-":
        return
    click.echo(f"{output}: {written.headline}", err=True)
    for name, why in written.missing.items():
        click.echo(f"cranfield: {name} is not there: {why}", err=True)
    address = Path(output).resolve().as_uri()
    if show and not webbrowser.open(address):
        click.echo(f"cranfield: no browser could be started; open {address}", err=True)
        sys.exit(1)
