"""Gold documents: those whose grade is known, shown among the others to see how well assessors judge."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from django.db import transaction
from django.db.models import Max

from cranfield.data.collection import Collection
from cranfield.data.qrels import Qrels
from cranfield.errors import DataError, UsageError
from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import User
from cranfield.web.judging.models import Slot
from cranfield.web.projects.bringing_in import add_documents
from cranfield.web.projects.models import Item, Project
from cranfield.web.projects.spool import Spool


@dataclass(frozen=True, slots=True)
class GoldAdded:
    """How many gold documents are new, how many of them left the pool for it, and how many could not."""

    added: int
    from_pool: int
    judged_already: int

    def __str__(self) -> str:
        said = f"{self.added:,} gold documents"
        if self.from_pool:
            said += f", {self.from_pool:,} of them out of the pool"
        if self.judged_already:
            said += f"; {self.judged_already:,} stay in the pool, for somebody has judged or holds them"
        return said


def add_gold(
    project: Project, qrels: Qrels, collection: Collection | None = None, *, by: User | None = None
) -> GoldAdded:
    """Make gold of judgments: of documents that the project has, or else that the collection has.

    A document of the pool that nobody has yet becomes gold and leaves the pool, for its grade is known. A grade that
    the scale does not have, and a topic or a document that is not there, is an error.
    """
    if project.mode == Project.Mode.PAIRS:
        raise UsageError("gold documents have a grade; in this project assessors say which of two is better")
    grades = {
        (topic, document): grade
        for topic, documents in qrels.to_dict().items()
        for document, grade in documents.items()
        if grade >= 0
    }
    _refuse_strange_grades(project, grades)
    known = set(project.documents.values_list("name", flat=True))
    missing = {document for _, document in grades} - known
    with Spool() as spool:
        if missing and collection is not None:
            spool.fill(collection.documents(), missing, all_of_them=False)
        _refuse(project, grades, sorted(missing - spool.names))
        with transaction.atomic():
            add_documents(project, spool)
            added = _write(project, grades)
            note(by, project, "gold documents added", **asdict(added))
    return added


def _refuse_strange_grades(project: Project, grades: dict[tuple[str, str], float]) -> None:
    scale = project.current_scale
    values = [grade["value"] for grade in scale.content] if scale is not None else []
    for (topic, document), grade in grades.items():
        if grade not in values:
            expected = ", ".join(f"{value:g}" for value in values)
            raise DataError(f"topic {topic}, document {document}: the grade is {grade:g}; the scale has {expected}")
    if not grades:
        raise DataError("there are no judgments in it, so nothing that could be gold")


def _refuse(project: Project, grades: dict[tuple[str, str], float], missing: list[str]) -> None:
    if missing:
        more = f" and {len(missing) - 3:,} more" if len(missing) > 3 else ""
        raise DataError(f"the project has no text of {', '.join(missing[:3])}{more}: name documents that have them too")
    topics = set(project.topics.values_list("name", flat=True))
    for topic, _ in grades:
        if topic not in topics:
            raise DataError(f"topic {topic} is none of this project")


def _write(project: Project, grades: dict[tuple[str, str], float]) -> GoldAdded:
    topics = {topic.name: topic for topic in project.topics.annotate(last=Max("items__place"))}
    documents = dict(project.documents.values_list("name", "pk"))
    places = {name: topic.last or 0 for name, topic in topics.items()}
    there = {
        (item.topic.name, item.document.name): item
        for item in project.items.filter(other=None).select_related("topic", "document")
    }
    new: list[Item] = []
    changed: list[Item] = []
    judged = 0
    for (topic, document), grade in grades.items():
        item = there.get((topic, document))
        if item is None:
            places[topic] += 1
            new.append(
                Item(
                    project=project,
                    topic=topics[topic],
                    document_id=documents[document],
                    place=places[topic],
                    origin=Item.Origin.GOLD,
                    gold_grade=grade,
                )
            )
        elif item.origin != Item.Origin.GOLD and item.slots.filter(assessor__isnull=False).exists():
            judged += 1
        else:
            item.gold_grade = grade
            changed.append(item)
    from_pool = [item for item in changed if item.origin != Item.Origin.GOLD]
    Slot.objects.filter(item__in=[item.pk for item in from_pool], assessor=None).delete()
    for item in changed:
        item.origin = Item.Origin.GOLD
    Item.objects.bulk_update(changed, ("gold_grade", "origin"), batch_size=500)
    Item.objects.bulk_create(new, batch_size=500)
    return GoldAdded(len(new) + len(from_pool), len(from_pool), judged)
