"""`cranfield logs`: each subcommand lives in a module of its own."""

from __future__ import annotations

import click

from cranfield.cli.lazy_group import LazyGroup

COMMANDS = {
    "import": ("cranfield.cli.logs.import_", "Add files to a log: checked, flattened, every row accounted for."),
    "overview": ("cranfield.cli.logs.overview", "Say what is in a log: traffic, sessions, queries, trends."),
    "behaviour": ("cranfield.cli.logs.behaviour", "Say how happy people are, as far as what they do tells it."),
    "clicks": ("cranfield.cli.logs.clicks", "Click-through by rank."),
    "deviation": ("cranfield.cli.logs.deviation", "How far documents are clicked more often than their ranks say."),
    "models": ("cranfield.cli.logs.models", "Fit click models: how far people look, and what documents are worth."),
    "simulate": ("cranfield.cli.logs.simulate", "Make up a log with known truth from runs and judgments."),
}


@click.group("logs", cls=LazyGroup, commands_of=COMMANDS, epilog="Example: cranfield logs import ubi.ndjson -o my-log")
def command() -> None:
    """Say what query logs tell: what people ask, what they click, and what that says of relevance."""
