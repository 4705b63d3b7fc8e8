"""`cranfield spark doctor`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

import click

from cranfield.cli.completion import FILE
from cranfield.cli.engine_options import cluster_options
from cranfield.cli.options import formats_option
from cranfield.cli.tables import wrapped
from cranfield.spark.doctor import Check, examine
from cranfield.spark.session import Cluster

NOT_FINE = 3


@click.command("doctor", epilog="Example: cranfield spark doctor --master spark://host:7077 /shared/log")
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=FILE)
@cluster_options
@formats_option
def command(paths: tuple[str, ...], cluster: Cluster, layout: str | None) -> None:
    """Say whether a cluster has all that is needed, and what to fix: one check after another, as they are made.

    \b
    pyspark, Java      here: there, and of versions that go together
    session            the master answers, and takes our application
    workers            at least one takes part; which Python, Cranfield and packages they have
    [PATH]...          whether workers see these files, and the same ones as are seen here

    The exit code is 3 if something is not fine.
    """
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    made = list[Check]()
    if layout == "tsv":
        click.echo("check\tfine\tfound\tadvice")
    for check in examine(cluster, paths):
        made.append(check)
        if layout == "table":
            click.echo("\n".join(_lines(check)))
        elif layout == "tsv":
            click.echo("\t".join((check.what, "yes" if check.fine else "no", check.found, check.advice)))
    fine = all(check.fine for check in made)
    if layout == "json":
        report = {"master": cluster.master, "fine": fine, "checks": [asdict(check) for check in made]}
        click.echo(json.dumps(report, indent=2))
    click.get_current_context().exit(0 if fine else NOT_FINE)


def _lines(check: Check) -> list[str]:
    lines = wrapped(f"{'ok   ' if check.fine else 'FAULT'}  {check.what}: {check.found}")
    return lines + ([] if check.fine else wrapped(f"what to do: {check.advice}", "       "))
