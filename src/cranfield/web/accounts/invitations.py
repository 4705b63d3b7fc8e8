"""Invitations: links by which people come into a project, or become the first administrator."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import Invitation, User, digest, new_secret
from cranfield.web.projects.models import Membership, Project
from cranfield.web.projects.pseudonyms import keep_in_role

FIRST_START = timedelta(hours=24)
"""How long the link is good that makes the first administrator."""


class InvitationGoneError(Exception):
    """There is no such invitation, or it was withdrawn, used up, or is too old."""


def invite(
    project: Project, by: User, *, role: str, group: str = "", uses: int = 1, days: int = 14
) -> tuple[Invitation, str]:
    """An invitation and its secret, which is known now and never again."""
    secret = new_secret()
    invitation = Invitation.objects.create(
        project=project,
        secret_hash=digest(secret),
        role=Membership.Role(role).value,
        group=group,
        created_by=by,
        expires_at=timezone.now() + timedelta(days=days),
        uses_left=uses,
    )
    note(by, project, "invitation made", invitation=invitation.pk, role=role, group=group, uses=uses, days=days)
    return invitation, secret


def invite_administrator() -> str | None:
    """The secret of a link that makes an administrator, if there is none; earlier links are no longer good."""
    if User.objects.filter(is_administrator=True, is_active=True).exists():
        return None
    secret = new_secret()
    with transaction.atomic():
        Invitation.objects.filter(project=None).update(withdrawn=True)
        Invitation.objects.create(
            secret_hash=digest(secret), role=Invitation.ADMINISTRATOR, expires_at=timezone.now() + FIRST_START
        )
    return secret


def withdraw(invitation: Invitation, by: User) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(withdrawn=True)
    note(by, invitation.project, "invitation withdrawn", invitation=invitation.pk)


def invitation_by(secret: str) -> Invitation:
    """The invitation with this secret, while it is good for something."""
    found = Invitation.objects.select_related("project").filter(secret_hash=digest(secret)).first()
    if found is None or not found.open or (found.project is not None and found.project.closed_at is not None):
        raise InvitationGoneError
    return found


def member_by_secret(secret: str, user: User) -> Membership | None:
    """What somebody is in the project of an invitation, though it may be good for nothing any more."""
    invitation = Invitation.objects.filter(secret_hash=digest(secret)).exclude(project=None).first()
    return None if invitation is None else member_by(invitation, user)


@transaction.atomic
def accept(invitation: Invitation, user: User) -> None:
    """Let somebody in. Who is a member already stays what they are, and uses nothing up.

    Who was removed does not come back by a link that was made before that.
    """
    if member_by(invitation, user) is not None:
        return
    if Membership.objects.filter(project=invitation.project, user=user, left_at__gte=invitation.created_at).exists():
        raise InvitationGoneError
    taken = Invitation.objects.filter(
        pk=invitation.pk, withdrawn=False, uses_left__gt=0, expires_at__gt=timezone.now()
    ).update(uses_left=F("uses_left") - 1)
    if not taken:
        raise InvitationGoneError
    if invitation.project is None:
        User.objects.filter(pk=user.pk).update(is_administrator=True)
        user.is_administrator = True
    else:
        join(invitation.project, user, role=invitation.role, group=invitation.group)
    note(user, invitation.project, "joined", invitation=invitation.pk, role=invitation.role, group=invitation.group)


def join(project: Project, user: User, *, role: str, group: str = "") -> Membership:
    """Make somebody a member under a pseudonym; who had left comes back under the old one, if they did anything."""
    member = Membership.objects.filter(project=project, user=user).first() or Membership(project=project, user=user)
    member.group, member.left_at = group, None
    keep_in_role(member, role)
    return member


def member_by(invitation: Invitation, user: User) -> Membership | None:
    """What somebody is already in the project of an invitation."""
    return Membership.objects.filter(project=invitation.project, user=user, left_at=None).first()
