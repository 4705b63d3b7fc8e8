"""What a pool needs to be judged, gathered before the database is touched."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from cranfield.data.collection import Collection
from cranfield.data.pool import Pool
from cranfield.data.strings import decode
from cranfield.data.topics import Topics
from cranfield.errors import DataError
from cranfield.pooling.added_documents import AddedDocuments
from cranfield.pooling.building import extend_pool
from cranfield.web.projects.spool import Spool


@dataclass(frozen=True, slots=True)
class Row:
    """A document of the pool that is to be judged."""

    document: str
    method: str
    round: int
    stratum: int | None
    probability: float | None


@dataclass(frozen=True, slots=True)
class Material:
    """What a pool wants judged, with the documents that it needs."""

    pool: Pool
    topics: Topics
    collection: Collection
    rows: dict[str, list[Row]]
    spool: Spool
    left_out: int


@dataclass(frozen=True, slots=True)
class Known:
    """What a project has already: names of topics and documents, and its pool."""

    topics: set[str] = field(default_factory=set)
    documents: set[str] = field(default_factory=set)
    pool: Pool | None = None


@contextmanager
def gathered(
    pool: Pool, topics: Topics, collection: Collection, *, known: Known | None = None, leave_out: bool = False
) -> Iterator[Material]:
    """All that a pool needs, found before the database is touched; what is `known` is not looked for."""
    known = known or Known()
    rows = _rows(pool)
    with Spool() as spool:
        _fill(spool, pool, collection, _documents(rows) - known.documents)
        there = known.documents | spool.names
        left_out = _refuse_or_leave_out(rows, topics, known.topics, there, collection.name, leave_out)
        whole = as_round(pool, known.pool)
        yield Material(whole, topics, collection, _as_in(whole, rows), spool, left_out)


def as_round(pool: Pool, before: Pool | None) -> Pool:
    """The pool, or if it is a mere list of documents, the pool before with a round in which they were added.

    What somebody names is judged for certain, and stands for no other document: so chances and strata stay right.
    """
    if pool.recipe or pool.is_sample or before is None:
        return pool
    return extend_pool(before, (), added=[AddedDocuments(pool)]).pool


def _documents(rows: dict[str, list[Row]]) -> set[str]:
    return {row.document for its_rows in rows.values() for row in its_rows}


def _as_in(pool: Pool, rows: dict[str, list[Row]]) -> dict[str, list[Row]]:
    """The same documents in the same order, with what the pool says of them."""
    said = {(topic, row.document): row for topic, its_rows in _rows(pool).items() for row in its_rows}
    return {topic: [said[topic, row.document] for row in its_rows] for topic, its_rows in rows.items()}


def _rows(pool: Pool) -> dict[str, list[Row]]:
    """What is to be judged for each topic, in the order of the pool."""
    if not len(pool):
        raise DataError("there is nothing to judge in the pool")
    rows: dict[str, list[Row]] = {topic: [] for topic in pool.topics}
    columns = zip(
        pool.topic.tolist(),
        map(decode, pool.documents.tolist()),
        pool.chosen.tolist(),
        pool.method.tolist(),
        pool.round.tolist(),
        pool.stratum.tolist() if pool.stratum is not None else [None] * len(pool.topic),
        pool.probability.tolist() if pool.probability is not None else [None] * len(pool.topic),
        strict=True,
    )
    for topic, document, chosen, method, number, stratum, probability in columns:
        if chosen:
            rows[pool.topics[topic]].append(Row(document, str(method), number, stratum, probability))
    return {topic: its_rows for topic, its_rows in rows.items() if its_rows}


def _fill(spool: Spool, pool: Pool, collection: Collection, wanted: set[str]) -> None:
    """Find the documents that are wanted; an error if the collection is not the one that the pool is of."""
    recorded = collection.recorded is not None
    if recorded:
        _refuse_other(pool, collection)
    if wanted:
        spool.fill(collection.documents(), wanted, all_of_them=not recorded and pool.collection_sha256 is not None)
        if not recorded and pool.collection_sha256 is not None:
            _refuse_other(pool, collection)


def _refuse_other(pool: Pool, collection: Collection) -> None:
    if pool.collection_sha256 not in (None, collection.sha256):
        raise DataError(
            f"this pool is of another collection: the SHA-256 of its documents is {str(pool.collection_sha256)[:12]}"
            f"..., and that of {collection.name} is {collection.sha256[:12]}..."
        )


def _refuse_or_leave_out(
    rows: dict[str, list[Row]], topics: Topics, known: set[str], there: set[str], collection: str, leave_out: bool
) -> int:
    """Take out of the rows what cannot be judged, and say how many that were; an error if that is not wanted."""
    wanted = _documents(rows)
    missing = sorted(wanted - there)
    if len(missing) == len(wanted):
        raise DataError(f"none of the documents of the pool ({_some(missing)}) is in {collection}")
    strange = [topic for topic in rows if topic not in topics and topic not in known]
    if len(strange) == len(rows):
        raise DataError(
            f"none of the topics of the pool ({_some(strange)}) is among those of {topics.name}. Are they the topics "
            "of another collection?"
        )
    if strange and not leave_out:
        raise DataError(f"topics of the pool are not among those of {topics.name}: {_some(strange)}. {_LEAVE_OUT}")
    if missing and not leave_out:
        raise DataError(f"documents of the pool are not in {collection}: {_some(missing)}. {_LEAVE_OUT}")
    before = sum(map(len, rows.values()))
    for topic in strange:
        del rows[topic]
    absent = set(missing)
    for topic, its_rows in rows.items():
        rows[topic] = [row for row in its_rows if row.document not in absent]
    after = sum(map(len, rows.values()))
    if not after:
        raise DataError(f"none of the documents of the pool ({_some(missing)}) is in {collection}")
    return before - after


_LEAVE_OUT = "Name what has them, or have them left out."


def _some(names: list[str]) -> str:
    return f"{', '.join(names[:3])}{f' and {len(names) - 3:,} more' if len(names) > 3 else ''}"
