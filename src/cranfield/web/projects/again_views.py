"""Judgments that are to be made again: those before some day, and those of documents that changed."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from cranfield.errors import CranfieldError, UsageError
from cranfield.web.accounts.models import User
from cranfield.web.judging.models import Slot
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.asking_again import ask_again, judged_slots
from cranfield.web.projects.changed_documents import bring_again, changed_documents, judge_by_new_text
from cranfield.web.projects.forms import AgainForm, CompareForm
from cranfield.web.projects.models import Membership, Project
from cranfield.web.projects.sources import Sources

MOST_LISTED = 200


@members_only(Role.MANAGER)
def again(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """Ask for old judgments once more."""
    form = AgainForm(request.POST if request.method == "POST" else None, project=project)
    if form.is_bound and form.is_valid():
        given = form.cleaned_data
        midnight = datetime.combine(given["before"], time.min, UTC)
        slots = judged_slots(project, before=midnight)
        if given["topic"] is not None:
            slots = slots.filter(item__topic=given["topic"])
        try:
            number = ask_again(
                project,
                slots,
                by=cast(User, request.user),
                anybody=given["anybody"],
                why=f"made before {given['before']}",
            )
        except CranfieldError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"{number:,} judgments are asked for again; those made before count meanwhile.")
            return redirect("project-again", project=project.pk)
    return _page(request, project, form=form, status=400 if form.is_bound else 200)


@require_POST
@members_only(Role.MANAGER)
def compare(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """Look which documents say something else than when they were brought in."""
    form = CompareForm(request.POST, request.FILES)
    if form.is_valid():
        named, upload = form.cleaned_data["documents_place"] or project.collection, form.cleaned_data["documents_file"]
        try:
            with Sources() as sources:
                found = bring_again(
                    project, sources.collection("" if upload else named, upload), by=cast(User, request.user)
                )
        except CranfieldError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"{found}.")
            return redirect("project-again", project=project.pk)
    return _page(request, project, compare_form=form, status=400)


@require_POST
@members_only(Role.MANAGER)
def new_texts(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """Judge changed documents by their new texts: those that are named, or all."""
    documents = changed_documents(project)
    if request.POST.get("all") != "yes":
        documents = documents.filter(name__in=[name.replace("\0", "") for name in request.POST.getlist("document")])
    try:
        if not documents.exists():
            raise UsageError("choose at least one document")
        anybody = request.POST.get("anybody") == "yes"
        number = judge_by_new_text(project, documents, by=cast(User, request.user), anybody=anybody)
    except CranfieldError as error:
        messages.error(request, str(error))
        return _page(request, project, status=400)
    messages.success(request, f"The new texts are judged from now on; {number:,} judgments are asked for again.")
    return redirect("project-again", project=project.pk)


def _page(
    request: HttpRequest,
    project: Project,
    *,
    form: AgainForm | None = None,
    compare_form: CompareForm | None = None,
    status: int = 200,
) -> HttpResponse:
    changed = changed_documents(project)
    context = {
        "project": project,
        "here": "overview",
        "form": form or AgainForm(project=project),
        "compare_form": compare_form or CompareForm(initial={"documents_place": project.collection}),
        "changed": changed.defer("text", "fields")[:MOST_LISTED],
        "number_changed": changed.count(),
        "waiting": Slot.objects.filter(item__project=project, asked_again_at__isnull=False, done_at=None).count(),
    }
    return render(request, "projects/again.html", context, status=status)
