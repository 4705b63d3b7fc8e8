"""The audit trail as pages: of a project for its managers, of everything for administrators."""

from __future__ import annotations

from typing import cast

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cranfield.web.accounts.models import AuditEntry, User
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Membership, Project

ON_A_PAGE = 100


@require_safe
@members_only(Role.MANAGER)
def project_audit(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    return _page(request, AuditEntry.objects.filter(project=project), project)


@require_safe
def audit(request: HttpRequest) -> HttpResponse:
    if not cast(User, request.user).is_administrator:
        raise Http404
    return _page(request, AuditEntry.objects.select_related("project"), None)


def _page(request: HttpRequest, entries: QuerySet[AuditEntry], project: Project | None) -> HttpResponse:
    page = Paginator(entries.select_related("user"), ON_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "accounts/audit.html", {"page": page, "project": project})
