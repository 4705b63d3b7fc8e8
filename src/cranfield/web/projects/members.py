"""Who works on a project: leaving it, and what becomes of what they hold."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from cranfield.errors import UsageError
from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import User
from cranfield.web.judging.reassigning import Reassigned, reassign, release
from cranfield.web.projects.models import Membership, Project
from cranfield.web.projects.pseudonyms import keep_in_role


def refuse_last_manager(member: Membership) -> None:
    """An error if nobody else manages the project."""
    if member.role == Membership.Role.MANAGER and not _other_managers(member):
        raise UsageError("somebody has to manage the project: invite another manager first")


@transaction.atomic
def remove(member: Membership, by: User) -> int:
    """Let somebody go; what they hold becomes free, what they judged stays. How many documents became free."""
    refuse_last_manager(member)
    Membership.objects.filter(pk=member.pk).update(left_at=timezone.now())
    freed = release(member.project, member.user)
    note(by, member.project, "member removed", member=member.pseudonym, role=member.role, freed=freed)
    return freed


def change_group(member: Membership, group: str, by: User) -> None:
    """Say what somebody is: groups are compared with each other."""
    group = group.strip()
    if len(group) > 60:
        raise UsageError(f"the group has {len(group)} characters; expected at most 60")
    if group != member.group:
        note(by, member.project, "group changed", member=member.pseudonym, before=member.group, after=group)
        Membership.objects.filter(pk=member.pk).update(group=group)


@transaction.atomic
def change_role(member: Membership, role: str, by: User) -> int:
    """Make somebody else of a member; what they hold becomes free if they no longer judge. How many documents."""
    if role not in Membership.Role.values:
        raise UsageError(f"the role is {role!r:.40}; expected {', '.join(Membership.Role.values)}")
    if member.left_at is not None:
        raise UsageError(f"{member.pseudonym} has left the project: invite them in the new role")
    if role == member.role:
        return 0
    Project.objects.select_for_update().get(pk=member.project_id)
    refuse_last_manager(member)
    before = {"role": member.role, "member": member.pseudonym}
    keep_in_role(member, role)
    freed = release(member.project, member.user) if role == Membership.Role.PARTICIPANT else 0
    after = {"role": member.role, "member": member.pseudonym}
    note(by, member.project, "role changed", before=before, after=after, freed=freed)
    return freed


def free(member: Membership, by: User) -> int:
    """Make free what somebody holds."""
    number = release(member.project, member.user)
    note(by, member.project, "documents released", member=member.pseudonym, number=number)
    return number


def hand_over(member: Membership, to: Membership, by: User) -> Reassigned:
    """Give what somebody holds to somebody else."""
    if to.pk == member.pk:
        raise UsageError("choose somebody else")
    moved = reassign(member.project, member.user, to.user)
    note(by, member.project, "documents reassigned", member=member.pseudonym, to=to.pseudonym, **moved._asdict())
    return moved


def _other_managers(member: Membership) -> bool:
    return Membership.managers().filter(project=member.project).exclude(pk=member.pk).exists()
