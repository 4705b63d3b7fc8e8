"""What managers change of a project itself."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import User
from cranfield.web.projects.models import Project


def change_settings(project: Project, fields: list[str], by: User) -> None:
    """Keep fields that were changed, and who changed them from what to what."""
    if fields:
        with transaction.atomic():
            before = Project.objects.select_for_update().values(*fields).get(pk=project.pk)
            project.save(update_fields=fields)
            changes = {name: {"before": before[name], "after": getattr(project, name)} for name in fields}
            note(by, project, "settings changed", **changes)


def close(project: Project, by: User) -> None:
    """Nothing is handed out any more, and what still comes in is kept and does not count."""
    if project.closed_at is None:
        project.closed_at = timezone.now()
        project.save(update_fields=("closed_at",))
        note(by, project, "project closed")


def reopen(project: Project, by: User) -> None:
    if project.closed_at is not None:
        project.closed_at = None
        project.save(update_fields=("closed_at",))
        note(by, project, "project opened again")
