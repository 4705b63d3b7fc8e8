"""`cranfield pool`: each subcommand lives in a module of its own."""

from __future__ import annotations

import click

from cranfield.cli.lazy_group import LazyGroup

COMMANDS = {
    "build": ("cranfield.cli.pool.build", "Choose which documents to judge, from the runs of several systems."),
    "extend": ("cranfield.cli.pool.extend", "Add to a pool what later runs, or people, found."),
    "next": ("cranfield.cli.pool.next", "Say which documents to judge next, given what has been judged."),
    "export": ("cranfield.cli.pool.export", "Write a pool with its judgments as qrels, strata or prels."),
    "stats": ("cranfield.cli.pool.stats", "Say how much of each run is judged, and what each run alone brought in."),
    "bias": ("cranfield.cli.pool.bias", "Say how each run would fare had it not been pooled."),
    "size": ("cranfield.cli.pool.size", "Estimate how many relevant documents there are."),
    "cost": ("cranfield.cli.pool.cost", "Say how many judgments a depth, or a narrow interval, would take."),
    "flip": ("cranfield.cli.pool.flip", "Say whether unjudged documents could turn a comparison round, and which."),
    "verify-bundle": ("cranfield.cli.pool.verify_bundle", "Hold a bundle of judgments against itself."),
    "simulate": ("cranfield.cli.pool.simulate", "Replay orders of judging over judged data, to choose one."),
}


@click.group(
    "pool", cls=LazyGroup, commands_of=COMMANDS, epilog="Example: cranfield pool build *.run -k 10 -o pool.tsv"
)
def command() -> None:
    """Say what to judge, what is missing, and what could change a verdict."""
