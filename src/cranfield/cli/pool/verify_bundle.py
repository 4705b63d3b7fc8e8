"""`cranfield pool verify-bundle`."""

from __future__ import annotations

from dataclasses import asdict

import click

from cranfield.cli.completion import FILE
from cranfield.cli.listing import show
from cranfield.cli.options import formats_option
from cranfield.cli.progress import showing_progress
from cranfield.formats.judging_bundle import verify_bundle

SCHEMA = "cranfield.bundle-check/1"


@click.command("verify-bundle", epilog="Example: cranfield pool verify-bundle soups.zip")
@click.argument("bundle", metavar="BUNDLE", type=FILE)
@formats_option
def command(bundle: str, layout: str | None) -> None:
    """Hold a bundle of the judging application against itself.

    Every file has to have the SHA-256 that the manifest says, and the judgments have to come out again, byte for byte,
    of the events and of what adjudicators decided. The exit code is 1 if anything is not so.
    """
    with showing_progress():
        found = asdict(verify_bundle(bundle))
    show(layout, list(found), [[str(number) for number in found.values()]], {"schema": SCHEMA, **found})
