"""The items of a pairwise project: which two documents are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import Max

from cranfield.pooling.pairing import choose_pairs
from cranfield.web.batches import BATCH
from cranfield.web.judging.slots import add_slots
from cranfield.web.projects.models import Document, Item, Project, Topic
from cranfield.web.projects.overlap import wanted_of


@transaction.atomic
def make_pairs(
    project: Project,
    topic_documents: Mapping[Topic, Sequence[Document]],
    per_document: int | None = None,
    seed: int | None = None,
) -> int:
    """Items with two documents each, and their slots; how many are new.

    Whoever creates a pairwise project, from a form or by the API, has its topics and documents in the database, and
    gives here for each topic the documents that are compared. `per_document` is how many pairs each is in; None is
    every pair, which are n (n - 1) / 2. Pairs and sides are drawn by the seed, that of the project if none is given. A
    pair that is there already, either way round, is not made again.
    """
    return sum(
        _of_topic(project, topic, documents, per_document, project.seed if seed is None else seed)
        for topic, documents in topic_documents.items()
    )


def _of_topic(
    project: Project, topic: Topic, documents: Sequence[Document], per_document: int | None, seed: int
) -> int:
    by_name = {document.name: document for document in documents}
    pairs = choose_pairs(topic.name, [document.name for document in documents], per_document, seed)
    there = {
        frozenset(pair) for pair in topic.items.filter(other__isnull=False).values_list("document__name", "other__name")
    }
    last = topic.items.aggregate(last=Max("place"))["last"] or 0
    new = [pair for pair in pairs if frozenset(pair) not in there]
    items = Item.objects.bulk_create(
        (
            Item(
                project=project,
                topic=topic,
                document=by_name[left],
                other=by_name[right],
                place=place,
                wanted=wanted_of(project, topic, f"{left} {right}"),
            )
            for place, (left, right) in enumerate(new, last + 1)
        ),
        batch_size=BATCH,
    )
    add_slots(items)
    return len(items)
