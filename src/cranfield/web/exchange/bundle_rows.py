"""The rows of a project as they are in a bundle: every field, and for other rows the names these have for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import Q, QuerySet

from cranfield.errors import UsageError
from cranfield.web.judging.models import Decision, Event, SearchQuery, Slot
from cranfield.web.projects.models import (
    Document,
    Item,
    Membership,
    OtherText,
    PoolFile,
    Project,
    ScaleVersion,
    Topic,
)

Row = dict[str, Any]

TABLES: Mapping[str, tuple[type[models.Model], str]] = {
    "members": (Membership, "project"),
    "scales": (ScaleVersion, "project"),
    "topics": (Topic, "project"),
    "documents": (Document, "project"),
    "other_texts": (OtherText, "document__project"),
    "pools": (PoolFile, "project"),
    "items": (Item, "project"),
    "slots": (Slot, "item__project"),
    "answers": (Event, "project"),
    "decisions": (Decision, "item__project"),
    "searches": (SearchQuery, "project"),
}
"""The tables of a project, each after those that its rows refer to, and how rows know their project."""
LEFT_OUT: Mapping[type[models.Model], frozenset[str]] = {
    Project: frozenset({"engine", "collection"}),
    Slot: frozenset({"leased_at", "leased_until"}),
    PoolFile: frozenset({"content"}),
}
"""Fields that stay behind: places on this server, and leases, which have run out wherever a bundle is opened. Pools are
files of their own."""
TEXTS = frozenset({"title", "text", "fields", "image"})
"""Fields of documents that a bundle may go without."""


def fields_of(model: type[models.Model], *, texts: bool = True) -> list[models.Field[Any, Any]]:
    """The fields that a bundle has of a table, in the order of the model."""
    without = LEFT_OUT.get(model, frozenset())
    if not texts and model in (Document, OtherText):
        without |= TEXTS
    kept = []
    for field in model._meta.concrete_fields:
        key = field.primary_key and not isinstance(field, models.UUIDField)
        if not key and field.name not in without and not (field.name == "project" and model is not Project):
            kept.append(field)
    return kept


def project_row(project: Project) -> Row:
    return {field.name: plain(getattr(project, field.attname)) for field in fields_of(Project)}


class RowWriter:
    """Writes the rows of one project."""

    def __init__(self, project: Project, *, texts: bool) -> None:
        self._project, self._texts = project, texts
        self._people = project.pseudonyms
        documents = dict(project.documents.values_list("pk", "name"))
        topics = dict(project.topics.values_list("pk", "name"))
        items = project.items.values_list("pk", "topic", "document", "other")
        self._names: dict[type[models.Model], Callable[[Any], Any]] = {
            Document: documents.__getitem__,
            Topic: topics.__getitem__,
            Item: {pk: [topics[t], documents[d], documents.get(o)] for pk, t, d, o in items}.__getitem__,
            ScaleVersion: dict(project.scales.values_list("pk", "number")).__getitem__,
            Slot: self._handle(Q(item__project=project)).__getitem__,
        }

    def rows(self, table: str) -> Iterator[Row]:
        """The rows of a table, in the order in which they came to be."""
        model, way = TABLES[table]
        fields = fields_of(model, texts=self._texts)
        rows: QuerySet[Any] = model._default_manager.filter(**{way: self._project}).order_by("pk")
        uuids: dict[int, str] = {}
        for row in rows.iterator(chunk_size=2000):
            if isinstance(row, Event):
                uuids[row.pk] = str(row.uuid)
            if isinstance(row, Slot) and row.done_at is None:
                row.assessor_id = None
            yield {field.name: self._value(row, field, uuids) for field in fields}

    def _value(self, row: models.Model, field: models.Field[Any, Any], uuids: Mapping[int, str]) -> Any:
        value = getattr(row, field.attname)
        if not field.is_relation or value is None:
            return plain(value)
        related = field.related_model
        if related is Event:
            return uuids[value]
        if related in self._names:
            return self._names[related](value)
        return self._pseudonym(row, value)

    def _pseudonym(self, row: models.Model, user: int) -> str | None:
        name = self._people.get(user)
        if name is None and isinstance(row, (Event, SearchQuery)):
            raise UsageError(
                "somebody judged here who is no member of the project, and goes by no name that a bundle could have: "
                "make them a member first"
            )
        return name

    @staticmethod
    def _handle(which: Q) -> dict[int, str]:
        return {pk: str(handle) for pk, handle in Slot.objects.filter(which).values_list("pk", "handle")}


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, dict):  # PostgreSQL has an order of its own for keys
        return {key: plain(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return str(value) if isinstance(value, UUID) else value
