"""What a manager does when somebody does not go on: what they hold becomes free, or goes to somebody else."""

from __future__ import annotations

from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from cranfield.errors import UsageError
from cranfield.web.accounts.models import User
from cranfield.web.judging.models import Slot
from cranfield.web.judging.slots import PERSONAL, lease_end
from cranfield.web.projects.models import Membership, Project


class Reassigned(NamedTuple):
    """How many slots went to the other assessor, and how many became free because they could not."""

    reassigned: int
    released: int


def release(project: Project, assessor: User) -> int:
    """Make free what an assessor holds and has not answered; how many slots that were.

    An answer that is still on its way counts, as long as nobody else has taken the document.
    """
    held = list(_held(project, assessor).values_list("pk", flat=True))
    still = Slot.objects.filter(pk__in=held, assessor=assessor, done_at=None)
    return still.update(assessor=None, leased_at=None, leased_until=None)


def reassign(project: Project, assessor: User, to: User) -> Reassigned:
    """Hand what an assessor holds and has not answered to another, but for items of which that one has a slot."""
    judges = project.memberships.filter(user=to, left_at=None).exclude(role=Membership.Role.PARTICIPANT)
    if not judges.exists():
        raise UsageError("they do not judge in this project: choose an assessor, or a manager")
    now = timezone.now()
    reassigned = 0
    for slot in _held(project, assessor):
        still = Slot.objects.filter(pk=slot.pk, assessor=assessor, done_at=None)
        try:
            with transaction.atomic():
                reassigned += still.update(assessor=to, leased_at=now, leased_until=lease_end(project, now))
        except IntegrityError:  # the other one has a slot of this item already
            continue
    return Reassigned(reassigned, release(project, assessor))


def _held(project: Project, assessor: User) -> QuerySet[Slot]:
    return Slot.objects.filter(item__project=project, assessor=assessor, done_at=None, number__lt=PERSONAL)
