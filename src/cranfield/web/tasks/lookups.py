"""Finding what an address names, as far as whoever asks may see it; all else does not exist for them."""

from __future__ import annotations

from typing import cast
from uuid import UUID

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from cranfield.web.accounts.models import User
from cranfield.web.permissions import Role
from cranfield.web.projects.models import Membership, Project
from cranfield.web.tasks.models import Release, Submission, Task


def is_organiser(request: HttpRequest, membership: Membership | None) -> bool:
    """Managers and administrators."""
    return cast(User, request.user).is_administrator or (membership is not None and membership.role == Role.MANAGER)


def task_of(project: Project, *, whole: bool = False) -> Task:
    """The task of a project; what may be large is left where it is, unless the `whole` is wanted."""
    tasks = Task.objects.select_related("project")
    return get_object_or_404(tasks if whole else tasks.defer("documents", "qrels"), project=project)


def submission_of(
    request: HttpRequest, project: Project, membership: Membership | None, submission: UUID
) -> Submission:
    """A run that was handed in: an organiser finds them all, a participant their own."""
    mine = {} if is_organiser(request, membership) else {"participant": cast(User, request.user)}
    return get_object_or_404(Submission, project=project, pk=submission, **mine)


def release_of(request: HttpRequest, project: Project, membership: Membership | None, release: int) -> Release:
    """A release: an organiser finds them all, a participant those that are shown."""
    found = get_object_or_404(Release, project=project, pk=release)
    if not is_organiser(request, membership) and not found.is_shown:
        raise Http404
    return found
