"""Slots with leases, events, queries of search-guided judging, adjudications."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from cranfield.web.append_only import AppendOnly


class Slot(models.Model):
    """One of the judgments an item shall have: free, leased to somebody until some time, or done.

    An item has as many slots as judgments are wanted, so no item can get more. Three kinds come later: another for a
    slot whose assessor skipped (`replaces`), a silent repeat for the assessor of a slot (`repeat_of`, shown when that
    assessor has done `due_after` others), and one for each assessor on a gold item.
    """

    item = models.ForeignKey("projects.Item", on_delete=models.CASCADE, related_name="slots")
    number = models.PositiveIntegerField()
    handle = models.UUIDField(
        unique=True, default=uuid.uuid4, help_text="What the browser knows it by: it tells nothing."
    )
    assessor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="slots"
    )
    leased_at = models.DateTimeField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    repeat_of = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="repeat")
    due_after = models.PositiveIntegerField(default=0)
    replaces = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="replacement")
    asked_again_at = models.DateTimeField(
        null=True, blank=True, help_text="Since then another judgment is wanted; the one before it counts meanwhile."
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("item", "number"), name="one_slot_number"),
            models.UniqueConstraint(
                fields=("item", "assessor"),
                condition=models.Q(assessor__isnull=False, repeat_of__isnull=True),
                name="one_slot_for_an_assessor",
            ),
        )
        indexes = (models.Index(fields=("assessor", "done_at")),)


class Event(AppendOnly):
    """One thing an assessor did, as `cranfield.data.judging.JudgingEvent` has it. Rows are only ever added."""

    number = models.BigAutoField(primary_key=True)
    uuid = models.UUIDField(unique=True, default=uuid.uuid4, help_text="Made by the browser: safe to send twice.")
    project = models.ForeignKey("projects.Project", on_delete=models.PROTECT, related_name="events")
    slot = models.ForeignKey(Slot, null=True, on_delete=models.PROTECT, related_name="events")
    item = models.ForeignKey("projects.Item", on_delete=models.PROTECT, related_name="events")
    assessor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="events")
    action = models.CharField(max_length=10)
    grade = models.FloatField(null=True, blank=True)
    preferred = models.CharField(max_length=5, blank=True, default="", help_text="left, right or same, of a pair.")
    reason = models.TextField(blank=True, default="")
    scale = models.ForeignKey("projects.ScaleVersion", on_delete=models.PROTECT, related_name="+")
    document_sha256 = models.CharField(max_length=64)
    shown_at = models.DateTimeField(null=True, blank=True)
    time = models.DateTimeField(help_text="When the key was pressed, by the clock of the browser.")
    received_at = models.DateTimeField(default=timezone.now)
    wrong_time = models.DateTimeField(
        null=True, blank=True, help_text="What the browser gave for a time that cannot be; then `time` is the server's."
    )
    active_ms = models.PositiveIntegerField(null=True, blank=True)
    input = models.CharField(max_length=10, default="web")
    supersedes = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("number",)
        indexes = (models.Index(fields=("project", "number")), models.Index(fields=("item", "assessor")))


class Decision(AppendOnly):
    """What an adjudicator decided of an item on which assessors differ. A later decision does not delete an earlier."""

    item = models.ForeignKey("projects.Item", on_delete=models.PROTECT, related_name="decisions")
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    grade = models.FloatField()
    reason = models.TextField()
    scale = models.ForeignKey(
        "projects.ScaleVersion",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="What the grade is a grade of; unknown only where it was decided before this was noted.",
    )
    events = models.JSONField(help_text="The events that lay before the adjudicator.")

    class Meta:
        ordering = ("at",)


class SearchQuery(AppendOnly):
    """A query that an assessor put to the engine while judging. Rows are only ever added."""

    project = models.ForeignKey("projects.Project", on_delete=models.PROTECT, related_name="searches")
    topic = models.ForeignKey("projects.Topic", on_delete=models.PROTECT, related_name="searches")
    assessor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now)
    found = models.PositiveIntegerField()
    new = models.PositiveIntegerField(help_text="How many of them were not in the pool.")
    documents = models.JSONField(
        null=True, blank=True, help_text="What was shown, best first: this, and nothing else, can be opened to judge."
    )
