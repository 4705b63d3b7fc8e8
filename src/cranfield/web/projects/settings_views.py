"""What a project is like: its settings, overlap, scale, and whether it is open."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.db import transaction
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from cranfield.errors import CranfieldError
from cranfield.web.accounts.models import User
from cranfield.web.judging.guideline import guideline_html
from cranfield.web.judging.models import Event
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.changing import change_settings, close, reopen
from cranfield.web.projects.forms import OverlapForm, SettingsForm
from cranfield.web.projects.models import Membership, Project
from cranfield.web.projects.overlap import raise_overlap
from cranfield.web.projects.scale_forms import GradeRows, rows_of, scale_from
from cranfield.web.projects.scales import add_scale, scale_of


@members_only(Role.MANAGER)
def settings(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """What can be changed at any time, and more judgments of each document: all that was said is kept, or nothing."""
    posted = request.POST if request.method == "POST" else None
    form = SettingsForm(posted, instance=project)
    overlap_form = OverlapForm(posted if posted and "overlap" in posted else None, project=project)
    raised = overlap_form.is_bound and overlap_form.has_changed()
    if form.is_bound and form.is_valid() and (not raised or overlap_form.is_valid()):
        said = "Kept."
        try:
            with transaction.atomic():
                change_settings(form.instance, form.changed_data, cast(User, request.user))
                if raised:
                    more = raise_overlap(form.instance, by=cast(User, request.user), **overlap_form.cleaned_data)
                    said = f"Kept. {more:,} more judgments are wanted."
        except CranfieldError as error:
            overlap_form.add_error(None, str(error))
        else:
            messages.success(request, said)
            return redirect("project-settings", project=project.pk)
    now = Project.objects.get(pk=project.pk)
    context = {
        "project": now,
        "here": "settings",
        "form": form,
        "overlap_form": overlap_form,
        "own_overlaps": now.topics.filter(overlap__isnull=False),
        "scale": now.current_scale,
    }
    return render(request, "projects/settings.html", context, status=400 if form.is_bound else 200)


@require_POST
@members_only(Role.MANAGER)
def open_or_close(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """Close an open project, or open a closed one: `do` says which is wanted, so that twice is the same as once."""
    user = cast(User, request.user)
    if request.POST.get("do") == "close":
        close(project, user)
        messages.success(request, "The project is closed: nothing is handed out any more.")
    elif request.POST.get("do") == "reopen":
        reopen(project, user)
        messages.success(request, "The project is open again.")
    return redirect("project-settings", project=project.pk)


@members_only(Role.MANAGER)
def scale(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """Every version of the scale, and a new one, made from the last."""
    last = project.current_scale
    posted = request.POST if request.method == "POST" else None
    rows = GradeRows(posted, prefix="grade", initial=rows_of(scale_of(last)) if last is not None else [])
    guideline = posted.get("guideline", "") if posted is not None else last.guideline if last is not None else ""
    said = ""
    if posted is not None and rows.is_valid():
        try:
            version = add_scale(
                project, scale_from(last.name if last else "own", rows, guideline), cast(User, request.user)
            )
        except CranfieldError as error:
            said = str(error)
        else:
            messages.success(request, f"Version {version.number} is what one judges by from now on.")
            return redirect("project-scale", project=project.pk)
    context = {
        "project": project,
        "here": "settings",
        "rows": rows,
        "guideline": guideline,
        "said": said,
        "versions": _versions(project),
    }
    return render(request, "projects/scale.html", context, status=200 if posted is None else 400)


def _versions(project: Project) -> list[dict[str, Any]]:
    """The versions of the scale, the newest first, each with how many judgments were made by it."""
    grades = Event.objects.filter(project=project, action="grade").values_list("scale")
    counts = {
        scale: (judgments, assessors)
        for scale, judgments, assessors in grades.annotate(
            judgments=Count("pk", filter=Q(slot__isnull=False)), assessors=Count("assessor", distinct=True)
        ).order_by()
    }
    versions = project.scales.select_related("created_by").order_by("-number")
    return [
        {
            "version": version,
            "guideline": guideline_html(version.guideline),
            "judgments": counts.get(version.pk, (0, 0))[0],
            "assessors": counts.get(version.pk, (0, 0))[1],
        }
        for version in versions
    ]
