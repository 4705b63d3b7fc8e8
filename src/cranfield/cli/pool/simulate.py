"""`cranfield pool simulate`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from cranfield.cli.collection_and_topics import collection_and_topics
from cranfield.cli.completion import FILE, complete_measure
from cranfield.cli.options import formats_option, level_option, qrels_format_option, run_format_option
from cranfield.cli.pool.order_options import ORDERS_HELP, all_it_says, complete_order, seed_option
from cranfield.cli.pool.simulation_tables import show_simulation
from cranfield.cli.progress import showing_progress
from cranfield.cli.reading_options import collection_reading
from cranfield.cli.runs_to_evaluate import split_option, to_evaluate
from cranfield.errors import UsageError
from cranfield.experiments.finding import find_workspace
from cranfield.formats.collections.reading import Ways
from cranfield.pooling.orders.material import TopicTexts
from cranfield.pooling.orders.named import NamedOrder
from cranfield.pooling.simulation import DEPTH, SEEDS, Texts, simulate_orders
from cranfield.pooling.term_matrix import TermMatrix


def _parsed_budgets(context: click.Context, option: click.Parameter, given: Sequence[str]) -> list[int]:
    """The numbers of lists such as 10,20,50."""
    found = []
    for part in (part.strip() for text in given for part in text.split(",")):
        if not part.isdecimal() or int(part) < 1:
            raise UsageError(f"--budget {part or given[0]}: expected judgments per topic, such as 50 or 10,20,50")
        found.append(int(part))
    return found


@click.command(
    "simulate",
    context_settings={"max_content_width": 120},
    epilog="Example: cranfield pool simulate qrels.txt *.run --order depth --order bandit-max-mean --budget 10,50,100",
)
@click.argument("qrels", required=False, metavar="[QRELS]", type=FILE)
@click.argument("runs", nargs=-1, metavar="[RUN]...", type=FILE)
@click.option(
    "--order",
    "orders",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_order,
    help="An order to replay; may be repeated.  [default: all, but active only with --collection]",
)
@click.option(
    "--budget",
    "budgets",
    multiple=True,
    metavar="N,...",
    callback=_parsed_budgets,
    help="Judgments per topic, such as 10,50,100.  [default: 1, 2, 5, 10 and so on to the end]",
)
@click.option(
    "-k",
    "--depth",
    type=click.IntRange(0),
    default=DEPTH,
    show_default=True,
    help="Documents that can be asked for: the first so many of each run; 0: all.",
)
@click.option(
    "-m", "measure", metavar="MEASURE", shell_complete=complete_measure, help="Orders systems.  [default: AP]"
)
@click.option("--seeds", type=click.IntRange(1), default=SEEDS, show_default=True, help="Replay each so many times.")
@seed_option
@level_option
@click.option("--judged-only", is_flag=True, help="As if there were no other documents than those that are judged.")
@click.option("--collection", type=FILE, help="For active: the documents.")
@click.option("--topics", type=FILE, help="For active: the topics.  [default: those of the collection]")
@click.option(
    "--plot", metavar="FILE", type=FILE, help="Draw it too: html, svg, png, pdf, or json for Vega-Lite, by its ending."
)
@split_option
@run_format_option
@qrels_format_option
@collection_reading
@click.option("--digits", type=click.IntRange(0, 17), default=2, show_default=True, help="Decimal places in the table.")
@formats_option
def command(
    qrels: str | None,
    runs: tuple[str, ...],
    orders: tuple[str, ...],
    budgets: list[int],
    depth: int,
    measure: str | None,
    seeds: int,
    seed: int,
    level: float,
    judged_only: bool,
    collection: str | None,
    topics: str | None,
    plot: str | None,
    split: str | None,
    input_format: str | None,
    qrels_format: str | None,
    ways: Ways,
    digits: int,
    layout: str | None,
) -> None:
    """Replay orders of judging over judged data, to choose one.

    Every order asks for the documents of the runs one by one and is told their grades. After so many judgments of each
    topic: how many relevant documents it has found, and how far it puts the systems in the order in which all judgments
    put them (Kendall's tau and AP correlation; 1 is the same order). Documents without a judgment count as not
    relevant; with --judged-only there are none. Every order is replayed with several seeds: lots decide between equals,
    and some orders draw more. Where seeds differ, the lowest and the highest value stand beside the mean.
    """
    named = [NamedOrder.parse(order) for order in orders]
    for order in named:
        if order.label.partition(":")[0] == "pool":
            raise UsageError("--order pool is the order of a pool, and there is none here")
    if plot is not None:
        from cranfield.report.export import format_of

        format_of(plot)
    wants_texts = any(order.kind.needs == "texts" for order in named)
    with showing_progress():
        given = to_evaluate(qrels, runs, [measure] if measure else [], split=split)
        texts = _texts(collection, topics, ways) if collection is not None or wants_texts else None
        found = simulate_orders(
            given.qrels,
            given.scored(),
            orders,
            budgets=budgets,
            depth=depth or None,
            measure=measure or "AP",
            seeds=seeds,
            seed=seed,
            level=level,
            judged_only=judged_only,
            texts=texts,
            run_format=input_format,
            qrels_format=qrels_format,
        )
    for note in found.notes:
        click.echo(f"cranfield: {note}", err=True)
    given.looked([measure or "AP"])
    if plot is not None:
        from cranfield.report.charts.judging_orders import judging_orders
        from cranfield.report.export import write_chart

        write_chart(judging_orders(found), plot)
    show_simulation(found, layout or ("table" if sys.stdout.isatty() else "tsv"), digits)


def _texts(collection: str | None, topics: str | None, ways: Ways) -> Texts:
    """What topics and their documents say; documents that are not there say nothing."""
    found, asked = collection_and_topics(collection, topics, ways, find_workspace())
    terms = TermMatrix.of({document.id: document.text() for document in found.documents()})
    queries: Mapping[str, Any] = {topic.id: all_it_says(topic) for topic in asked.values()}

    def of_topic(topic: str, documents: Sequence[str]) -> TopicTexts:
        if topic not in queries:
            raise UsageError(f"{asked.name}: there is no topic {topic}, which the runs have: name other --topics")
        return terms.of_topic(documents, queries[topic])

    return of_topic


command.help = f"{inspect.cleandoc(command.help or '')}\n\n{ORDERS_HELP}"
