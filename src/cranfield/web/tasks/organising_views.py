"""What organisers alone do: open a task, score runs, release scores."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from cranfield.errors import CranfieldError
from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import User
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Membership, Project
from cranfield.web.tasks.forms import ReleaseForm, TaskForm
from cranfield.web.tasks.lookups import is_organiser, release_of, task_of
from cranfield.web.tasks.material import noted
from cranfield.web.tasks.models import Submission, Task
from cranfield.web.tasks.releases import make_release, show, withdraw_release
from cranfield.web.tasks.seeing import seen


@members_only(Role.MANAGER)
def settings(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """Open a task, or change it."""
    found = Task.objects.filter(project=project).first()
    form = TaskForm(request.POST or None, request.FILES or None, instance=found or Task(project=project))
    status = 200
    if request.method == "POST":
        if not project.topics.exists():
            form.add_error(None, "this project has no topics yet: bring them in first")
        if form.is_valid():
            with transaction.atomic():
                before = noted(Task.objects.select_for_update().filter(project=project).first())
                after = noted(form.save())
                Project.objects.filter(pk=project.pk).update(hidden_qrels=True)
                changes = {name: {"before": before.get(name, ""), "after": after[name]} for name in after}
                changes = {name: change for name, change in changes.items() if change["before"] != change["after"]}
                note(request.user, project, "task changed" if found else "task opened", **changes)
            messages.success(request, "Kept." if found else "The task is open. Invite participants to it.")
            return redirect("task", project=project.pk)
        status = 400
    context = {"project": project, "here": "task", "form": form, "task": found}
    return render(request, "tasks/settings.html", context, status=status)


@members_only(Role.MANAGER)
def new_release(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """Score the runs that stand; the scores are looked at before anybody else sees them."""
    found = task_of(project, whole=True)
    form = ReleaseForm(request.POST or None, initial={"measures": found.measures})
    status = 200
    if request.method == "POST":
        if form.is_valid():
            try:
                release = make_release(found, cast(User, request.user), **form.cleaned_data)
                return redirect("task-release", project=project.pk, release=release.pk)
            except CranfieldError as error:
                form.add_error(None, str(error))
        status = 400
    standing = Submission.objects.filter(project=project, withdrawn_at=None).count()
    context = {"project": project, "here": "task", "form": form, "task": found, "standing": standing}
    return render(request, "tasks/new_release.html", context, status=status)


@require_safe
@members_only(Role.MANAGER, Role.PARTICIPANT)
def release(request: HttpRequest, project: Project, membership: Membership | None, release: int) -> HttpResponse:
    """Scores, as far as whoever looks may see them."""
    found = release_of(request, project, membership, release)
    organiser = is_organiser(request, membership)
    context = {
        "project": project,
        "here": "task",
        "release": found,
        "organiser": organiser,
        "seen": seen(found, None if organiser else cast(User, request.user)),
        "frame": "projects/managed.html" if organiser else "tasks/frame.html",
    }
    return render(request, "tasks/release.html", context)


@require_POST
@members_only(Role.MANAGER)
def show_release(request: HttpRequest, project: Project, membership: Membership | None, release: int) -> HttpResponse:
    found = release_of(request, project, membership, release)
    try:
        show(found, cast(User, request.user))
        messages.success(request, "Participants can see these scores now.")
    except CranfieldError as error:
        messages.error(request, str(error))
    return redirect("task-release", project=project.pk, release=found.pk)


@require_POST
@members_only(Role.MANAGER)
def hide_release(request: HttpRequest, project: Project, membership: Membership | None, release: int) -> HttpResponse:
    withdraw_release(release_of(request, project, membership, release), cast(User, request.user))
    messages.success(request, "Participants cannot see these scores.")
    return redirect("task", project=project.pk)
