"""Who judges what next: a topic is finished before another is begun, and nobody gets what somebody else has."""

from __future__ import annotations

from collections.abc import Container, Iterator
from datetime import datetime
from itertools import islice

from django.db.models import QuerySet
from django.utils import timezone

from cranfield.web.accounts.models import User
from cranfield.web.judging.claiming import claim_first
from cranfield.web.judging.lots import lot
from cranfield.web.judging.mixing_in import MixedIn
from cranfield.web.judging.models import Slot
from cranfield.web.judging.slots import claim, lease_end, open_to
from cranfield.web.projects.models import Project

_AT_ONCE = 32
"""How many candidates are looked at before asking the database again."""


def hand_out(project: Project, assessor: User, count: int, have: Container[str] = ()) -> list[Slot]:
    """So many slots for an assessor, leased to them: those they hold already first; fewer if there are not as many.

    They come with their documents, but for those whose handle is in `have`: the browser has these.
    """
    if project.closed_at is not None:
        return []
    now = timezone.now()
    held, waiting = _open(project, assessor, now)
    claimed: list[int] = []
    if len(held) < count:
        mixed_in = MixedIn(project, assessor, waiting)
        topic = _topic_begun(project, assessor, held)
        claimed = list(islice(_claimed(project, assessor, now, topic, mixed_in), count - len(held)))
    new = [*(slot.pk for slot in held[:count] if str(slot.handle) not in have), *claimed]
    found = {slot.pk: slot for slot in with_documents(Slot.objects.filter(pk__in=new))} if new else {}
    return [*(found.get(slot.pk, slot) for slot in held[:count]), *(found[slot] for slot in claimed)]


def with_documents(slots: QuerySet[Slot]) -> QuerySet[Slot]:
    """The same slots, with all that is shown of them."""
    return slots.select_related("item__topic", "item__document", "item__other")


def _open(project: Project, assessor: User, now: datetime) -> tuple[list[Slot], list[Slot]]:
    """What an assessor holds, in the order in which they got it, and what waits to be shown to them again.

    A lease that is half over begins anew.
    """
    mine = Slot.objects.filter(item__project=project, item__withdrawn=False, assessor=assessor, done_at=None)
    slots = list(mine.select_related("item").order_by("leased_at", "pk"))
    held = [slot for slot in slots if slot.leased_at is not None]
    waiting = [slot for slot in slots if slot.leased_at is None]
    until = lease_end(project, now)
    old = [slot.pk for slot in held if slot.leased_until is None or slot.leased_until - now < (until - now) / 2]
    if old:
        Slot.objects.filter(pk__in=old, assessor=assessor, done_at=None).update(leased_until=until)
        still = set(mine.values_list("pk", flat=True))
        held = [slot for slot in held if slot.pk in still]
    return held, waiting


def _topic_begun(project: Project, assessor: User, held: list[Slot]) -> int | None:
    """The topic of the last document that an assessor got, not counting those that came again."""
    for slot in reversed(held):
        if slot.repeat_of_id is None:
            return slot.item.topic_id
    got = Slot.objects.filter(item__project=project, assessor=assessor, repeat_of=None, leased_at__isnull=False)
    return got.order_by("-leased_at", "-pk").values_list("item__topic", flat=True).first()


def _claimed(project: Project, assessor: User, now: datetime, topic: int | None, mixed_in: MixedIn) -> Iterator[int]:
    """Slots as they are claimed: of the topic begun, with what is mixed in, then of the next topic, and so on."""
    until = lease_end(project, now)
    while topic is not None or (topic := _next_topic(project, assessor, now)) is not None:
        while (
            slot := mixed_in.gold(topic) or mixed_in.repeat(topic) or _claim_one(project, assessor, now, until, topic)
        ):
            yield slot
        while slot := mixed_in.repeat():
            yield slot
        topic = None
    while slot := mixed_in.repeat(at_the_end=True):
        yield slot


def _claim_one(project: Project, assessor: User, now: datetime, until: datetime, topic: int) -> int | None:
    """The next slot of a topic that can be had; where others are faster, the one after it."""
    if project.order == Project.Order.POOL and (slot := claim_first(topic, assessor, now, until)) is not None:
        return slot
    while candidates := _candidates(project, assessor, now, topic):
        for slot in candidates:
            if claim(slot, assessor, now, until):
                return slot
    return None


def _candidates(project: Project, assessor: User, now: datetime, topic: int) -> list[int]:
    of_topic = open_to(project, assessor, now, topic)
    if project.order == Project.Order.POOL:
        return list(of_topic.order_by("item__place", "number").values_list("pk", flat=True)[:_AT_ONCE])
    rows = list(of_topic.values_list("pk", "item", "number"))
    lots = {item: lot(project, assessor, f"item {item}") for _, item, _ in rows}
    return [slot for slot, _, _ in sorted(rows, key=lambda row: (lots[row[1]], row[2]))[:_AT_ONCE]]


def _next_topic(project: Project, assessor: User, now: datetime) -> int | None:
    topics = open_to(project, assessor, now).values_list("item__topic", "item__topic__place").distinct()
    if project.order == Project.Order.POOL:
        return min(topics, key=lambda topic: (topic[1], topic[0]), default=(None,))[0]
    return min(topics, key=lambda topic: lot(project, assessor, f"topic {topic[0]}"), default=(None,))[0]
