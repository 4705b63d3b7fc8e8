"""People, invitations, tokens, failed logins, and the audit trail."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from datetime import timedelta

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone

from cranfield.web.append_only import AppendOnly
from cranfield.web.projects.field_values import in_words


def digest(secret: str) -> str:
    """What is kept of a secret that people or programs carry: enough to know it again, not enough to make it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_secret() -> str:
    return secrets.token_urlsafe(24)


class User(AbstractUser):
    """A person. An administrator may do everything; what others may do, their memberships of projects say."""

    is_administrator = models.BooleanField(default=False)
    highlight = models.TextField(blank=True, default="", help_text="Words to mark in documents, besides the topic's.")


class Invitation(models.Model):
    """A link by which people join a project in a role; without a project it makes an administrator.

    Only the hash of its secret is kept.
    """

    ADMINISTRATOR = "administrator"

    project = models.ForeignKey(
        "projects.Project", null=True, blank=True, on_delete=models.CASCADE, related_name="invitations"
    )
    secret_hash = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=20)
    group = models.CharField(max_length=60, blank=True, default="")
    created_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    uses_left = models.PositiveIntegerField(default=1)
    withdrawn = models.BooleanField(default=False)

    class Meta:
        ordering = ("-created_at",)

    @property
    def open(self) -> bool:
        return not self.withdrawn and self.uses_left > 0 and self.expires_at > timezone.now()


class ApiToken(models.Model):
    """What a program shows instead of a password; good for one project, and for reading alone unless it says more.

    It is good while who made it manages the project; `user` is None if the operator did, on the command line.
    """

    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.CASCADE, related_name="tokens")
    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=80)
    secret_hash = models.CharField(max_length=64, unique=True)
    may_write = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)


class FailedLogin(models.Model):
    """A login that failed: by these, further tries are slowed down, per name and per address."""

    username_hash = models.CharField(max_length=64, db_index=True)
    address = models.CharField(max_length=64, db_index=True)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    WINDOW = timedelta(minutes=15)


class AuditEntry(AppendOnly):
    """Who changed what, and when. Entries are only ever added."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    at = models.DateTimeField(default=timezone.now, db_index=True)
    user = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    project = models.ForeignKey("projects.Project", null=True, on_delete=models.PROTECT, related_name="audit")
    what = models.CharField(max_length=60)
    details = models.JSONField(default=dict)

    class Meta:
        ordering = ("-at", "id")

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The names of the details, and what people read in them."""
        return [(name, in_words(value)) for name, value in self.details.items()]
