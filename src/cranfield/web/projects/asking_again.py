"""Judgments have a date, and can be asked for again: relevance changes with time and situation.

A slot that is asked for again is open as if nobody had judged in it, and has no more judgments in the end than before.
The judgment that was made in it counts until another is there; then the new one does, whoever made it. Both stay as
events, each with its time.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from cranfield.errors import UsageError
from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import User
from cranfield.web.judging.models import Slot
from cranfield.web.judging.slots import PERSONAL
from cranfield.web.judging.standing import judged_at
from cranfield.web.projects.models import Item, Project


def judged_slots(project: Project, *, before: datetime | None = None) -> QuerySet[Slot]:
    """The slots that judgments stand in, of those made before some time if one is named; a skip is no judgment."""
    done = Slot.objects.filter(
        item__project=project,
        item__withdrawn=False,
        number__lt=PERSONAL,
        repeat_of=None,
        replacement=None,
        done_at__isnull=False,
    ).exclude(item__origin=Item.Origin.GOLD)
    return done if before is None else done.annotate(judged_at=judged_at()).filter(judged_at__lt=before)


@transaction.atomic
def ask_again(project: Project, slots: QuerySet[Slot], *, by: User, anybody: bool = False, why: str = "") -> int:
    """Ask for judgments once more: first those who made them, or anybody; how many.

    What somebody judged who has left, or came with a file and cannot log in, is for anybody.
    """
    if project.closed_at is not None:
        raise UsageError("the project is closed: open it again first, or nobody could judge")
    pks = list(slots.select_for_update(of=("self",)).values_list("pk", flat=True))
    now = timezone.now()
    here = project.memberships.filter(left_at=None, user__is_active=True).values("user")
    for_anybody = Q() if anybody else ~Q(assessor__in=here)
    asked = Slot.objects.filter(pk__in=pks, done_at__isnull=False)
    number = asked.filter(for_anybody).update(
        done_at=None, asked_again_at=now, assessor=None, leased_at=None, leased_until=None
    )
    if not anybody:
        # Without an end: they are not here at the moment, and it waits for them until they come.
        number += asked.update(done_at=None, asked_again_at=now, leased_at=now, leased_until=None)
    note(by, project, "judgments asked for again", number=number, anybody=anybody, why=why)
    return number
