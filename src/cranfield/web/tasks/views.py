"""The page of a task: for participants, and for organisers."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from cranfield.errors import CranfieldError
from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import User
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Membership, Project
from cranfield.web.tasks import handing_in
from cranfield.web.tasks.forms import HandInForm
from cranfield.web.tasks.lookups import is_organiser, submission_of, task_of
from cranfield.web.tasks.models import Release, Submission, Task


@require_safe
@members_only(Role.MANAGER, Role.PARTICIPANT)
def task(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """What is asked, what was handed in, and what was released."""
    if not Task.objects.filter(project=project).exists():
        if is_organiser(request, membership):
            return redirect("task-settings", project=project.pk)
        return render(request, "tasks/not_open.html", {"project": project})
    if is_organiser(request, membership):
        return _organisers_page(request, project)
    return _participants_page(request, project, HandInForm())


@members_only(Role.MANAGER, Role.PARTICIPANT)
def hand_in(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """A run comes in. Organisers may hand in too: a baseline is a run like others."""
    found = task_of(project, whole=True)
    if request.method != "POST":
        return _participants_page(request, project, HandInForm())
    form = HandInForm(request.POST, request.FILES)
    if form.is_valid():
        given = form.cleaned_data
        try:
            taken = handing_in.hand_in(
                found, cast(User, request.user), given["run"], given["name"], given["description"]
            )
        except handing_in.NotTakenError as error:
            for reason in error.reasons:
                form.add_error("run", reason)
        except CranfieldError as error:
            form.add_error("run", str(error))
        else:
            note(request.user, project, "run handed in", name=taken.submission.name, sha256=taken.submission.sha256)
            messages.success(request, f"{taken.submission.name} is taken.")
            for words in taken.notes:
                messages.warning(request, words)
            return redirect("task-hand-in" if is_organiser(request, membership) else "task", project=project.pk)
    return _participants_page(request, project, form, status=400)


@require_POST
@members_only(Role.MANAGER, Role.PARTICIPANT)
def withdraw(request: HttpRequest, project: Project, membership: Membership | None, **named: object) -> HttpResponse:
    """A participant takes back a run of theirs; an organiser sets one aside, at any time."""
    found = task_of(project)
    submission = submission_of(request, project, membership, **named)  # type: ignore[arg-type]
    try:
        if is_organiser(request, membership):
            handing_in.set_aside(submission)
        else:
            handing_in.withdraw(submission, found)
    except handing_in.NotTakenError as error:
        messages.error(request, str(error))
    else:
        note(request.user, project, "run withdrawn", name=submission.name, sha256=submission.sha256)
        messages.success(request, f"{submission.name} is withdrawn.")
    return redirect("task", project=project.pk)


def _participants_page(request: HttpRequest, project: Project, form: HandInForm, status: int = 200) -> HttpResponse:
    found = task_of(project)
    own = list(handing_in.own_submissions(found, cast(User, request.user)))
    left = found.most - sum(submission.withdrawn_at is None for submission in own)
    context = {
        "project": project,
        "task": found,
        "has_documents": Task.objects.filter(pk=found.pk, documents__isnull=False).exists(),
        "topics": project.topics.count(),
        "submissions": own,
        "left": max(left, 0),
        "form": form,
        "releases": Release.objects.filter(project=project, withdrawn_at=None).exclude(shown_at=None).defer("scores"),
    }
    return render(request, "tasks/task.html", context, status=status)


def _organisers_page(request: HttpRequest, project: Project) -> HttpResponse:
    found = task_of(project)
    teams = dict(Membership.objects.filter(project=project).values_list("user", "group"))
    names = project.pseudonyms
    submissions = list(Submission.objects.filter(project=project).defer("run").select_related("participant"))
    context = {
        "project": project,
        "here": "task",
        "task": found,
        "has_qrels": Task.objects.filter(pk=found.pk, qrels__isnull=False).exists(),
        "submissions": [
            (submission, teams.get(submission.participant_id) or names.get(submission.participant_id, "organisers"))
            for submission in submissions
        ],
        "standing": sum(submission.withdrawn_at is None for submission in submissions),
        "releases": Release.objects.filter(project=project).defer("scores").select_related("by"),
        "participants": project.memberships.filter(role=Role.PARTICIPANT, left_at=None).count(),
    }
    return render(request, "tasks/organising.html", context)
