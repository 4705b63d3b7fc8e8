"""Pools from runs: build one, or add to one what later runs and people found."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cranfield.data.pool import Pool
from cranfield.data.run import Run
from cranfield.data.strings import encode
from cranfield.errors import CoverageError, UsageError
from cranfield.pooling.added_documents import AddedDocuments
from cranfield.pooling.build_notes import build_notes, refuse_strangers, unknown_documents
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.depth import Depth
from cranfield.pooling.extending import EMPTY, extended
from cranfield.pooling.strategy import Strategy

Reading = Callable[..., Candidates]
"""What makes candidates of runs, so many documents of each list, and `input_format`."""


@dataclass(frozen=True)
class BuiltPool:
    """A pool, and what should be said about how it came about."""

    pool: Pool
    notes: tuple[str, ...] = ()
    new: int = field(default=0)
    """How many documents there are to judge that were not before."""


def build_pool(
    runs: Sequence[str | os.PathLike[str] | Run],
    strategy: Strategy | None = None,
    *,
    added: Sequence[AddedDocuments] = (),
    seed: int = 0,
    topics: Collection[str] | None = None,
    documents: Callable[[], Iterable[str]] | None = None,
    keep_order: bool = False,
    collection_sha256: str | None = None,
    topics_sha256: str | None = None,
    run_format: str | None = None,
    reading: Reading = Candidates.of_runs,
) -> BuiltPool:
    """The documents to be judged, chosen from what several runs returned and from what people added.

    Without a strategy these are the first 100 documents of every run. The order of judging is drawn by `seed`, unless
    `keep_order` wants that of the strategy. Only `topics` are pooled, where they are given; `documents` reads the
    identifiers there are, to say which added ones are not among them. The hashes say which documents and topics the
    pool is for. `reading` has the first documents of runs, where these are not to be read in this process.

    >>> one, two = Run.from_dict({"q": {"a": 2, "b": 1}}), Run.from_dict({"q": {"b": 2, "c": 1}}, name="two")
    >>> sorted(build_pool([one, two], Depth(1)).pool["q"])
    ['a', 'b']
    """
    empty = replace(EMPTY, collection_sha256=collection_sha256, topics_sha256=topics_sha256)
    return extend_pool(
        empty,
        runs,
        strategy,
        added=added,
        seed=seed,
        topics=topics,
        documents=documents,
        keep_order=keep_order,
        run_format=run_format,
        reading=reading,
    )


def extend_pool(
    pool: Pool,
    runs: Sequence[str | os.PathLike[str] | Run],
    strategy: Strategy | None = None,
    *,
    added: Sequence[AddedDocuments] = (),
    seed: int = 0,
    topics: Collection[str] | None = None,
    documents: Callable[[], Iterable[str]] | None = None,
    keep_order: bool = False,
    run_format: str | None = None,
    reading: Reading = Candidates.of_runs,
) -> BuiltPool:
    """The pool and what is new: nothing that was to be judged is lost, or moved. See `build_pool` and `extending`.

    A budget is of new documents. Strategies that draw lots leave alone what is in the pool, drawn or not: it had its
    chance, and keeps it.
    """
    strategy = strategy or Depth()
    if not runs and not added:
        raise UsageError("there is nothing to make a pool of: name runs, or documents to add")
    found = reading(runs, strategy.reading_depth, input_format=run_format)
    refuse_strangers(found, pool)
    wanted = None if topics is None else {encode(topic) for topic in topics}
    candidates = found if wanted is None else found.among(wanted)
    if wanted is not None and runs and not candidates.topic_ids:
        raise CoverageError(
            f"none of the {len(found.topic_ids)} topics of the runs ({_some(found.topics)}) is among the {len(wanted)} "
            "topics that are asked. Do runs and topics belong together?"
        )
    made = extended(
        pool,
        candidates,
        strategy,
        seed=seed,
        added=[each.pool if wanted is None else each.among(wanted) for each in added],
        keep_order=keep_order,
        recipe=_recipe(strategy, found, added, seed, keep_order=keep_order),
    )
    notes = build_notes(pool, made, found, candidates, strategy, added, wanted)
    if added and documents is not None:
        notes += unknown_documents(added, documents())
    return BuiltPool(made.checked(), notes, len(made) - len(pool))


def _recipe(
    strategy: Strategy, candidates: Candidates, added: Sequence[AddedDocuments], seed: int, *, keep_order: bool
) -> dict[str, Any]:
    """How a round is made, in words that do not depend on the order in which runs were named."""
    runs = sorted(zip(candidates.runs, candidates.sha256, strict=True), key=lambda run: (run[0], run[1] or ""))
    return {
        "strategy": strategy.name if runs else "added",
        "parameters": strategy.parameters() if runs else {},
        "seed": seed,
        "order": "strategy" if keep_order else "random",
        "runs": [{"name": name, "sha256": sha256} for name, sha256 in runs],
        "added": [{"name": each.name, "sha256": each.sha256} for each in sorted(added, key=lambda each: each.name)],
    }


def _some(names: Sequence[str], most: int = 3) -> str:
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")
