"""What members go by in exports and in adjudication."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from cranfield.web.judging.models import Decision, Event, SearchQuery
from cranfield.web.projects.models import Membership


def keep_in_role(member: Membership, role: str) -> None:
    """Keep a member in a role, under a pseudonym of that role: the old one stays only where something bears it.

    What was judged has gone out under it, and nobody shall be two people in two exports.
    """
    if not member._state.adding and (member.role == role or _is_known(member)):
        member.role = role
        member.save()
        return
    member.role = role
    number = Membership.objects.filter(project=member.project, role=role).count()
    while True:  # another may have taken the number meanwhile
        number += 1
        member.pseudonym = f"{role}{number}"
        try:
            with transaction.atomic():
                member.save()
                return
        except IntegrityError:
            if not Membership.objects.filter(project=member.project, pseudonym=member.pseudonym).exists():
                raise


def _is_known(member: Membership) -> bool:
    project, user = member.project, member.user
    return (
        Event.objects.filter(project=project, assessor=user).exists()
        or Decision.objects.filter(item__project=project, decided_by=user).exists()
        or SearchQuery.objects.filter(project=project, assessor=user).exists()
        or project.submissions.filter(participant=user).exists()
    )
