"""What every evaluation in a workspace goes through: a look at test topics is noted in the ledger, and said."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from cranfield.errors import CranfieldError
from cranfield.experiments.ledger import Entry, RunSeen, TopicsSeen, add_entry, read_ledger
from cranfield.experiments.looks import UNDIVIDED, is_within, looks, sha256_of, shows_something_new, touches_test
from cranfield.experiments.split_files import is_split, why_split_is_stale
from cranfield.experiments.splits import TEST
from cranfield.experiments.tuned_on import why_test_is_tuned_on
from cranfield.experiments.workspace import Workspace


def evaluating(
    workspace: Workspace,
    runs: Mapping[str, str | os.PathLike[str]],
    measures: Sequence[str],
    topics: Sequence[str] | None,
    *,
    qrels: str,
    command: str,
) -> tuple[str, ...]:
    """Told what was evaluated in a workspace: runs by name, on which topics (None: on all that are judged); gives
    what is to be said beside it.

    In a workspace that is divided that is how often the test topics were looked at, and by which runs, with this look
    if it is one. In one that is not, any topic may become a test topic: what has not been seen of them before is noted.
    """
    seen = tuple(RunSeen(name, sha256_of(file)) for name, file in runs.items())
    if not is_split(workspace):
        return _note_before_split(workspace, topics, qrels, seen, tuple(measures), command)
    if touched := touches_test(workspace, topics, qrels):
        entry = Entry("look", command, TopicsSeen.of(TEST, touched), sha256_of(qrels), seen, tuple(measures))
        add_entry(workspace.ledger, entry)
    said = [why_split_is_stale(workspace), why_test_is_tuned_on(workspace, touched), looks(workspace).sentence]
    return tuple(filter(None, said))


def _note_before_split(
    workspace: Workspace,
    topics: Sequence[str] | None,
    qrels: str,
    runs: tuple[RunSeen, ...],
    measures: tuple[str, ...],
    command: str,
) -> tuple[str, ...]:
    if not is_within(workspace, qrels):
        return ()
    at = TopicsSeen(UNDIVIDED, 0, "") if topics is None else TopicsSeen.of(UNDIVIDED, topics)
    entry = Entry("look", command, at, sha256_of(qrels), runs, measures)
    try:
        if shows_something_new(read_ledger(workspace.ledger), entry):
            add_entry(workspace.ledger, entry)
    except CranfieldError as error:  # before there are test topics this is no reason to show nothing
        return (f"this look at the topics is not noted: {error}",)
    return ()


def quoted_heads(workspace: Workspace) -> tuple[str, ...]:
    """The heads of the ledger as a report quotes them, so that they can be held against it later."""
    return tuple(f"ledger head {head}" for head in read_ledger(workspace.ledger).heads)
