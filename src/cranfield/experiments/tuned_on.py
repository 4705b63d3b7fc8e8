"""Which topics parameters were tuned on: the ledger knows, and says it where some of them are test topics now."""

from __future__ import annotations

from collections.abc import Iterable

from cranfield.experiments.ledger import Entry, TopicsSeen, add_entry, read_ledger
from cranfield.experiments.split_files import part_file, read_split
from cranfield.experiments.splits import TEST, TRAIN
from cranfield.experiments.workspace import Workspace
from cranfield.formats.topics import read_topics

NAMED = 5
"""So many topics are named, where there may be many."""


def note_tuning(workspace: Workspace, topics: Iterable[str], measure: str, *, command: str) -> None:
    """Tell the ledger that parameters were chosen by these topics."""
    seen = TopicsSeen.of("training and validation", topics)
    add_entry(workspace.ledger, Entry("tune", command, seen, _training(workspace), measures=(measure,)))


def why_test_is_tuned_on(workspace: Workspace, test_topics: Iterable[str] | None = None) -> str | None:
    """What to say of test topics, all or these, that were training or validation topics when parameters were tuned.

    Where documents are divided, topics are those of every part: only what was tuned by another division counts.
    """
    entries = _tunings(workspace)
    if read_split(workspace).by == "document":
        entries = [entry for entry in entries if entry.qrels != _training(workspace)]
    tuned_on = {name for entry in entries for name in entry.topics.names}
    if tuned_on and test_topics is None:
        test_topics = read_topics(part_file(workspace, TEST, "topics"), format="jsonl")
    return _sentence(sorted(tuned_on.intersection(test_topics or ())))


def why_tuned_on(workspace: Workspace, topics: Iterable[str]) -> str | None:
    """What to say of training and validation topics that are evaluated after parameters were tuned on them."""
    evaluated = frozenset(topics)
    commands = dict.fromkeys(one.what for one in _tunings(workspace) if evaluated.intersection(one.topics.names))
    if not commands:
        return None
    by = "; ".join(commands)
    return (
        f"parameters were tuned on these topics ({by}): a system that has them was chosen for its scores here, and "
        "looks better than it is; the test topics say what it is worth"
    )


def _tunings(workspace: Workspace) -> list[Entry]:
    return [entry for entry in read_ledger(workspace.ledger).entries.values() if entry.kind == "tune"]


def named(topics: list[str] | tuple[str, ...]) -> str:
    """The first topics, and how many more there are.

    >>> named(["a", "b"]), named(list("abcdefg"))
    ('a, b', 'a, b, c, d, e and 2 more')
    """
    more = len(topics) - NAMED
    return ", ".join(topics[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _sentence(topics: list[str]) -> str | None:
    if not topics:
        return None
    return (
        f"parameters were tuned on topics that are test topics now: {named(topics)}. On these, systems with such "
        "parameters look better than they are"
    )


def _training(workspace: Workspace) -> str:
    """The hash of the training judgments, by which a division is known."""
    record = read_split(workspace)
    return record.files[record.file(TRAIN, "qrels")]
