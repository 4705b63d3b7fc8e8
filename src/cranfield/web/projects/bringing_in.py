"""From a pool, topics and documents to what is judged: only what is new is added, all of it or nothing."""

from __future__ import annotations

import gzip
import io
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from django.db import transaction
from django.db.models import Max

from cranfield.data.collection import Collection
from cranfield.data.pool import Pool
from cranfield.data.topics import Topics
from cranfield.errors import UsageError
from cranfield.formats.pools import read_pool, write_pool
from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import User
from cranfield.web.batches import BATCH, batches
from cranfield.web.judging.slots import add_slots
from cranfield.web.projects.document_columns import topic_columns
from cranfield.web.projects.gathering import Known, Material, Row, gathered
from cranfield.web.projects.models import Document, Item, PoolFile, Project, Topic
from cranfield.web.projects.overlap import wanted_of
from cranfield.web.projects.pairs import make_pairs
from cranfield.web.projects.spool import Spool

MOST_PAIRS = 200_000
"""More comparisons than that nobody makes."""


@dataclass(frozen=True, slots=True)
class BroughtIn:
    """What was new, and what was left out because there is no text of it."""

    topics: int
    documents: int
    items: int
    left_out: int = 0

    def __str__(self) -> str:
        left_out = f"; {self.left_out:,} left out, which the topics or the collection do not have"
        return (
            f"{self.items:,} to judge: {self.documents:,} new documents, {self.topics:,} new topics"
            f"{left_out if self.left_out else ''}"
        )


def bring_in(
    project: Project,
    pool: Pool,
    topics: Topics,
    collection: Collection,
    *,
    leave_out: bool = False,
    per_document: int | None = None,
    by: User | None = None,
) -> BroughtIn:
    """Put what a pool wants judged into a project: topics, documents, items with their slots.

    What the project has already stays as it is, but for chances and strata, which are those of this pool. A topic or a
    document of the pool that is not among `topics` or in the collection is an error, or with `leave_out` left out. In a
    project of pairs the documents of a topic are compared with each other, each with `per_document` others or with all.
    """
    known = Known(
        set(project.topics.values_list("name", flat=True)),
        set(project.documents.values_list("name", flat=True)),
        last_pool(project),
    )
    with gathered(pool, topics, collection, known=known, leave_out=leave_out) as material:
        return write(project, material, per_document=per_document, by=by)


@transaction.atomic
def write(
    project: Project, material: Material, *, per_document: int | None = None, by: User | None = None
) -> BroughtIn:
    """Put into a project what was gathered."""
    Project.objects.select_for_update().get(pk=project.pk)
    new_topics = _add_topics(project, material)
    new_documents = add_documents(project, material.spool)
    if project.mode == Project.Mode.PAIRS:
        items = _add_pairs(project, material.rows, per_document)
    else:
        documents = dict(project.documents.values_list("name", "pk"))
        topics = project.topics.filter(name__in=list(material.rows))
        items = sum(_add_items(project, topic, material.rows[topic.name], documents) for topic in topics)
    _keep_pool(project, material)
    brought = BroughtIn(new_topics, new_documents, items, material.left_out)
    note(by, project, "pool brought in", **asdict(brought))
    return brought


def _add_topics(project: Project, material: Material) -> int:
    topics = material.topics
    there = set(project.topics.values_list("name", flat=True))
    last = project.topics.aggregate(last=Max("place"))["last"] or 0
    new = [name for name in topics if name in material.rows and name not in there]
    Topic.objects.bulk_create(
        Topic(project=project, place=place, **topic_columns(topics[name])) for place, name in enumerate(new, last + 1)
    )
    return len(new)


def add_documents(project: Project, spool: Spool) -> int:
    """Those that the project does not have yet; how many that were."""
    number = 0
    for batch in batches(spool):
        there = set(
            project.documents.filter(name__in=[columns["name"] for columns in batch]).values_list("name", flat=True)
        )
        new = [Document(project=project, **columns) for columns in batch if columns["name"] not in there]
        Document.objects.bulk_create(new)
        number += len(new)
    return number


def _add_items(project: Project, topic: Topic, rows: list[Row], documents: dict[str, int]) -> int:
    """The items of a topic that are new, with their slots; those that are there get the chances of this pool."""
    there = {item.document_id: item for item in topic.items.filter(other=None)}
    place = topic.items.aggregate(last=Max("place"))["last"] or 0
    new: list[Item] = []
    changed: list[Item] = []
    for row in rows:
        item = there.get(documents[row.document])
        if item is not None:
            was = (item.method, item.stratum, item.probability)
            item.method, item.stratum, item.probability = row.method, row.stratum, row.probability
            if was != (row.method, row.stratum, row.probability):
                changed.append(item)
            continue
        place += 1
        new.append(
            Item(
                project=project,
                topic=topic,
                document_id=documents[row.document],
                place=place,
                stratum=row.stratum,
                probability=row.probability,
                method=row.method,
                round=row.round,
                wanted=wanted_of(project, topic, row.document),
            )
        )
    Item.objects.bulk_update(changed, ("method", "stratum", "probability"), batch_size=BATCH)
    add_slots(Item.objects.bulk_create(new, batch_size=BATCH))
    return len(new)


def _add_pairs(project: Project, rows: dict[str, list[Row]], per_document: int | None) -> int:
    """Documents of a topic to be compared, two by two."""
    for topic, its_rows in rows.items():
        if len(its_rows) < 2:
            raise UsageError(f"topic {topic} has one document alone, and nothing to compare it with")
    pairs = sum(len(its_rows) * min(per_document or MOST_PAIRS, len(its_rows) - 1) // 2 for its_rows in rows.values())
    if pairs > MOST_PAIRS:
        raise UsageError(f"these would be {pairs:,} pairs; say how many pairs each document is in, such as 6")
    documents = {document.name: document for document in project.documents.defer("text", "fields")}
    topics = project.topics.filter(name__in=list(rows))
    return make_pairs(
        project, {topic: [documents[row.document] for row in rows[topic.name]] for topic in topics}, per_document
    )


def last_pool(project: Project) -> Pool | None:
    """The pool as it was brought in last, with what was not drawn."""
    last = project.pools.last()
    return None if last is None else read_pool(io.BytesIO(gzip.decompress(last.content)))


def _keep_pool(project: Project, material: Material) -> None:
    pool = material.pool
    number = project.pools.count() + 1
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pool.tsv"
        write_pool(pool, os.fspath(file))
        PoolFile.objects.create(project=project, number=number, content=gzip.compress(file.read_bytes(), mtime=0))
    project.recipe = list(pool.recipe)
    project.topics_sha256 = material.topics.sha256
    project.collection_sha256 = _known_hash(material.collection) or pool.collection_sha256 or project.collection_sha256
    project.save(update_fields=("recipe", "topics_sha256", "collection_sha256"))


def _known_hash(collection: Collection) -> str:
    """The hash of the documents, if it is on record: to know it otherwise, all of them would have to be read."""
    return collection.recorded.sha256 if collection.recorded is not None else ""
