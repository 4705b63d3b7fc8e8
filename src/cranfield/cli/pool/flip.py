"""`cranfield pool flip`."""

from __future__ import annotations

import sys
from dataclasses import replace

import click

from cranfield.cli.completion import FILE, complete_measure
from cranfield.cli.options import (
    depth_option,
    digits_option,
    formats_option,
    level_option,
    qrels_format_option,
    run_format_option,
)
from cranfield.cli.pool.flip_tables import show
from cranfield.cli.pool.pool_inputs import force_option, output_of, pool_inputs
from cranfield.cli.progress import progress_bar
from cranfield.cli.runs_to_evaluate import split_option, to_evaluate
from cranfield.errors import UsageError
from cranfield.formats.pools import write_pool
from cranfield.pooling.flip.flip import DEFAULT_MEASURE, flip
from cranfield.pooling.flip.importance import ORDERS

NOT_CERTAIN = 3
"""The exit code where --require-certain is not fulfilled."""


@click.command(
    "flip",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield pool flip qrels.txt new.run old.run -m AP -o judge-these.tsv",
)
@click.argument("qrels", required=False, metavar="[QRELS]", type=FILE)
@click.argument("first", required=False, metavar="[A]", type=FILE)
@click.argument("second", required=False, metavar="[B]", type=FILE)
@click.option(
    "-m",
    "measure",
    metavar="MEASURE",
    shell_complete=complete_measure,
    help=f"The measure.  [default: {DEFAULT_MEASURE}; in a workspace, its first]",
)
@level_option
@depth_option
@click.option(
    "--highest-grade", type=float, help="The highest grade unjudged documents could have, if none has it yet."
)
@click.option(
    "--evidence",
    multiple=True,
    metavar="RUN",
    type=FILE,
    help="A further run that helps to estimate which documents are relevant; may be repeated.",
)
@click.option(
    "--order",
    type=click.Choice(ORDERS),
    default="certainty",
    show_default=True,
    help="Which documents come first: those expected to bring certainty, with the largest expected or possible effect.",
)
@click.option(
    "--simulations",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="How often further judgments are simulated, to say how many it takes.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the simulations.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Of the interval.")
@click.option(
    "-n",
    "most",
    type=click.IntRange(0),
    help="List so many documents at most.  [default: 10 in the table, or none if no judgment is needed; else all]",
)
@click.option("-q", "by_query", is_flag=True, help="Also what is known of each topic (tsv: this alone).")
@click.option("-o", "output", metavar="FILE", type=FILE, help="Write the documents listed (all, without -n) as a pool.")
@force_option
@click.option("--require-certain", is_flag=True, help="End with exit code 3 if it is not certain which run is better.")
@split_option
@formats_option
@qrels_format_option
@run_format_option
@digits_option
def command(
    qrels: str | None,
    first: str | None,
    second: str | None,
    measure: str | None,
    level: float,
    depth: int | None,
    highest_grade: float | None,
    evidence: tuple[str, ...],
    order: str,
    simulations: int,
    seed: int,
    confidence: float,
    most: int | None,
    by_query: bool,
    output: str | None,
    force: bool,
    require_certain: bool,
    split: str | None,
    layout: str | None,
    qrels_format: str | None,
    input_format: str | None,
    digits: int,
) -> int:
    """Say whether unjudged documents could turn a comparison round, and which.

    Is A better than B whatever the documents are that one of them returned and nobody judged? The difference is A minus
    B, and its bounds are over all grades they could have, each document one for both runs. Where that leaves it open,
    the documents that matter are listed, and it is estimated how many judgments it takes until it is certain, and until
    the interval of topics and unjudged documents leaves out 0. A pool written with -o has them in that order.

    In a workspace names of systems stand for their runs.
    """
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    given = [run for run in (first, second) if run is not None]
    asked = to_evaluate(qrels, given, () if measure is None else (measure,), needed=("QRELS", "A", "B"), split=split)
    if len(asked.runs) != 2:
        raise UsageError(f"name the two systems to compare; there are {len(asked.runs)}")
    place = None if output is None else output_of(output, asked.workspace, force=force)
    runs = asked.scored()
    with progress_bar() as progress:
        found = flip(
            asked.qrels,
            runs[0],
            runs[1],
            next(iter(asked.measures), DEFAULT_MEASURE),
            evidence=[asked.run(run) for run in evidence],
            order=order,
            simulations=simulations,
            seed=seed,
            level=level,
            depth=depth,
            highest_grade=highest_grade,
            confidence=confidence,
            qrels_format=qrels_format,
            run_format=input_format,
            progress=progress,
        )
    asked.done(found.evaluation)
    if place is not None:
        material = pool_inputs([], None, None, all_runs=False)
        pool = replace(
            found.pool(most), collection_sha256=material.collection_sha256, topics_sha256=material.topics_sha256
        )
        write_pool(pool, place)
    if place != "-":
        show(found, layout, by_query=by_query, most=most, digits=digits)
    return NOT_CERTAIN if require_certain and not found.certain else 0
