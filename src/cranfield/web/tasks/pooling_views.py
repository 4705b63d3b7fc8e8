"""The page on which organisers have documents of submitted runs judged."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from cranfield.errors import CranfieldError
from cranfield.web.accounts.models import User
from cranfield.web.attachments import attachment
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Membership, Project
from cranfield.web.tasks.forms import PoolForm
from cranfield.web.tasks.lookups import task_of
from cranfield.web.tasks.models import Submission
from cranfield.web.tasks.pooling import bring_in_submissions, pool_with_submissions


@members_only(Role.MANAGER)
def pool(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """Bring the first documents of the runs into the project's pool, or have the pool as a file."""
    task_of(project)
    bound = request.method == "POST"
    form = PoolForm(request.POST, request.FILES) if bound else PoolForm()
    if bound and form.is_valid():
        try:
            if "file" in request.POST:
                return _file(project, form.cleaned_data["depth"])
            return _bring_in(request, project, form.cleaned_data)
        except CranfieldError as error:
            form.add_error(None, str(error))
    standing = Submission.objects.filter(project=project, withdrawn_at=None).count()
    context = {"project": project, "here": "task", "form": form, "standing": standing}
    return render(request, "tasks/pool.html", context, status=400 if bound else 200)


def _bring_in(request: HttpRequest, project: Project, given: dict[str, Any]) -> HttpResponse:
    from cranfield.web.projects.sources import Sources

    with Sources() as sources:
        place = "" if given["documents_file"] else given["documents_place"] or project.collection
        brought = bring_in_submissions(
            project,
            given["depth"],
            sources.collection(place, given["documents_file"]),
            leave_out=given["leave_out"],
            by=cast(User, request.user),
        )
    messages.success(request, f"Brought in: {brought}.")
    return redirect("task", project=project.pk)


def _file(project: Project, depth: int) -> HttpResponse:
    from cranfield.formats.pools import write_pool

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pool.tsv"
        write_pool(pool_with_submissions(project, depth), file)
        content = file.read_bytes()
    return HttpResponse(
        content,
        content_type="text/tab-separated-values; charset=utf-8",
        headers=attachment("pool.tsv"),
    )
