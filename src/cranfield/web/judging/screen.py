"""The page on which one judges; what is on it comes as JSON from the endpoints."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET

from cranfield.web.accounts.models import User
from cranfield.web.judging.guideline import guideline_html
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Membership, Project
from cranfield.web.projects.picture_hosts import picture_sources

ADDRESSES = ("next", "answers", "answered", "progress")


@require_GET
@ensure_csrf_cookie
@members_only(Role.ASSESSOR, Role.MANAGER)
def screen(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponseBase:
    """The frame of the page; an administrator who is no member is told how to become one."""
    response = render(request, "judging/screen.html", _context(request, project, membership))
    allow_images(response, project)
    return response


def _context(request: HttpRequest, project: Project, membership: Membership | None) -> dict[str, Any]:
    scale = project.current_scale
    addresses = {name: reverse(f"judge-{name}", args=[project.pk]) for name in ADDRESSES}
    return {
        "project": project,
        "membership": membership,
        "scale": scale,
        "guideline": guideline_html(scale.guideline) if scale is not None else "",
        "settings": {
            "addresses": addresses,
            "person": str(cast(User, request.user).pk),
            "project": str(project.pk),
            "mode": project.mode,
            "scale": scale.version if scale is not None else "",
            "lease_minutes": project.lease_minutes,
            "break_minutes": project.break_minutes,
            "home": reverse("home"),
            "login": f"{reverse('login')}?next={request.path}",
        },
    }


def allow_images(response: HttpResponse, project: Project) -> None:
    """Pictures of documents lie elsewhere, as in a shop; where documents have none, nothing from elsewhere is shown."""
    if sources := picture_sources(project):
        response._csp_update = {"img-src": sources}  # type: ignore[attr-defined]
