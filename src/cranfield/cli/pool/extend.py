"""`cranfield pool extend`."""

from __future__ import annotations

import inspect
from typing import Any

import click

from cranfield.cli.completion import FILE
from cranfield.cli.options import formats_option, run_format_option
from cranfield.cli.pool.pool_inputs import collection_option, force_option, output_of, pool_inputs, topics_option
from cranfield.cli.pool.pool_tables import show_built
from cranfield.cli.pool.strategy_options import STRATEGIES_HELP, refuse_without_runs, strategy_of, strategy_options
from cranfield.cli.progress import showing_progress
from cranfield.formats.pools import read_pool, write_pool
from cranfield.pooling.added_documents import AddedDocuments
from cranfield.pooling.building import extend_pool


@click.command(
    "extend",
    context_settings={"max_content_width": 120},
    epilog="Example: cranfield pool extend pool.tsv new.run -k 20 --add found-by-hand.txt -o pool-2.tsv",
)
@click.argument("pool", metavar="POOL", type=FILE)
@click.argument("runs", nargs=-1, metavar="[RUN]...", type=FILE)
@strategy_options
@click.option("--add", "added", multiple=True, metavar="FILE", type=FILE, help="Documents to judge in any case.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Decides what is left to chance.")
@click.option("--keep-order", is_flag=True, help="Judge what is new in the order of the strategy.")
@topics_option
@collection_option
@click.option("-o", "output", required=True, metavar="FILE", type=FILE, help="The pool to write: the old one and more.")
@force_option
@run_format_option
@formats_option
def command(
    pool: str,
    runs: tuple[str, ...],
    added: tuple[str, ...],
    seed: int,
    keep_order: bool,
    topics: str | None,
    collection: str | None,
    output: str,
    force: bool,
    input_format: str | None,
    layout: str | None,
    **strategy: Any,
) -> None:
    """Add to a pool what later runs, or people, found.

    What was to be judged stays as it was, and first; only what is new comes behind it. Samples keep their strata: a
    document that had its chance before is not drawn again, one that is now judged in any case no longer stands for
    others, and chances are worked out anew, so that estimates stay unbiased. Options are those of `pool build`; a
    budget is of new documents. In a workspace an option that says how to choose, such as -k, goes for the runs of all
    its systems, unless some are named; with --add alone no run is looked at.
    """
    chosen = strategy_of(**strategy)
    with showing_progress():
        old = read_pool(pool)
        asked = any(value is not None for value in strategy.values())
        inputs = pool_inputs(runs, topics, collection, all_runs=asked)
        refuse_without_runs(inputs.runs, **strategy)
        inputs.refuse_other(old, pool)
        place = output_of(output, inputs.workspace, force=force)
        built = extend_pool(
            old,
            inputs.runs,
            chosen,
            added=[AddedDocuments.read(file) for file in added],
            documents=inputs.documents,
            seed=seed,
            topics=inputs.topics,
            keep_order=keep_order,
            run_format=input_format,
        )
    write_pool(built.pool, place)
    show_built(built, place, layout)


command.help = f"{inspect.cleandoc(command.help or '')}\n\n{STRATEGIES_HELP}"
