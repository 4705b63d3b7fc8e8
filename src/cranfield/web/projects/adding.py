"""More documents for the pool, one by one: what programs send, or what was found by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max

from cranfield.data.documents import Document as Content
from cranfield.data.pool import OUTRIGHT
from cranfield.errors import DataError, did_you_mean
from cranfield.web.judging.slots import add_slots
from cranfield.web.projects.document_columns import document_columns
from cranfield.web.projects.models import Document, Item, Project, Topic
from cranfield.web.projects.overlap import wanted_of


@dataclass(frozen=True, slots=True)
class Wanted:
    """A document that shall be judged for a topic; without content, one that the project has already."""

    topic: str
    document: str
    content: Content | None = None


@dataclass(frozen=True, slots=True)
class Added:
    """How many were new; what was there already is left as it was."""

    items: int
    documents: int
    there_already: int


@transaction.atomic
def add_to_pool(project: Project, wanted: Sequence[Wanted]) -> Added:
    """Put documents into the pool of a project, behind those that are there: all of them, or an error and none."""
    Project.objects.select_for_update().get(pk=project.pk)
    if project.mode == Project.Mode.PAIRS:
        raise DataError("this project compares documents two by two: its pool is one of pairs")
    topics = _topics(project, wanted)
    documents, new_documents = _documents(project, wanted)
    rounds = project.items.aggregate(last=Max("round"))["last"] or 0
    items: list[Item] = []
    for topic in topics.values():
        names = dict.fromkeys(one.document for one in wanted if one.topic == topic.name)
        there = set(topic.items.filter(other=None).values_list("document", flat=True))
        place = topic.items.aggregate(last=Max("place"))["last"] or 0
        new = [name for name in names if documents[name].pk not in there]
        items += [
            Item(
                project=project,
                topic=topic,
                document=documents[name],
                place=place + number,
                method=str(OUTRIGHT),
                round=rounds,
                wanted=wanted_of(project, topic, name),
            )
            for number, name in enumerate(new, 1)
        ]
    add_slots(Item.objects.bulk_create(items, batch_size=500))
    return Added(len(items), new_documents, len({(one.topic, one.document) for one in wanted}) - len(items))


def _topics(project: Project, wanted: Sequence[Wanted]) -> dict[str, Topic]:
    known = {topic.name: topic for topic in project.topics.all()}
    for one in wanted:
        if one.topic not in known:
            raise DataError(f"there is no topic {one.topic!r:.80} in this project{did_you_mean(one.topic, known)}")
    return {name: known[name] for name in dict.fromkeys(one.topic for one in wanted)}


def _documents(project: Project, wanted: Sequence[Wanted]) -> tuple[dict[str, Document], int]:
    """The documents by name, those that are new among them; and how many those are."""
    names = list(dict.fromkeys(one.document for one in wanted))
    found = {document.name: document for document in project.documents.filter(name__in=names)}
    new: dict[str, Document] = {}
    for one in wanted:
        if one.content is not None:
            columns = document_columns(one.content)
            known = found.get(one.document) or new.setdefault(one.document, Document(project=project, **columns))
            if columns["sha256"] not in (known.sha256, known.changed_sha256):
                raise DataError(
                    f"the document {one.document!r:.80} is there with another content: its SHA-256 is "
                    f"{known.sha256[:12]}..., that of this one {columns['sha256'][:12]}..."
                )
    lacking = next((name for name in names if name not in found and name not in new), None)
    if lacking is not None:
        raise DataError(f"the document {lacking!r:.80} is not in this project; send its title and text along")
    Document.objects.bulk_create(new.values(), batch_size=500)
    return found | new, len(new)
