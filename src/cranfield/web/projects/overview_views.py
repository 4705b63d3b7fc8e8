"""The first page of a project, for those who manage it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cranfield.web.charts.bars import Bar, bar_chart
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Membership, Project
from cranfield.web.projects.overview import overview


@require_safe
@members_only(Role.MANAGER)
def project_overview(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """How far it is, who has what, and what needs looking after."""
    return render(request, "projects/overview.html", {**_context(project), "here": "overview"})


@require_safe
@members_only(Role.MANAGER)
def project_progress(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """The part of the page that changes while others judge."""
    return render(request, "projects/progress.html", _context(project))


def _context(project: Project) -> dict[str, Any]:
    found = overview(project)
    bars = [Bar(f"{day:%m-%d}", number, f"{number:,} judgments") for day, number in found.days]
    return {
        "project": project,
        "overview": found,
        "chart": bar_chart(bars, "Judgments by day", "judgments") if bars else "",
    }
