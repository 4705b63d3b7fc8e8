"""`cranfield pool build`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from cranfield.cli.completion import FILE
from cranfield.cli.engine_options import EngineOptions, engine_options
from cranfield.cli.options import formats_option, run_format_option
from cranfield.cli.pool.pool_inputs import collection_option, force_option, output_of, pool_inputs, topics_option
from cranfield.cli.pool.pool_tables import show_built
from cranfield.cli.pool.strategy_options import STRATEGIES_HELP, refuse_without_runs, strategy_of, strategy_options
from cranfield.cli.progress import showing_progress
from cranfield.formats.pools import write_pool
from cranfield.pooling.added_documents import AddedDocuments
from cranfield.pooling.building import BuiltPool, build_pool


@click.command(
    "build",
    context_settings={"max_content_width": 120},
    epilog="Example: cranfield pool build *.run --strata 10:1.0,50:0.5,100:0.1 --seed 1 -o pool.tsv",
)
@click.argument("runs", nargs=-1, metavar="[RUN]...", type=FILE)
@strategy_options
@click.option(
    "--add", "added", multiple=True, metavar="FILE", type=FILE, help="Documents to judge in any case (below)."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Decides what is left to chance.")
@click.option("--keep-order", is_flag=True, help="Judge in the order of the strategy, and not in random order.")
@topics_option
@collection_option
@click.option("-o", "output", metavar="FILE", type=FILE, help="The pool to write.  [default: in a workspace, pool.tsv]")
@force_option
@run_format_option
@formats_option
@engine_options()
def command(
    runs: tuple[str, ...],
    added: tuple[str, ...],
    seed: int,
    keep_order: bool,
    topics: str | None,
    collection: str | None,
    output: str | None,
    force: bool,
    input_format: str | None,
    layout: str | None,
    engine: EngineOptions,
    **strategy: Any,
) -> None:
    """Choose which documents to judge, from the runs of several systems.

    In a workspace the runs are those of all its systems, unless some are named. The pool has each document of a topic
    once, in random order (the same for the same seed, whatever the order of runs, topics and documents), and keeps the
    strata and chances of what was drawn, which estimates from a sample need.

    --add names documents that are judged in any case, besides those of the runs: lines of `topic document`, or the
    documents of a run (one that was searched by hand), of judgments or of another pool.

    With --engine spark the runs are read by Spark, in one job, for the strategies depth, random and strata; the pool is
    the same.
    """
    chosen = strategy_of(**strategy)
    with showing_progress():
        inputs = pool_inputs(runs, topics, collection, all_runs=True)
        refuse_without_runs(inputs.runs, **strategy)
        place = output_of(output, inputs.workspace, force=force)
        built = _building(engine)(
            inputs.runs,
            chosen,
            added=[AddedDocuments.read(file) for file in added],
            documents=inputs.documents,
            seed=seed,
            topics=inputs.topics,
            keep_order=keep_order,
            collection_sha256=inputs.collection_sha256,
            topics_sha256=inputs.topics_sha256,
            run_format=input_format,
        )
    write_pool(built.pool, place)
    show_built(built, place, layout)


def _building(engine: EngineOptions) -> Callable[..., BuiltPool]:
    if not engine.on_spark:
        return build_pool
    from cranfield.pooling.on_spark import build_pool_on_spark

    return partial(build_pool_on_spark, cluster=engine.cluster)


command.help = f"{inspect.cleandoc(command.help or '')}\n\n{STRATEGIES_HELP}"
