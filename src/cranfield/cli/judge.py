"""`cranfield judge`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from cranfield.cli.completion import FILE
from cranfield.cli.judging_web import data_option, serve
from cranfield.cli.pool.order_options import order_options
from cranfield.cli.reading_options import collection_reading

BROWSER = ("host", "port", "threads", "data")
"""Options of judging in browsers; all others are of judging in the terminal."""


@click.command(
    "judge",
    epilog="Example: cranfield judge --terminal pool.tsv --collection papers",
)
@click.argument("where", metavar="[WORKSPACE|POOL]", required=False, type=FILE)
@click.option("--terminal", is_flag=True, help="Judge POOL in this terminal, by single keys.")
@click.option("--host", default="127.0.0.1", show_default=True, help="In browsers: the address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="In browsers: the port to listen at; 0 is any that is free.",
)
@click.option(
    "--threads", type=click.IntRange(1), default=8, show_default=True, help="In browsers: how many requests at once."
)
@data_option
@click.option("--collection", type=FILE, help="The documents.  [default: those of the workspace]")
@click.option("--topics", type=FILE, help="The topics.  [default: those of the workspace, or of the collection]")
@click.option("--scale", metavar="NAME|TOML", type=FILE, help="binary, graded (0 to 3), or a file of your own grades.")
@click.option("--assessor", metavar="NAME", help="Who judges.  [default: who is logged in]")
@click.option("-o", "--output", metavar="EVENTS", type=FILE, help="The file of judging events, which is added to.")
@click.option("--topic", "only", multiple=True, metavar="ID", help="Judge this topic only; may be repeated.")
@click.option(
    "--again",
    multiple=True,
    type=click.Choice(["unsure", "skip"]),
    help="Ask once more for documents of which you were unsure, or which you skipped; may be repeated.",
)
@click.option("--other-scale", is_flag=True, help="Go on in a file that was begun with another scale.")
@order_options
@click.option(
    "--runs",
    multiple=True,
    metavar="RUN",
    type=FILE,
    help="For orders that ask runs: a run; may be repeated.  [default: in a workspace, those of its systems]",
)
@collection_reading
@click.pass_context
def command(context: click.Context, /, where: str | None, terminal: bool, **options: Any) -> None:
    """Judge documents: several people in their browsers, or, with --terminal, one in this terminal.

    `cranfield judge [WORKSPACE]` starts the judging application, in which several people judge in their browsers. The
    first start prints a link that makes an administrator. Ctrl-C stops it; nothing that was judged is lost. For a team
    on a network see the page about deployment.

    `cranfield judge --terminal POOL` shows the documents of a pool one after the other: topic, grades, document; one
    key gives a grade. Every judgment is added to EVENTS at once, and nothing is ever taken out of it: whatever ends the
    judging, the same command goes on where it stopped. Which systems found a document, and where, is not shown.
    `cranfield pool export` makes qrels of the events. With --order, what comes next may depend on what was judged
    (`cranfield pool next --help` lists the orders). In a workspace the documents, topics and scale are those of
    cranfield.toml, and the events go to judgments/POOL.NAME.events.jsonl.
    """
    _refuse_options_of_the_other(context, terminal)
    if terminal:
        if where is None:
            raise click.UsageError("Missing argument 'POOL': --terminal judges the documents of a pool.")
        from cranfield.cli.judging.in_terminal import judge_in_terminal

        for_terminal = {name: value for name, value in options.items() if name not in BROWSER}
        context.exit(judge_in_terminal(where, **for_terminal))
    if where is not None and Path(where).is_file():
        raise click.UsageError(f"{where} is a file: judge it with --terminal, or name a workspace.")
    serve(where, **{name: options[name] for name in BROWSER})


def _refuse_options_of_the_other(context: click.Context, terminal: bool) -> None:
    for parameter in context.command.params:
        name = str(parameter.name)
        if name in ("where", "terminal") or context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        if terminal == (name in BROWSER):
            place = "in browsers, without --terminal" if terminal else "in the terminal: add --terminal"
            raise click.UsageError(f"{parameter.opts[-1]} is for judging {place}.")
