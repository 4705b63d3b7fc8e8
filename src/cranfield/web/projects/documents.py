"""The documents of a project as managers look at them: how often each was judged, and what was said of it."""

from __future__ import annotations

from django.db.models import Count, F, Q, QuerySet

from cranfield.web.judging.slots import PERSONAL
from cranfield.web.projects.models import Item, Project

STATES = {
    "": "in any state",
    "open": "not judged as often as wanted",
    "done": "judged as often as wanted",
    "changed": "whose text changed",
    "gold": "gold",
    "searched": "found by searching",
    "withdrawn": "withdrawn",
}


def items_of(project: Project, *, topic: str = "", words: str = "", state: str = "") -> QuerySet[Item]:
    """What is judged, with `done`: how many judgments it has."""
    shared = Q(slots__number__lt=PERSONAL, slots__replacement=None)
    items = (
        project.items.select_related("topic", "document", "other")
        .defer("document__text", "document__fields", "other__text", "other__fields")
        .annotate(done=Count("slots", filter=shared & Q(slots__done_at__isnull=False)))
    )
    if topic:
        items = items.filter(topic__name=topic)
    for word in words.split():
        said = Q(document__name__icontains=word) | Q(document__title__icontains=word)
        items = items.filter(said | Q(document__text__icontains=word))
    if state == "open":
        items = items.filter(done__lt=F("wanted"), withdrawn=False).exclude(origin=Item.Origin.GOLD)
    elif state == "done":
        items = items.filter(done__gte=F("wanted"), withdrawn=False).exclude(origin=Item.Origin.GOLD)
    elif state == "changed":
        items = items.exclude(document__changed_sha256="")
    elif state in (Item.Origin.GOLD, Item.Origin.SEARCHED):
        items = items.filter(origin=state)
    elif state == "withdrawn":
        items = items.filter(withdrawn=True)
    return items.order_by("topic__place", "place")
