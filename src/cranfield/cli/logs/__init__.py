"""`cranfield logs`: each subcommand lives in a module of its own."""

from __future__ import annotations

import click

from cranfield.cli.lazy_group import LazyGroup

COMMANDS = {
    "import": ("cranfield.cli.logs.import_", "Add files to a log: checked, flattened, every row accounted for."),
    "show": ("cranfield.cli.logs.show", "Say what a log is made of: sources, rejected rows, rules."),
    "settle": ("cranfield.cli.logs.settle", "Put a log together anew by other rules, without its files."),
    "forget": ("cranfield.cli.logs.forget", "Remove what happened before a day, for good."),
    "export": ("cranfield.cli.logs.export", "Write a log as User Behavior Insights."),
    "overview": ("cranfield.cli.logs.overview", "Say what is in a log: traffic, sessions, queries, trends."),
    "behaviour": ("cranfield.cli.logs.behaviour", "Say how happy people are, as far as what they do tells it."),
    "clicks": ("cranfield.cli.logs.clicks", "Click-through by rank and by kind of listing."),
    "deviation": ("cranfield.cli.logs.deviation", "How far documents are clicked more often than their ranks say."),
    "models": ("cranfield.cli.logs.models", "Fit click models: how far people look, and what documents are worth."),
    "propensities": ("cranfield.cli.logs.propensities", "How likely ranks are looked at, from pages in random order."),
    "infer-qrels": ("cranfield.cli.logs.infer_qrels", "Make judgments of clicks, with intervals."),
    "infer-preferences": ("cranfield.cli.logs.infer_preferences", "Make preferences between documents of clicks."),
    "precision": ("cranfield.cli.logs.precision", "Say how precise runs are, by what clicks say."),
    "score": ("cranfield.cli.logs.score", "Say which run agrees more with preferences."),
    "queries": ("cranfield.cli.logs.queries", "Say which queries mean the same, or several things, or are said anew."),
    "cache": ("cranfield.cli.logs.cache", "What a cache of results would save."),
    "personal": ("cranfield.cli.logs.personal", "What users do again, and what their own history would gain."),
    "report": ("cranfield.cli.logs.report", "Write all that a log says to one page that opens without a network."),
    "simulate": ("cranfield.cli.logs.simulate", "Make up a log with known truth from runs and judgments."),
}


@click.group("logs", cls=LazyGroup, commands_of=COMMANDS, epilog="Example: cranfield logs import ubi.ndjson -o my-log")
def command() -> None:
    """Say what query logs tell: what people ask, what they click, and what that says of relevance."""
