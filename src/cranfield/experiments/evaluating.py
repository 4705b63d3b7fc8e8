"""What every evaluation in a workspace goes through: a look at test topics is noted in the ledger, and said."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from cranfield.experiments.ledger import Entry, RunSeen, TopicsSeen, add_entry, read_ledger
from cranfield.experiments.looks import looks, sha256_of, touches_test
from cranfield.experiments.split_files import is_split, why_split_is_stale
from cranfield.experiments.splits import TEST
from cranfield.experiments.workspace import Workspace


def evaluating(
    workspace: Workspace,
    runs: Mapping[str, str | os.PathLike[str]],
    measures: Sequence[str],
    topics: Sequence[str],
    *,
    qrels: str,
    command: str,
) -> tuple[str, ...]:
    """Told what was evaluated in a workspace: runs by name, on which topics; gives what is to be said beside it.

    In a workspace that is divided that is how often the test topics were looked at, and by which runs, with this look
    if it is one.
    """
    if not is_split(workspace):
        return ()
    if touched := touches_test(workspace, topics, qrels):
        seen = tuple(RunSeen(name, sha256_of(file)) for name, file in runs.items())
        entry = Entry("look", command, TopicsSeen.of(TEST, touched), sha256_of(qrels), seen, tuple(measures))
        add_entry(workspace.ledger, entry)
    stale = why_split_is_stale(workspace)
    return (*([stale] if stale else []), looks(workspace).sentence)


def quoted_heads(workspace: Workspace) -> tuple[str, ...]:
    """The heads of the ledger as a report quotes them, so that they can be held against it later."""
    return tuple(f"ledger head {head}" for head in read_ledger(workspace.ledger).heads)
