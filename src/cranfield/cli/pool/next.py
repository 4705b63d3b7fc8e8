"""`cranfield pool next`."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Mapping, Sequence

import click

from cranfield.cli.collection_and_topics import collection_and_topics
from cranfield.cli.completion import FILE
from cranfield.cli.options import formats_option
from cranfield.cli.pool.judgments_given import events_of_workspace, judgments_told, rule_option
from cranfield.cli.pool.order_options import ORDERS_HELP, OrderInputs, order_options, pool_orders
from cranfield.cli.progress import showing_progress
from cranfield.cli.reading_options import collection_reading
from cranfield.cli.tables import render, write_lines
from cranfield.data.collection import Collection
from cranfield.data.documents import Document
from cranfield.data.topics import Topics
from cranfield.errors import UsageError, did_you_mean
from cranfield.experiments.finding import find_workspace
from cranfield.formats.collections.reading import Ways
from cranfield.formats.pools import read_pool
from cranfield.pooling.judging_material import documents_of
from cranfield.pooling.orders.named import NamedOrder
from cranfield.pooling.pool_orders import NextDocument, next_documents, not_in_pool


@click.command(
    "next",
    context_settings={"max_content_width": 120},
    epilog="Example: cranfield pool next pool.tsv *.run --judgments ann.jsonl --order bandit-max-mean -n 5",
)
@click.argument("pool", metavar="POOL", type=FILE)
@click.argument("runs", nargs=-1, metavar="[RUN]...", type=FILE)
@click.option(
    "--judgments",
    multiple=True,
    metavar="FILE",
    type=FILE,
    help="Events of `cranfield judge`, or qrels whose lines are in the order of judging; events may be repeated.  "
    "[default: in a workspace, the events of this pool]",
)
@order_options
@click.option("-n", "count", type=click.IntRange(1), default=10, show_default=True, help="So many of each topic.")
@click.option("--topic", "only", multiple=True, metavar="ID", help="This topic only; may be repeated.")
@click.option("--collection", type=FILE, help="For active: the documents.  [default: those of the workspace]")
@click.option("--topics", type=FILE, help="For active: the topics.  [default: of the workspace, or the collection]")
@rule_option
@collection_reading
@formats_option
def command(
    pool: str,
    runs: tuple[str, ...],
    judgments: tuple[str, ...],
    order: NamedOrder,
    first: tuple[str, ...],
    seed: int,
    level: float,
    count: int,
    only: tuple[str, ...],
    collection: str | None,
    topics: str | None,
    rule: str,
    ways: Ways,
    layout: str | None,
) -> None:
    """Say which documents to judge next, given what has been judged.

    Nothing is kept between two calls but the judgments: an order is made anew and told all of them, in the order in
    which they were made. So the answer depends on pool, runs, judgments and seed alone. Some orders ask RUNs, and
    active reads the documents, of which it keeps what it needs in POOL.terms, so that it is quick when asked again.

    `cranfield judge --terminal --order NAME` asks by itself.
    """
    with showing_progress():
        read = read_pool(pool)
        work = _work(read.to_judge(), only, pool)
        told = judgments_told(judgments or events_of_workspace(pool), rule)
        wanted = {name for names in read.to_judge().values() for name in names}

        def material() -> tuple[Collection, Topics]:
            return collection_and_topics(collection, topics, ways, find_workspace())

        def documents() -> Mapping[str, Document]:
            return documents_of(material()[0], read, wanted, pool)

        inputs = OrderInputs(read, pool, work, runs, first, collection, documents, lambda: material()[1])
        found = next_documents(work, told, pool_orders(order, inputs, seed=seed, level=level), count)
    outside = not_in_pool(read.to_judge(), told)
    if outside:
        click.echo(f"cranfield: {outside} judgments are of documents that are not in the pool: left out", err=True)
    if not found:
        click.echo("cranfield: everything is judged", err=True)
    _show(found, layout or ("table" if sys.stdout.isatty() else "tsv"))


def _work(to_judge: dict[str, list[str]], only: Sequence[str], source: str) -> dict[str, list[str]]:
    for name in only:
        if name not in to_judge:
            raise UsageError(f"{source}: there is no topic {name!r} in this pool{did_you_mean(name, to_judge)}")
    return {name: documents for name, documents in to_judge.items() if not only or name in only}


def _show(found: Sequence[NextDocument], layout: str) -> None:
    rows = [[one.topic, str(one.place), one.document] for one in found]
    header = list(NextDocument._fields)
    if layout == "json":
        write_lines([json.dumps([one._asdict() for one in found], indent=2, ensure_ascii=False)])
    elif layout == "tsv":
        write_lines(["\t".join(row) for row in [header, *rows]])
    else:
        write_lines([render(header, rows, left=3)])


command.help = f"{inspect.cleandoc(command.help or '')}\n\n{ORDERS_HELP}"
