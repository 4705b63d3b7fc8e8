"""What an assessor needs: the documents of a pool, in the order of the topics, that belong to it and to the scale."""

from __future__ import annotations

from collections.abc import Collection as Container
from collections.abc import Sequence

from cranfield.data.collection import Collection
from cranfield.data.documents import Document
from cranfield.data.judging_record import JudgingRecord
from cranfield.data.pool import Pool
from cranfield.data.scale import Scale
from cranfield.data.topics import Topics
from cranfield.errors import DataError, UsageError, did_you_mean


def work_of(pool: Pool, topics: Topics, only: Sequence[str] = (), source: str = "the pool") -> dict[str, list[str]]:
    """The documents to judge for each topic, or for some only; topics in the order of their file.

    Topics that the file has not come last. An error if it has none of them.
    """
    for name in only:
        if name not in pool.topics:
            raise UsageError(f"{source}: there is no topic {name!r} in this pool{did_you_mean(name, pool.topics)}")
    to_judge = pool.to_judge()
    in_order = [*(name for name in topics if name in to_judge), *(name for name in to_judge if name not in topics)]
    work = {name: to_judge[name] for name in in_order if not only or name in only}
    if not any(name in topics for name in work):
        raise DataError(
            f"{source}: none of its topics ({', '.join(list(work)[:3])}, ...) is among those of {topics.name}. Are "
            f"they the topics of another collection?"
        )
    return work


def documents_of(
    collection: Collection, pool: Pool, wanted: Container[str], source: str = "the pool"
) -> dict[str, Document]:
    """The documents that are wanted, as far as the collection has them.

    It is an error if the collection is not the one that the pool is of, or has none of them.
    """
    if collection.recorded is not None:
        _refuse_other(collection, pool, source)
    documents: dict[str, Document] = {}
    for document in collection.documents():
        if document.id in wanted:
            documents[document.id] = document
            # The hash is on record: the documents need not be read to their end to know it.
            if collection.recorded is not None and len(documents) == len(wanted):
                break
    if collection.recorded is None:
        _refuse_other(collection, pool, source)
    if not documents:
        raise DataError(
            f"{source}: none of its {len(wanted):,} documents ({next(iter(wanted), '')}, ...) is in {collection.name}. "
            f"Is it a pool of another collection?"
        )
    return documents


def refuse_other_scale(record: JudgingRecord, assessor: str, scale: Scale, source: str) -> None:
    """An error if an assessor's grades in a file were given by another scale."""
    graded = (one for one in record.decisions() if one.assessor == assessor and one.action == "grade")
    others = sorted({one.scale for one in graded if one.scale is not None} - {scale.version})
    if others:
        raise UsageError(
            f"{source}: {assessor} judged there by another scale (version {', '.join(others)}; {scale.name!r} is "
            f"version {scale.version}). Give another file, or say --other-scale if the grades mean the same"
        )


def _refuse_other(collection: Collection, pool: Pool, source: str) -> None:
    if pool.collection_sha256 not in (None, collection.sha256):
        raise DataError(
            f"{source}: this pool is of another collection: the SHA-256 of its documents is "
            f"{str(pool.collection_sha256)[:12]}..., and that of {collection.name} is {collection.sha256[:12]}..."
        )
