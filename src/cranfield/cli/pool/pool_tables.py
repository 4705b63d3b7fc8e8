"""What is said of a pool that was written."""

from __future__ import annotations

import json
import sys

import click
import numpy as np

from cranfield.cli.tables import render, write_lines
from cranfield.pooling.building import BuiltPool


def show_built(built: BuiltPool, place: str, layout: str | None) -> None:
    """How much there is to judge, on standard output, unless the pool went there; notes on standard error."""
    for note in built.notes:
        click.echo(f"cranfield: {note}", err=True)
    if place == "-":
        return
    facts = _facts(built)
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    if layout == "json":
        write_lines([json.dumps({"pool": place, **facts, "notes": list(built.notes)}, indent=2)])
    elif layout == "tsv":
        write_lines(["\t".join(facts), "\t".join(map(str, facts.values()))])
    else:
        write_lines([render([place, ""], [[name.replace("_", " "), str(value)] for name, value in facts.items()])])


def _facts(built: BuiltPool) -> dict[str, int | float]:
    pool = built.pool
    by_topic = np.bincount(pool.topic[pool.chosen], minlength=len(pool.topic_ids))
    facts: dict[str, int | float] = {"topics": len(pool.topic_ids), "to_judge": len(pool), "new": built.new}
    if pool.is_sample:
        facts["drawn_from"] = len(pool.documents)
    if len(by_topic):
        facts["fewest_of_a_topic"] = int(by_topic.min())
        facts["mean_of_a_topic"] = round(float(by_topic.mean()), 1)
        facts["most_of_a_topic"] = int(by_topic.max())
    return facts
