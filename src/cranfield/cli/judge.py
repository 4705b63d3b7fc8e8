"""`cranfield judge`."""

from __future__ import annotations

import getpass
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cranfield.cli.collection_and_topics import collection_and_topics
from cranfield.cli.completion import FILE
from cranfield.cli.judging.texts import in_words
from cranfield.cli.pool.order_options import OrderInputs, order_options, pool_orders
from cranfield.cli.progress import showing_progress
from cranfield.cli.reading_options import collection_reading
from cranfield.cli.workspace_options import nearer
from cranfield.data.judging import is_assessor, utc_now
from cranfield.data.scale import GRADED, Scale
from cranfield.errors import UsageError
from cranfield.experiments.finding import find_workspace
from cranfield.formats import run_name
from cranfield.formats.collections.reading import Ways
from cranfield.formats.file_lock import Holder
from cranfield.formats.judging_events import JudgingFile
from cranfield.formats.pools import read_pool
from cranfield.formats.scales import read_scale
from cranfield.pooling.judging_material import documents_of, refuse_other_scale, work_of
from cranfield.pooling.judging_session import Item, JudgingSession
from cranfield.pooling.orders.named import NamedOrder

if TYPE_CHECKING:
    from cranfield.cli.judging.application import Judging
    from cranfield.experiments.workspace import Workspace

ENDED_BY_SIGNAL = 128
"""What shells add to the number of the signal that ended a command."""


@click.command(
    "judge",
    epilog="Example: cranfield judge --terminal pool.tsv --collection papers",
)
@click.argument("pool", metavar="POOL", type=FILE)
@click.option("--terminal", is_flag=True, help="Judge in this terminal, by single keys.")
@click.option("--collection", type=FILE, help="The documents.  [default: those of the workspace]")
@click.option("--topics", type=FILE, help="The topics.  [default: those of the workspace, or of the collection]")
@click.option("--scale", metavar="NAME|TOML", type=FILE, help="binary, graded (0 to 3), or a file of your own grades.")
@click.option("--assessor", metavar="NAME", help="Who judges.  [default: who is logged in]")
@click.option("-o", "--output", metavar="EVENTS", type=FILE, help="The file of judging events, which is added to.")
@click.option("--topic", "only", multiple=True, metavar="ID", help="Judge this topic only; may be repeated.")
@click.option(
    "--again",
    multiple=True,
    type=click.Choice(["unsure", "skip"]),
    help="Ask once more for documents of which you were unsure, or which you skipped; may be repeated.",
)
@click.option("--other-scale", is_flag=True, help="Go on in a file that was begun with another scale.")
@order_options
@click.option(
    "--runs",
    multiple=True,
    metavar="RUN",
    type=FILE,
    help="For orders that ask runs: a run; may be repeated.  [default: in a workspace, those of its systems]",
)
@collection_reading
@click.pass_context
def command(
    context: click.Context,
    pool: str,
    terminal: bool,
    collection: str | None,
    topics: str | None,
    scale: str | None,
    assessor: str | None,
    output: str | None,
    only: tuple[str, ...],
    again: tuple[str, ...],
    other_scale: bool,
    order: NamedOrder,
    first: tuple[str, ...],
    seed: int,
    level: float,
    runs: tuple[str, ...],
    ways: Ways,
) -> None:
    """Judge the documents of a pool, one after the other: topic, grades, document; one key gives a grade.

    Every judgment is added to EVENTS at once, and nothing is ever taken out of it: whatever ends the judging, the same
    command goes on where it stopped. Which systems found a document, and where, is not shown. `cranfield pool export`
    makes qrels of the events.

    With --order, what comes next may depend on what was judged (`cranfield pool next --help` lists the orders).

    In a workspace the documents, topics and scale are those of cranfield.toml, and the events go to
    judgments/POOL.NAME.events.jsonl.
    """
    if not terminal:
        raise click.UsageError("Missing option '--terminal': that is where one judges.")
    application = _terminal_application()
    workspace = find_workspace() if collection is None or topics is None or output is None or scale is None else None
    who = _assessor(assessor)
    chosen = _scale(scale, workspace)
    with showing_progress():
        to_judge = read_pool(pool)
        found, asked = collection_and_topics(collection, topics, ways, workspace)
        work = work_of(to_judge, asked, only, pool)
        documents = documents_of(found, to_judge, {name for names in work.values() for name in names}, pool)
        inputs = OrderInputs(to_judge, pool, work, runs, first, collection, lambda: documents, lambda: asked)
        order_of = pool_orders(order, inputs, seed=seed, level=level)
    if to_judge.topics_sha256 not in (None, asked.sha256):
        click.echo(f"cranfield: {asked.name}: the topics are not those that {pool} was made with", err=True)
    place = _events_file(output, pool, who, workspace)
    holder = Holder(os.getpid(), socket.gethostname(), f"cranfield judge --assessor {who}", utc_now())
    with JudgingFile(place, holder) as file:
        if file.torn is not None:
            click.echo(f"cranfield: {place}: its last line was not whole, and is now in {file.torn}", err=True)
        if not other_scale:
            refuse_other_scale(file.record, who, chosen, str(place))

        def absent(item: Item) -> str | None:
            if item.topic not in asked:
                return "the topic is not among the topics"
            return None if item.document in documents else "the document is not in the collection"

        session = JudgingSession(
            work, file.record, assessor=who, scale=chosen, order_of=order_of, again=again, absent=absent
        )
        ended_by = application(session, file, asked, documents).run()
    click.echo(f"{place}: {in_words(session.progress())}", err=True)
    context.exit(0 if ended_by is None else ENDED_BY_SIGNAL + ended_by)


def _terminal_application() -> type[Judging]:
    """What judges in a terminal; an error where there is none."""
    try:
        from cranfield.cli.judging.application import Judging
        from cranfield.cli.judging.terminal import refuse_no_terminal
    except ImportError:  # there is no termios
        raise UsageError("judging in the terminal needs a Unix terminal; on Windows, that of WSL") from None
    refuse_no_terminal()
    return Judging


def _assessor(name: str | None) -> str:
    if name is None:
        try:
            name = getpass.getuser()
        except (OSError, KeyError, ImportError):
            raise UsageError("nobody is logged in by a name: say who judges with --assessor NAME") from None
    if not is_assessor(name):
        raise UsageError(f"--assessor {name!r}: expected a name without white space, such as ann")
    return name


def _scale(name: str | None, workspace: Workspace | None) -> Scale:
    if name is not None:
        return read_scale(name)
    if workspace is not None and workspace.scale_place is not None:
        return read_scale(workspace.scale_place)
    return GRADED


def _events_file(output: str | None, pool: str, assessor: str, workspace: Workspace | None) -> Path:
    if output is not None:
        if output == "-" or Path(output).is_dir():
            raise UsageError(f"-o {output}: expected the name of a file, to which judgments are added")
        return Path(output)
    if workspace is None:
        raise click.UsageError("Missing option '-o' / '--output'. Only in a workspace can it be left out.")
    workspace.judgments.mkdir(exist_ok=True)
    return Path(nearer(workspace.judgments / f"{run_name(pool)}.{assessor.replace('/', '_')}.events.jsonl"))
