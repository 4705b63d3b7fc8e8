"""`cranfield judge --terminal`."""

from __future__ import annotations

import getpass
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cranfield.cli.collection_and_topics import collection_and_topics
from cranfield.cli.judging.texts import in_words
from cranfield.cli.pool.order_options import OrderInputs, pool_orders
from cranfield.cli.progress import showing_progress
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


def judge_in_terminal(
    pool: str,
    *,
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
) -> int:
    """Judge until somebody stops; the exit code of the command."""
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
    return 0 if ended_by is None else ENDED_BY_SIGNAL + ended_by


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
