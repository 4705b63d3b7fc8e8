"""In which order documents are judged: options, and the orders they ask for."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from cranfield.cli.completion import FILE
from cranfield.cli.named_runs import run_files
from cranfield.cli.options import level_option
from cranfield.data.documents import Document
from cranfield.data.pool import Pool
from cranfield.data.topics import Topic, Topics
from cranfield.errors import UsageError
from cranfield.evaluation.provenance.fingerprints import of_file
from cranfield.experiments.finding import find_workspace
from cranfield.pooling.added_documents import AddedDocuments
from cranfield.pooling.build_notes import refuse_strangers
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.orders.named import ORDERS, NamedOrder
from cranfield.pooling.pool_orders import PoolOrders, in_no_run
from cranfield.pooling.term_matrix import TermMatrix, kept_matrix, matrix_key

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Command = TypeVar("Command", bound=Callable[..., Any])
TERMS = ".terms"
"""Behind the name of a pool, the file that keeps what its documents say."""


def complete_order(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Orders that begin like this."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(name, help=kind.meaning) for name, kind in ORDERS.items() if name.startswith(incomplete)]


seed_option = click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Decides what is left to chance."
)
_OPTIONS = (
    click.option(
        "--order",
        default="pool",
        metavar="NAME",
        callback=lambda context, option, value: NamedOrder.parse(value),
        shell_complete=complete_order,
        help="Which documents come first; parameters as in bandit-ucb:discount=0.95.  [default: pool]",
    ),
    click.option(
        "--first",
        multiple=True,
        metavar="FILE",
        type=FILE,
        help="Documents that come before all others: lines of `topic document`, a run, judgments; may be repeated.",
    ),
    seed_option,
    level_option,
)


def order_options(command: Command) -> Command:
    """The options of one order: `order`, `first`, `seed` and `level`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


class OrderInputs(NamedTuple):
    """What the orders of a pool are made of."""

    pool: Pool
    file: str
    """Of the pool."""
    work: Mapping[str, Sequence[str]]
    """The documents to judge, by topic."""
    runs: Sequence[str]
    first: Sequence[str]
    collection: str | None
    """Where the documents are, if that was said."""
    documents: Callable[[], Mapping[str, Document]]
    """Those that are to be judged."""
    topics: Callable[[], Topics]


def pool_orders(order: NamedOrder, inputs: OrderInputs, *, seed: int, level: float) -> PoolOrders:
    """The orders that were asked for; what they do not need is not read."""
    made: dict[str, Any] = {"picked": _picked(inputs.first), "seed": seed, "level": level}
    if order.kind.needs == "texts":
        queries = {topic.id: all_it_says(topic) for topic in inputs.topics().values()}
        return PoolOrders(order, _candidates(order, inputs), _terms(inputs), queries, **made)
    return PoolOrders(order, _candidates(order, inputs), **made)


def _candidates(order: NamedOrder, inputs: OrderInputs) -> Candidates:
    if order.kind.needs != "runs":
        if inputs.runs:
            raise UsageError(f"--order {order.label} asks no runs: leave them out, or name another order")
        return Candidates.of([])
    found = Candidates.of_files(run_files(find_workspace(), inputs.runs, all_of_them=True))
    if found.runs:
        refuse_strangers(found, inputs.pool)
        lost, of = in_no_run(inputs.work, found), sum(map(len, inputs.work.values()))
        if lost:
            click.echo(f"cranfield: {lost} of the {of} documents are in none of the runs: they come last", err=True)
    return found


def _picked(files: Sequence[str]) -> dict[str, list[str]]:
    picked: dict[str, list[str]] = {}
    for file in files:
        for topic, documents in AddedDocuments.read(file).pool.to_judge().items():
            picked.setdefault(topic, []).extend(documents)
    return picked


def _terms(inputs: OrderInputs) -> TermMatrix:
    """What the documents say: as it is kept beside the pool, if it is of these."""
    wanted = sorted({name for names in inputs.pool.to_judge().values() for name in names})
    identity = inputs.pool.collection_sha256
    if identity is None and inputs.collection is not None and os.path.isfile(inputs.collection):
        identity = of_file(inputs.collection)[0].sha256
    key = matrix_key(identity, wanted) if identity is not None else None

    def texts() -> dict[str, str]:
        documents = inputs.documents()
        missing = sum(name not in documents for name in wanted)
        if missing:
            click.echo(f"cranfield: {missing} of {len(wanted)} documents are not in the collection", err=True)
        return {name: documents[name].text() if name in documents else "" for name in wanted}

    return kept_matrix(None if inputs.file == "-" else inputs.file + TERMS, key, texts)


def all_it_says(topic: Topic) -> str:
    """Every text of a topic, not only its title: what the classifier begins with."""
    return " ".join(value for value in topic.fields.values() if isinstance(value, str))


ORDERS_HELP = "\n".join(
    ["\b", "Orders:", *(f"{name:<{max(map(len, ORDERS))}}  {kind.meaning}" for name, kind in ORDERS.items())]
)
