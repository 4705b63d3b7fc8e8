"""Projects, members, versions of the scale, topics, documents, and the items of the pool."""

from __future__ import annotations

import unicodedata
import uuid

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone

from cranfield.web.append_only import AppendOnly
from cranfield.web.projects.field_values import in_words


class Project(models.Model):
    """One collection judged for one set of topics by one scale."""

    class Order(models.TextChoices):
        POOL = "pool", "as the pool has it"
        RANDOM = "random", "at random, another order for each assessor"

    class Mode(models.TextChoices):
        GRADES = "grades", "grade one document at a time"
        PAIRS = "pairs", "say which of two documents is better"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=120)
    description = models.TextField(blank=True, default="")
    mode = models.CharField(max_length=10, choices=Mode, default=Mode.GRADES)
    order = models.CharField(max_length=10, choices=Order, default=Order.POOL)
    overlap = models.PositiveSmallIntegerField(default=1, help_text="How many assessors judge a document.")
    overlap_share = models.FloatField(default=1.0, help_text="The share of the pool that this holds for; others: one.")
    repeat_share = models.FloatField(default=0.0, help_text="The share an assessor is shown again, silently.")
    gold_every = models.PositiveIntegerField(
        default=10, help_text="In a topic with gold documents, one among so many others; 0: none."
    )
    lease_minutes = models.PositiveIntegerField(default=30)
    break_minutes = models.PositiveIntegerField(default=45)
    seed = models.PositiveIntegerField(default=0)
    collection_sha256 = models.CharField(max_length=64, blank=True, default="")
    topics_sha256 = models.CharField(max_length=64, blank=True, default="")
    recipe = models.JSONField(default=list, help_text="How the pool was made, round by round.")
    engine = models.CharField(max_length=500, blank=True, default="", help_text="An index, or an ENGINE.toml.")
    collection = models.CharField(
        max_length=500, blank=True, default="", help_text="Where the texts are of documents that are found with it."
    )
    hidden_qrels = models.BooleanField(default=False, help_text="A shared task: judgments stay with the organisers.")
    created_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Names stand in headings, headers and files: no line ends, and nothing else that controls something."""
        if any(unicodedata.category(sign) in {"Cc", "Zl", "Zp"} for sign in self.name):
            raise ValidationError({"name": "A name has no line ends or control characters."})

    @property
    def current_scale(self) -> ScaleVersion | None:
        """The newest version of the scale; no query where `scales` are prefetched."""
        return max(self.scales.all(), key=lambda scale: scale.number, default=None)

    @property
    def pseudonyms(self) -> dict[int, str]:
        """What each member is called in exports and in adjudication, those who left too."""
        return dict(self.memberships.values_list("user", "pseudonym"))


class Membership(models.Model):
    """What a person may do in a project."""

    class Role(models.TextChoices):
        MANAGER = "manager"
        ASSESSOR = "assessor"
        PARTICIPANT = "participant"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role)
    group = models.CharField(max_length=60, blank=True, default="", help_text="Such as expert, or user.")
    pseudonym = models.CharField(max_length=40, help_text="The name in exports and in adjudication.")
    joined_at = models.DateTimeField(default=timezone.now)
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("project", "user"), name="one_membership"),
            models.UniqueConstraint(fields=("project", "pseudonym"), name="one_pseudonym"),
        )

    @classmethod
    def managers(cls) -> models.QuerySet[Membership]:
        """Whoever manages a project now."""
        return cls.objects.filter(role=cls.Role.MANAGER, left_at=None)


class ScaleVersion(AppendOnly):
    """A scale as it was at some time; judgments say which they were made by. Never changed once there."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="scales")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=120, default="scale")
    version = models.CharField(max_length=64, help_text="The hash of its content, as cranfield.data.scale has it.")
    content = models.JSONField(help_text="Grades: value, name, definition, key.")
    guideline = models.TextField(blank=True, default="", help_text="Markdown.")
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("project", "number"), name="one_scale_number"),)


class Topic(models.Model):
    """An information need."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="topics")
    name = models.CharField(max_length=200, help_text="Its identifier in runs and qrels.")
    title = models.TextField(blank=True, default="")
    description = models.TextField(blank=True, default="")
    narrative = models.TextField(blank=True, default="")
    place = models.PositiveIntegerField()
    overlap = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="How many assessors judge each of its documents, if not as the project says."
    )

    class Meta:
        ordering = ("place",)
        constraints = (models.UniqueConstraint(fields=("project", "name"), name="one_topic_name"),)


class Document(models.Model):
    """A document as it was when it was brought in: what was judged can always be shown again."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="documents")
    name = models.CharField(max_length=500)
    title = models.TextField(blank=True, default="")
    text = models.TextField(blank=True, default="")
    fields = models.JSONField(default=dict)
    image = models.URLField(max_length=2000, blank=True, default="")
    sha256 = models.CharField(max_length=64)
    changed_sha256 = models.CharField(max_length=64, blank=True, default="", help_text="Of a later text, if any.")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("project", "name"), name="one_document_name"),)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The names of the fields, and what people read in them."""
        return [(name, in_words(value)) for name, value in self.fields.items()]


class OtherText(models.Model):
    """What a document said before, or says since: by its hash one finds what an assessor had on screen."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="other_texts")
    title = models.TextField(blank=True, default="")
    text = models.TextField(blank=True, default="")
    fields = models.JSONField(default=dict)
    image = models.URLField(max_length=2000, blank=True, default="")
    sha256 = models.CharField(max_length=64)
    kept_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("document", "sha256"), name="one_other_text"),)


class PoolFile(models.Model):
    """A pool as it was brought in, with what was not drawn of a sample, which estimates need."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="pools")
    number = models.PositiveIntegerField()
    content = models.BinaryField(help_text="The file, as cranfield.formats.pools writes it, packed with gzip.")
    brought_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("project", "number"), name="one_pool_number"),)


class Item(models.Model):
    """A document to be judged for a topic; in pairwise projects two of them."""

    class Origin(models.TextChoices):
        POOL = "pool"
        GOLD = "gold"
        SEARCHED = "searched"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="items")
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="items")
    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(Document, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    place = models.PositiveIntegerField(help_text="Where the pool has it, within its topic.")
    origin = models.CharField(max_length=10, choices=Origin, default=Origin.POOL)
    gold_grade = models.FloatField(null=True, blank=True)
    stratum = models.IntegerField(null=True, blank=True)
    probability = models.FloatField(null=True, blank=True)
    method = models.CharField(max_length=1, blank=True, default="")
    round = models.PositiveIntegerField(default=0)
    wanted = models.PositiveSmallIntegerField(default=1, help_text="How many judgments it shall have.")
    withdrawn = models.BooleanField(default=False)

    class Meta:
        ordering = ("topic__place", "place")
        constraints = (
            models.UniqueConstraint(
                fields=("topic", "document"), condition=models.Q(other__isnull=True), name="one_item_of_a_document"
            ),
            models.UniqueConstraint(fields=("topic", "document", "other"), name="one_item_of_a_pair"),
        )
        indexes = (models.Index(fields=("project", "topic", "place")),)
