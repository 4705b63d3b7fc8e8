"""The task itself, runs that were handed in, and what is released of their scores."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from cranfield.web.append_only import AppendOnly


class Task(models.Model):
    """What participants are asked to do, until when, and what their runs are held against."""

    project = models.OneToOneField("projects.Project", on_delete=models.PROTECT, related_name="task")
    description = models.TextField(blank=True, default="")
    deadline = models.DateTimeField()
    most = models.PositiveSmallIntegerField(default=5, help_text="How many submissions of one participant stand.")
    depth = models.PositiveIntegerField(default=1000, help_text="How many documents a run may have for a topic.")
    measures = models.JSONField(default=list, help_text="Those that scores are released by, unless others are named.")
    documents = models.BinaryField(null=True, blank=True, help_text="A document's name a line, packed with gzip.")
    qrels = models.BinaryField(
        null=True, blank=True, help_text="Judgments made elsewhere, in TREC's format, packed with gzip."
    )
    opened_at = models.DateTimeField(default=timezone.now)

    @property
    def is_over(self) -> bool:
        return timezone.now() >= self.deadline


class Submission(AppendOnly):
    """A run, as it was handed in: of a row that is there, only when it was withdrawn changes."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey("projects.Project", on_delete=models.PROTECT, related_name="submissions")
    participant = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="submissions")
    name = models.CharField(max_length=80)
    tag = models.CharField(max_length=200, blank=True, default="")
    description = models.TextField(blank=True, default="")
    run = models.BinaryField(help_text="The file, packed with gzip.")
    sha256 = models.CharField(max_length=64, help_text="Of the file, unpacked.")
    topics = models.PositiveIntegerField()
    documents = models.PositiveIntegerField()
    at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("at",)
        constraints = (
            models.UniqueConstraint(
                fields=("project", "participant", "name"),
                condition=models.Q(withdrawn_at=None),
                name="one_submission_of_a_name",
            ),
        )


class Release(models.Model):
    """Scores of all runs that stood at a time, computed once, which participants see from when they are shown."""

    class Audience(models.TextChoices):
        OWN = "own", "participants see their own runs"
        ALL = "all", "participants see every run"

    project = models.ForeignKey("projects.Project", on_delete=models.PROTECT, related_name="releases")
    measures = models.JSONField(default=list)
    audience = models.CharField(max_length=5, choices=Audience, default=Audience.OWN)
    per_topic = models.BooleanField(default=False)
    scores = models.JSONField(default=dict, help_text="Computed once, so that they do not move afterwards.")
    qrels_sha256 = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    shown_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-at",)

    @property
    def is_shown(self) -> bool:
        return self.shown_at is not None and self.withdrawn_at is None
