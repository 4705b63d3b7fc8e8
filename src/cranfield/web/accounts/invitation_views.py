"""Pages of invitations: a manager makes links, others come in by them."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from cranfield.web.accounts.forms import InvitationForm, NewAccountForm
from cranfield.web.accounts.invitations import (
    InvitationGoneError,
    accept,
    invitation_by,
    invite,
    member_by,
    member_by_secret,
    withdraw,
)
from cranfield.web.accounts.models import Invitation, User
from cranfield.web.addresses import is_local, known_address
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Membership, Project

START: dict[str, str] = {Role.MANAGER: "project", Role.ASSESSOR: "judge", Role.PARTICIPANT: "task"}
"""Where somebody begins in a project, by what they are."""


@members_only(Role.MANAGER)
def project_invitations(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """Every invitation of a project, and a new one, whose link is shown in the answer and nowhere else."""
    form, link, status = InvitationForm(request.POST or None), None, 200
    if request.method == "POST":
        if form.is_valid():
            _, secret = invite(project, cast(User, request.user), **form.cleaned_data)
            link = link_to(request, reverse("join", args=(secret,)))
            form = InvitationForm()
        else:
            status = 400
    context = {
        "project": project,
        "here": "members",
        "invitations": Invitation.objects.filter(project=project).select_related("created_by"),
        "form": form,
        "link": link,
        "only_here": link is not None and is_local(link),
    }
    return render(request, "accounts/invitations.html", context, status=status)


def link_to(request: HttpRequest, path: str) -> str:
    """A link for others: who is at the machine itself calls it localhost, which others cannot use."""
    link = request.build_absolute_uri(path)
    return known_address().rstrip("/") + path if is_local(link) else link


@require_POST
@members_only(Role.MANAGER)
def withdraw_invitation(
    request: HttpRequest, project: Project, membership: Membership | None, invitation: int
) -> HttpResponse:
    withdraw(get_object_or_404(Invitation, project=project, pk=invitation), cast(User, request.user))
    messages.success(request, "The invitation is withdrawn. Who came by it already stays.")
    return redirect("project-invitations", project=project.pk)


@login_not_required
@sensitive_post_parameters()
def join(request: HttpRequest, secret: str) -> HttpResponse:
    """Come in by an invitation: with a new account, or the one that is logged in."""
    known = request.user if isinstance(request.user, User) else None
    try:
        invitation = invitation_by(secret)
        form = None if known else NewAccountForm(request.POST or None)
        if request.method == "POST" and (known is not None or (form is not None and form.is_valid())):
            with transaction.atomic():
                user = known or cast(NewAccountForm, form).save()
                accept(invitation, user)
            if known is None:
                login(request, user)
            return redirect("home")
    except InvitationGoneError:
        before = None if known is None else member_by_secret(secret, known)
        if before is not None:
            return redirect(START[before.role], project=before.project_id)
        return render(request, "accounts/invitation_gone.html", status=404)
    member = None if known is None else member_by(invitation, known)
    return render(request, "accounts/join.html", {"invitation": invitation, "form": form, "member": member})
