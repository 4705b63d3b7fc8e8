"""From a bundle back to a project: all of it, or nothing; and what comes out again is what went in."""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction

from cranfield.data.collection import Collection
from cranfield.errors import DataError, FormatError, UsageError
from cranfield.formats.bundle_archive import BundleReader, reading_bundle
from cranfield.formats.json_values import load
from cranfield.formats.judging_bundle import SCHEMA
from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import User
from cranfield.web.batches import BATCH
from cranfield.web.exchange.bundle_rows import TABLES, TEXTS, Row, fields_of
from cranfield.web.exchange.bundling import derived
from cranfield.web.exchange.importing import closed_account
from cranfield.web.judging.models import Decision, Event, Slot
from cranfield.web.projects.models import Document, Item, Membership, PoolFile, Project, ScaleVersion, Topic
from cranfield.web.projects.spool import Spool


def restore_bundle(
    path: str | os.PathLike[str], *, collection: Collection | None = None, by: User | None = None
) -> Project:
    """Make the project that a bundle is of. Members come as accounts that nobody can log in to.

    A bundle without texts needs the collection that has them; they have to be those that were judged.
    """
    with reading_bundle(path, SCHEMA) as bundle:
        bundle.check_hashes()
        try:
            with transaction.atomic():
                project = _Restorer(bundle, collection).restore()
                _compare(bundle, project)
                note(by, project, "project restored from a bundle", file=os.path.basename(bundle.source))
        except (IntegrityError, ValidationError, KeyError, TypeError, ValueError) as error:
            raise FormatError(
                f"the rows of the bundle do not fit together: {error!r:.200}", source=bundle.source
            ) from None
    return project


def _compare(bundle: BundleReader, project: Project) -> None:
    """An error if the judgments of the new project are not those of the bundle."""
    for name, chunks in derived(project, str(bundle.manifest.get("rule", "majority"))):
        sha256 = hashlib.sha256()
        for chunk in chunks:
            sha256.update(chunk)
        if name not in bundle or sha256.hexdigest() != bundle.manifest["files"][name]["sha256"]:
            raise DataError(f"{bundle.source}: {name} is not what comes out of the rows of the bundle")


class _Restorer:
    """Makes one project of a bundle."""

    def __init__(self, bundle: BundleReader, collection: Collection | None) -> None:
        self._bundle, self._collection = bundle, collection
        self._texts = bool(bundle.manifest.get("texts"))
        self._project = Project()
        self._people: dict[str, int] = {}
        self._keys: dict[type[models.Model], dict[Any, int]] = {}
        self._stranger: User | None = None

    def restore(self) -> Project:
        content = load(self._bundle.read("project.json").decode())
        self._project = Project(**self._values(Project, content))
        self._project.clean()
        if Project.objects.filter(pk=self._project.pk).exists():
            raise UsageError(f"the project {self._project.name!r} of this bundle is in this installation already")
        self._project.save(force_insert=True)
        for table in TABLES:
            self._restore(table)
        return self._project

    def _restore(self, table: str) -> None:
        model, _ = TABLES[table]
        rows: Iterable[Row] = self._bundle.rows(f"{table}.jsonl")
        if model is Membership:
            self._add_people(rows)
            return
        if model is Document and not self._texts:
            rows = self._with_texts(list(rows))
        batch: list[models.Model] = []
        waiting: set[object] = set()
        for row in rows:
            if len(batch) == BATCH or waiting & {row.get("supersedes"), row.get("repeat_of"), row.get("replaces")} - {
                None
            }:
                self._write(model, batch)
                batch, waiting = [], set()
            batch.append(self._object(model, row))
            waiting |= {row.get("uuid"), row.get("handle")} - {None}
        self._write(model, batch)

    def _write(self, model: type[models.Model], batch: list[Any]) -> None:
        written = model._default_manager.bulk_create(batch)
        name = _NAMES.get(model)
        if name is not None:
            self._keys.setdefault(model, {}).update((name(one), one.pk) for one in written)

    def _object(self, model: type[models.Model], row: Row) -> models.Model:
        made = model(**self._values(model, row))
        if any(field.name == "project" for field in model._meta.concrete_fields):
            made.project = self._project  # type: ignore[attr-defined]
        if isinstance(made, PoolFile):
            made.content = gzip.compress(self._bundle.read(f"pools/{made.number}.tsv"), mtime=0)
        return made

    def _values(self, model: type[models.Model], row: Row) -> dict[str, Any]:
        texts = self._texts or model is Document
        return {field.attname: self._value(model, field, row[field.name]) for field in fields_of(model, texts=texts)}

    def _value(self, model: type[models.Model], field: models.Field[Any, Any], value: Any) -> Any:
        if value is None:
            return self._nobody().pk if model is Decision and field.name == "decided_by" else None
        if isinstance(field, models.DateTimeField):
            return datetime.fromisoformat(value)
        if isinstance(field, models.UUIDField):
            return UUID(value)
        if not field.is_relation:
            return value
        related = field.related_model
        if related is User:
            return self._people[value]
        return self._keys[related][self._key(related, value)]  # type: ignore[index,arg-type]

    def _key(self, model: type[models.Model], value: Any) -> Any:
        if model is Item:
            topic, document, other = value
            documents = self._keys[Document]
            return self._keys[Topic][topic], documents[document], None if other is None else documents[other]
        return value

    def _add_people(self, rows: Iterable[Row]) -> None:
        for number, row in enumerate(rows, 1):
            name = row.pop("user")
            user = closed_account(self._project, number)
            self._people[name] = user.pk
            values = self._values(Membership, {**row, "user": name})
            Membership.objects.create(project=self._project, **values)

    def _nobody(self) -> User:
        """The account of an adjudicator who was no member."""
        self._stranger = self._stranger or closed_account(self._project, len(self._people) + 1)
        return self._stranger

    def _with_texts(self, rows: list[Row]) -> Iterable[Row]:
        """Rows of documents with what the collection says of them, which has to be what was judged."""
        if self._collection is None:
            raise UsageError(f"{self._bundle.source}: this bundle has no texts: name the collection that has them")
        hashes = {row["name"]: row["sha256"] for row in rows}
        texts: dict[str, Mapping[str, Any]] = {}
        with Spool() as spool:
            spool.fill(self._collection.documents(), set(hashes), all_of_them=False)
            for columns in spool:
                texts[columns["name"]] = {name: columns[name] for name in (*TEXTS, "sha256")}
        for name, sha256 in hashes.items():
            if name not in texts:
                raise DataError(f"{self._collection.name}: the document {name!r:.80} of the bundle is not in it")
            if texts[name]["sha256"] != sha256:
                raise DataError(
                    f"{self._collection.name}: the document {name!r:.80} is not the one that was judged: its SHA-256 "
                    f"is {texts[name]['sha256'][:12]}..., that in the bundle {sha256[:12]}..."
                )
        return ({**row, **texts[row["name"]]} for row in rows)


_NAMES: Mapping[type[models.Model], Callable[[Any], Any]] = {
    ScaleVersion: lambda one: one.number,
    Topic: lambda one: one.name,
    Document: lambda one: one.name,
    Item: lambda one: (one.topic_id, one.document_id, one.other_id),
    Slot: lambda one: str(one.handle),
    Event: lambda one: str(one.uuid),
}
"""What rows that others refer to are called in a bundle."""
