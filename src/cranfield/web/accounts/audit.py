"""The audit trail: who changed what, and when."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser

from cranfield.web.accounts.models import AuditEntry, User
from cranfield.web.projects.models import Project


def note(user: User | AnonymousUser | None, project: Project | None, what: str, **details: Any) -> AuditEntry:
    """Add an entry: what was done in a few words, and what else there is to know of it, which JSON has to hold.

    `user` is None for what the operator did on the command line. No secret belongs into an entry.
    """
    who = user if isinstance(user, User) else None
    return AuditEntry.objects.create(user=who, project=project, what=what, details=details)
