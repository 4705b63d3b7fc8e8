"""The people of a project."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from cranfield.errors import UsageError
from cranfield.web.accounts.models import User
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.members import change_group, change_role, free, hand_over, refuse_last_manager, remove
from cranfield.web.projects.models import Membership, Project
from cranfield.web.projects.overview import overview


@require_safe
@members_only(Role.MANAGER)
def members(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """Who is in it, in which role and group, under which pseudonym, and what they hold."""
    return _page(request, project)


@require_POST
@members_only(Role.MANAGER)
def member(request: HttpRequest, project: Project, membership: Membership | None, member: int) -> HttpResponse:
    """Change something of one of them: `do` says what."""
    one = get_object_or_404(Membership.objects.select_related("project", "user"), project=project, pk=member)
    try:
        if request.POST.get("do") == "remove" and "sure" not in request.POST:
            return _ask_first(request, one)
        said = _do(request, project, one)
    except UsageError as error:
        return _page(request, project, error)
    messages.success(request, said)
    user = cast(User, request.user)
    stays = user.is_administrator or Membership.managers().filter(project=project, user=user).exists()
    return redirect("project-members", project=project.pk) if stays else redirect("home")


def _ask_first(request: HttpRequest, one: Membership) -> HttpResponse:
    """Nobody is removed at one click."""
    refuse_last_manager(one)
    return render(request, "projects/remove.html", {"project": one.project, "here": "members", "member": one})


def _do(request: HttpRequest, project: Project, one: Membership) -> str:
    by, what = cast(User, request.user), request.POST.get("do")
    if what == "remove":
        return f"{one.pseudonym} is no longer in the project; {remove(one, by):,} documents became free."
    if what == "group":
        change_group(one, request.POST.get("group", ""), by)
        return f"The group of {one.pseudonym} is kept."
    if what == "role":
        freed = change_role(one, request.POST.get("role", ""), by)
        return f"{one.pseudonym} is {one.role} now." + (f" {freed:,} documents became free." if freed else "")
    if what == "release":
        return f"{free(one, by):,} documents became free."
    if what == "reassign":
        others = project.memberships.filter(left_at=None).select_related("user")
        to = others.filter(pseudonym=request.POST.get("to", "")).first()
        if to is None:
            raise UsageError("choose who gets the documents")
        moved = hand_over(one, to, by)
        return f"{moved.reassigned:,} documents went to {to.pseudonym}, {moved.released:,} became free."
    raise UsageError(f"do is {what!r:.40}; expected remove, group, role, release or reassign")


def _page(request: HttpRequest, project: Project, error: UsageError | None = None) -> HttpResponse:
    found = overview(project)
    context = {
        "project": project,
        "here": "members",
        "assessors": found.assessors,
        "others": project.memberships.filter(left_at=None)
        .exclude(role=Role.ASSESSOR)
        .exclude(pk__in=[each.membership.pk for each in found.assessors])
        .select_related("user")
        .order_by("role", "pseudonym"),
        "here_now": [each.membership for each in found.assessors if each.membership.left_at is None],
        "roles": Membership.Role.values,
        "error": error,
    }
    return render(request, "projects/members.html", context, status=200 if error is None else 400)
