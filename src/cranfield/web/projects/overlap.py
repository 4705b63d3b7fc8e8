"""How many judgments a document shall have: one, or more for all, for a topic, or for a share of the pool."""

from __future__ import annotations

from django.db import transaction

from cranfield.errors import UsageError
from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import User
from cranfield.web.judging.lots import lot
from cranfield.web.judging.models import Slot
from cranfield.web.judging.slots import add_slots
from cranfield.web.projects.models import Item, Project, Topic


def wanted_of(project: Project, topic: Topic, document: str) -> int:
    """How many judgments a document of a topic shall have.

    Whether it is of the share that several judge is drawn once and for all: with a larger share, those drawn already
    stay among them.
    """
    overlap = project.overlap if topic.overlap is None else topic.overlap
    drawn = overlap > 1 and lot(project, None, f"overlap {topic.name} {document}") < project.overlap_share
    return overlap if drawn else 1


@transaction.atomic
def raise_overlap(
    project: Project, overlap: int, *, share: float | None = None, topic: Topic | None = None, by: User | None = None
) -> int:
    """More judgments of each document, of a topic or of all; how many more are wanted now.

    What was wanted before stays so: a judgment that is there is never taken away, and nobody is told that what they
    hold is too much.
    """
    share = project.overlap_share if share is None else share
    before = project.overlap if topic is None or topic.overlap is None else topic.overlap
    if overlap < before or share < project.overlap_share:
        raise UsageError(
            f"the overlap is {before} for {project.overlap_share:.0%} of the pool, and can only be raised: documents "
            f"may have been judged as often already. Found {overlap} for {share:.0%}"
        )
    if topic is None:
        project.overlap, project.overlap_share = overlap, share
        project.save(update_fields=("overlap", "overlap_share"))
        project.topics.filter(overlap__lt=overlap).update(overlap=None)
    else:
        topic.overlap = overlap
        topic.save(update_fields=("overlap",))
    more = _raise(project, topic)
    note(by, project, "overlap raised", overlap=overlap, share=share, topic=topic.name if topic else "", more=more)
    return more


def _raise(project: Project, topic: Topic | None) -> int:
    items = Item.objects.filter(project=project).exclude(origin=Item.Origin.GOLD)
    items = items.select_related("topic", "document")
    raised = []
    for item in items if topic is None else items.filter(topic=topic):
        wanted = wanted_of(project, item.topic, _drawn_by(item))
        if wanted > item.wanted:
            item.wanted = wanted
            raised.append(item)
    slots = Slot.objects.filter(item__project=project)
    # A skip adds a slot too: no two may number theirs at once.
    list(slots.select_for_update(of=("self",)).filter(done_at=None).values_list("pk", flat=True))
    before = slots.count()
    Item.objects.bulk_update(raised, ("wanted",), batch_size=500)
    add_slots(raised)
    return slots.count() - before


def _drawn_by(item: Item) -> str:
    return item.document.name if item.other is None else f"{item.document.name} {item.other.name}"
