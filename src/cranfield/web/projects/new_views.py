"""A new project, from what the workspace has or from what is uploaded."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from cranfield.data.scale import GRADED, SCALES, Scale
from cranfield.errors import CranfieldError
from cranfield.web.accounts.models import User
from cranfield.web.judging.guideline import guideline_html
from cranfield.web.projects.bringing_in import BroughtIn
from cranfield.web.projects.creating import create_project
from cranfield.web.projects.forms import WORKSPACE_SCALE, NewProjectForm, PoolForm
from cranfield.web.projects.models import Membership, Project
from cranfield.web.projects.scale_forms import GradeRows, rows_of, scale_from
from cranfield.web.projects.sources import Sources, this_workspace, workspace_scale

LONGEST_GUIDELINE = 200_000


def may_create(user: User) -> bool:
    """Administrators, and whoever manages a project already."""
    return user.is_administrator or Membership.managers().filter(user=user).exists()


def new_project(request: HttpRequest) -> HttpResponse:
    """The form of a new project."""
    user = cast(User, request.user)
    if not may_create(user):
        raise Http404
    posted, files = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form, pool_form = NewProjectForm(posted), PoolForm(posted, files)
    grades = GradeRows(posted, prefix="grade", initial=rows_of(GRADED))
    if posted is not None and all([form.is_valid(), pool_form.is_valid(), _rows_needed(form, grades)]):
        try:
            project, brought = _create(form.cleaned_data, pool_form.cleaned_data, grades, user)
        except CranfieldError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"{project.name}: {brought}. Invite those who judge.")
            return redirect("project-invitations", project=project.pk)
    context = {"form": form, "pool_form": pool_form, "grades": grades, "workspace": _workspace_name()}
    return render(request, "projects/new.html", context, status=200 if posted is None else 400)


@require_POST
def preview(request: HttpRequest) -> HttpResponse:
    """A guideline as assessors will see it."""
    if not may_create(cast(User, request.user)):
        raise Http404
    return HttpResponse(guideline_html(request.POST.get("guideline", "")[:LONGEST_GUIDELINE]))


def _rows_needed(form: NewProjectForm, grades: Any) -> bool:
    return form.data.get("scale") != "own" or bool(grades.is_valid())


def _create(given: dict[str, Any], material: dict[str, Any], grades: Any, user: User) -> tuple[Project, BroughtIn]:
    scale = _scale(given.pop("scale"), given.pop("guideline"), grades)
    place = given.pop("collection")
    with Sources() as sources:
        pool = sources.pool(material["pool_place"], material["pool_file"])
        documents = material["documents_place"], material["documents_file"]
        collection = sources.collection(*documents)
        topics = sources.topics(
            material["topics_place"], material["topics_file"], collection, of_workspace=not any(documents)
        )
        return create_project(
            given.pop("name"),
            pool=pool,
            topics=topics,
            collection=collection,
            scale=scale,
            by=user,
            leave_out=material["leave_out"],
            per_document=material["per_document"],
            collection_place=place or sources.collection_place(*documents),
            **given,
        )


def _scale(name: str, guideline: str, grades: Any) -> Scale:
    if name == "own":
        return scale_from("own", grades, guideline)
    known = workspace_scale() if name == WORKSPACE_SCALE else SCALES[name]
    return Scale(known.name, known.grades, guideline.replace("\r\n", "\n")) if guideline.strip() else known


def _workspace_name() -> str:
    try:
        workspace = this_workspace()
    except CranfieldError:
        return ""
    return "" if workspace is None else workspace.name
