"""What should be said when a pool is made: what was uneven, left out, or had to be drawn once more."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from cranfield.data.pool import Pool
from cranfield.data.strings import decode, encode
from cranfield.errors import CoverageError
from cranfield.pooling.added_documents import AddedDocuments
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.strategy import Strategy

_MOST_NAMES = 5


def refuse_strangers(candidates: Candidates, pool: Pool) -> None:
    """An error for a run that has no topic in common with the other runs and the pool."""
    has = candidates.returned > 0
    if len(pool.topic_ids):
        elsewhere = np.array([topic in pool.position for topic in candidates.topic_ids], dtype=np.bool_)
        others = "the pool"
    elif len(candidates.runs) > 1:
        elsewhere = has.sum(axis=0) > 1
        others = "any other run"
    else:
        return
    strangers = {
        run: [candidates.topics[at] for at in np.flatnonzero(topics).tolist()]
        for run, topics in zip(candidates.runs, has, strict=True)
        if not (topics & elsewhere).any()
    }
    if not strangers:
        return
    advice = "Are the runs for the same topics, with the same identifiers?"
    if not elsewhere.any() and len(strangers) > 1:
        said = [f"{run} ({counted(len(own), 'topic')}: {named(own, 3)})" for run, own in strangers.items()]
        raise CoverageError(f"none of the runs has a topic of {others}: {named(said)}. {advice}")
    run, own = next(iter(strangers.items()))
    raise CoverageError(f"{run}: none of its {len(own)} topics ({named(own, 3)}) is one of {others}. {advice}")


def build_notes(
    old: Pool,
    made: Pool,
    found: Candidates,
    candidates: Candidates,
    strategy: Strategy,
    added: Sequence[AddedDocuments],
    wanted: Collection[bytes] | None,
) -> tuple[str, ...]:
    """In the order in which they matter."""
    notes = [*_same_runs(found), *_short_runs(candidates, strategy), *_missing_topics(candidates)]
    if wanted is not None:
        strange = [topic for topic in found.topics if encode(topic) not in wanted]
        notes += (
            [f"{counted(len(strange), 'topic')} of the runs left out, not asked: {named(strange)}"] if strange else []
        )
        unpooled = [decode(topic) for topic in sorted(wanted) if topic not in made.position]
        notes += (
            [f"{counted(len(unpooled), 'topic')} without a document to judge: {named(unpooled)}"] if unpooled else []
        )
    for each in added:
        if each.repeated:
            notes.append(f"{each.name}: {counted(each.repeated, 'line')} named a document once more")
    if len(old.topic_ids):
        new = [topic for topic in made.topics if encode(topic) not in old.position]
        notes += [f"{counted(len(new), 'topic')} that the pool did not have: {named(new)}"] if new else []
    return tuple(notes)


def unknown_documents(added: Sequence[AddedDocuments], documents: Iterable[str]) -> tuple[str, ...]:
    """What to say of added documents that are not among those there are: nobody can read them."""
    known = {name for each in added for name in each.documents}.intersection(documents)
    unknown = {each.name: [name for name in each.documents if name not in known] for each in added}
    return tuple(
        f"{file}: {counted(len(names), 'document')} that the collection does not have: {named(names)}"
        for file, names in unknown.items()
        if names
    )


def named(names: Sequence[Any], most: int = _MOST_NAMES) -> str:
    """Some names, and how many more there are.

    >>> named(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    rest = len(names) - most
    return ", ".join(map(str, names[:most])) + (f" and {rest} more" if rest > 0 else "")


def _same_runs(candidates: Candidates) -> list[str]:
    """Runs that are one file twice: each counts for itself wherever runs are added up or take turns."""
    by_content: dict[str, list[str]] = {}
    for run, sha256 in zip(candidates.runs, candidates.sha256, strict=True):
        if sha256 is not None:
            by_content.setdefault(sha256, []).append(run)
    return [
        f"{counted(len(runs), 'run')} with the same content, each of which counts: {named(runs)}"
        for runs in by_content.values()
        if len(runs) > 1
    ]


def _short_runs(candidates: Candidates, strategy: Strategy) -> list[str]:
    """Runs that return fewer documents than are looked at."""
    depth = strategy.reading_depth
    if depth is None:
        return []
    short = (candidates.returned < depth) & (candidates.returned > 0)
    runs = np.flatnonzero(short.any(axis=1))
    if not len(runs):
        return []
    shortest = np.where(short, candidates.returned, depth).min(axis=1)
    said = [
        f"{candidates.runs[run]} ({counted(int(short[run].sum()), 'topic')}, the shortest list has {shortest[run]})"
        for run in runs.tolist()
    ]
    return [f"{counted(len(runs), 'run')} with fewer than {depth} documents for some topic: {named(said)}"]


def _missing_topics(candidates: Candidates) -> list[str]:
    """Runs that return nothing for some topics."""
    missing = (candidates.returned == 0).sum(axis=1)
    said = [
        f"{candidates.runs[run]} ({counted(int(missing[run]), 'topic')})" for run in np.flatnonzero(missing).tolist()
    ]
    return [f"{counted(len(said), 'run')} without any document for some topic: {named(said)}"] if said else []


def counted(number: int, what: str) -> str:
    """
    >>> counted(1, "run"), counted(2, "run")
    ('1 run', '2 runs')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
