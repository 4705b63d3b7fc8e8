"""Who may see a page: every view of a project is behind `members_only`; whoever may not see it learns nothing of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404

from cranfield.web.accounts.models import User
from cranfield.web.projects.models import Membership, Project

Role = Membership.Role
View = Callable[..., HttpResponseBase]


def members_only(*roles: str) -> Callable[[View], View]:
    """A view of a project, for members in one of these roles and for administrators; for all others it does not exist.

    The view is called with the request, the project and the membership (None for an administrator who is no member).
    """

    def around(view: View) -> View:
        @wraps(view)
        def allowed(request: HttpRequest, project: UUID, **more: Any) -> HttpResponseBase:
            user = cast(User, request.user)
            mine = Membership.objects.filter(project=project, user=user, left_at=None)
            membership = mine.select_related("project").first()
            if not user.is_administrator and (membership is None or membership.role not in roles):
                raise Http404
            found = get_object_or_404(Project, pk=project) if membership is None else membership.project
            return view(request, found, membership, **more)

        allowed.roles = roles  # type: ignore[attr-defined]
        return allowed

    return around
