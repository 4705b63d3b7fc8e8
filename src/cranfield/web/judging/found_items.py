"""Documents that were found by searching become items of the topic when somebody opens them to judge."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max

from cranfield.errors import DataError
from cranfield.web.accounts.models import User
from cranfield.web.judging.found_documents import documents_named
from cranfield.web.judging.models import Slot
from cranfield.web.judging.slots import add_slots, take, take_for_them_alone
from cranfield.web.projects.models import Document, Item, Topic
from cranfield.web.projects.overlap import wanted_of


def open_found(topic: Topic, assessor: User, name: str) -> tuple[Document, Slot | None]:
    """A document that was found, and the slot in which the assessor judges it; None if others have all slots.

    A document that is not in the pool yet gets as many slots as one of the pool would: what one has found, others are
    given to judge too, where the project wants several judgments.
    """
    found = documents_named(topic.project, [name]).get(name)
    if found is None:
        raise DataError(f"document {name!r:.80}: there is no text of it here")
    with transaction.atomic():
        item = _item(topic, found)
        if item.withdrawn and item.origin != Item.Origin.SEARCHED:
            return item.document, None
        if item.withdrawn:
            item.withdrawn = False
            item.save(update_fields=("withdrawn",))
        alone = item.origin == Item.Origin.GOLD
        return item.document, take_for_them_alone(item, assessor) if alone else take(item, assessor)


def leave_found(topic: Topic, assessor: User, name: str) -> bool:
    """Close a document that was opened and not judged; whether it was only there for having been opened.

    One that nobody else judges is then no longer to be judged. Should an answer of the assessor still be on its way,
    from another window, it counts all the same.
    """
    with transaction.atomic():
        items = Item.objects.select_for_update().filter(topic=topic, document__name=name, origin=Item.Origin.SEARCHED)
        item = items.filter(withdrawn=False).first()
        if item is None or item.events.exists():
            return False
        if item.slots.exclude(assessor=None).exclude(assessor=assessor).exists():
            return False
        item.slots.filter(assessor=assessor, done_at=None).update(assessor=None, leased_at=None, leased_until=None)
        item.withdrawn = True
        item.save(update_fields=("withdrawn",))
        return True


def _item(topic: Topic, found: Document) -> Item:
    """The item of a document, made if there is none; locked, so that nobody leaves it meanwhile."""
    columns = {name: getattr(found, name) for name in ("title", "text", "fields", "image", "sha256")}
    document, _ = Document.objects.get_or_create(project=topic.project, name=found.name, defaults=columns)
    last = topic.items.aggregate(last=Max("place"))["last"] or 0
    made, is_new = Item.objects.get_or_create(
        topic=topic,
        document=document,
        other=None,
        defaults={
            "project": topic.project,
            "place": last + 1,
            "origin": Item.Origin.SEARCHED,
            "wanted": wanted_of(topic.project, topic, found.name),
        },
    )
    if is_new:
        add_slots([made])
    return Item.objects.select_for_update(of=("self",)).select_related("document", "project").get(pk=made.pk)
