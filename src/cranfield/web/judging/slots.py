"""Slots are what judgments are made in: as many as are wanted, each leased to one assessor at a time."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import IntegrityError
from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from cranfield.web.accounts.models import User
from cranfield.web.batches import batches
from cranfield.web.judging.models import Slot
from cranfield.web.judging.writing import writing
from cranfield.web.projects.models import Item, Project

PERSONAL = 1000
"""A slot for one assessor alone, on a gold document or as a repeat, has this number plus theirs; others have less."""


def add_slots(items: Iterable[Item]) -> None:
    """The slots that items lack: as many as judgments are wanted. Gold documents get theirs as they are shown."""
    for batch in batches(item for item in items if item.origin != Item.Origin.GOLD):
        shared = Slot.objects.filter(item__in=batch, number__lt=PERSONAL).values_list("item")
        # One that takes the place of a slot that was skipped makes no judgment more.
        counts = shared.annotate(last=Max("number"), lasting=Count("pk", filter=Q(replaces=None)))
        there = {item: (last, number) for item, last, number in counts}
        Slot.objects.bulk_create(
            (
                Slot(item=item, number=last + more)
                for item in batch
                for last, number in (there.get(item.pk, (0, 0)),)
                for more in range(1, item.wanted - number + 1)
            ),
            ignore_conflicts=True,
        )


def take(item: Item, assessor: User) -> Slot | None:
    """The slot of an item that is an assessor's: the one they have, or one that was free; None if there is none.

    A slot that was done is given too.
    """
    now = timezone.now()
    own = item.slots.filter(assessor=assessor, repeat_of=None)
    while not own.exists():
        free = item.slots.filter(lapsed(now), number__lt=PERSONAL, done_at=None).order_by("number").first()
        if free is None:
            return None
        claim(free.pk, assessor, now, lease_end(item.project, now))
    return own.get()


def take_for_them_alone(item: Item, assessor: User) -> Slot:
    """The slot of a gold document that is an assessor's: the one they have, or a new one, for everybody has one."""
    own = item.slots.filter(assessor=assessor, repeat_of=None)
    if not own.exists():
        lease_for_them_alone(item.project, item.pk, assessor)
    return own.get()


def lease_for_them_alone(project: Project, item: int, assessor: User) -> int | None:
    """A new slot for one assessor alone, leased to them; None if in another window they have just got it."""
    now = timezone.now()
    try:
        with writing():
            return Slot.objects.create(
                item_id=item,
                number=PERSONAL + assessor.pk,
                assessor=assessor,
                leased_at=now,
                leased_until=lease_end(project, now),
            ).pk
    except IntegrityError:
        return None


def lapsed(now: datetime) -> Q:
    """The condition on a slot that nobody has it: never leased, or leased to somebody who did not answer in time."""
    return Q(assessor=None) | Q(leased_until__lt=now)


def has_lapsed(slot: Slot, now: datetime) -> bool:
    """The same, of a slot that has been read."""
    return slot.assessor_id is None or (slot.leased_until is not None and slot.leased_until < now)


def open_to(project: Project, assessor: User, now: datetime, topic: int | None = None) -> QuerySet[Slot]:
    """The slots that an assessor may have, of one topic or of all: nobody has them, and they have none of the item."""
    where = {"item__project": project} if topic is None else {"item__topic": topic}
    own = Slot.objects.filter(assessor=assessor, **where).values("item")
    free = Slot.objects.filter(lapsed(now), number__lt=PERSONAL, done_at=None, item__withdrawn=False, **where)
    return free.exclude(item__in=own)


def claim(slot: int, assessor: User, now: datetime, until: datetime) -> bool:
    """Lease a slot, if nobody has it; whether that came off.

    The condition is on the row itself, not in a sub-select: PostgreSQL looks at it again when it had to wait for
    another claim of the row, so that one alone wins.
    """
    free = Slot.objects.filter(lapsed(now), pk=slot, number__lt=PERSONAL, done_at=None)
    try:
        with writing():
            return bool(free.update(assessor=assessor, leased_at=timezone.now(), leased_until=until))
    except IntegrityError:  # in another window the assessor has just got another slot of this item
        return False


def lease_end(project: Project, now: datetime) -> datetime:
    return now + timedelta(minutes=project.lease_minutes)
