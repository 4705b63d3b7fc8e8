"""Documents whose text is no longer the one that was judged: found, flagged, and judged again if that is wanted."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from cranfield.data.collection import Collection
from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import User
from cranfield.web.batches import batches
from cranfield.web.judging.models import Event, Slot
from cranfield.web.projects.asking_again import ask_again, judged_slots
from cranfield.web.projects.models import Document, OtherText, Project
from cranfield.web.projects.spool import Spool

_TEXT = ("title", "text", "fields", "image", "sha256")


@dataclass(frozen=True, slots=True)
class BroughtAgain:
    """Of the documents of a project: how many say something else now, of those that were judged and of the others."""

    compared: int
    changed_after_judging: int
    replaced: int
    missing: int

    def __str__(self) -> str:
        return (
            f"{self.compared:,} documents compared: {self.changed_after_judging:,} changed after they were judged, "
            f"{self.replaced:,} changed that nobody had judged and are now as they are in the collection, "
            f"{self.missing:,} are not in it"
        )


def bring_again(project: Project, collection: Collection, *, by: User | None = None) -> BroughtAgain:
    """Compare the documents of a project with those of a collection.

    A document that somebody judged, or has on screen, stays as it is, and is flagged; its new text is kept for when it
    is to be judged by that. Others just get the new text.
    """
    known = set(project.documents.values_list("name", flat=True))
    with Spool() as spool:
        spool.fill(collection.documents(), known, all_of_them=False)
        with transaction.atomic():
            flagged = replaced = 0
            for batch in batches(spool):
                its_flagged, its_replaced = _compare(project, {columns["name"]: columns for columns in batch})
                flagged, replaced = flagged + its_flagged, replaced + its_replaced
            found = BroughtAgain(len(spool.names), flagged, replaced, len(known - spool.names))
            note(by, project, "documents compared", **asdict(found))
    return found


def changed_documents(project: Project) -> QuerySet[Document]:
    """Those that say something else than when they were judged."""
    return project.documents.exclude(changed_sha256="").order_by("name")


@transaction.atomic
def judge_by_new_text(project: Project, documents: QuerySet[Document], *, by: User, anybody: bool = False) -> int:
    """Let documents say what they say now, and ask for their judgments again; how many that are."""
    changed = list(documents.filter(project=project).exclude(changed_sha256="").select_for_update())
    for document in changed:
        later = document.other_texts.get(sha256=document.changed_sha256)
        _replace(document, {name: getattr(later, name) for name in _TEXT})
        later.delete()
    names = [document.name for document in changed]
    if names:
        note(by, project, "new texts taken", documents=names[:100], number=len(names))
    in_them = Q(item__document__in=changed) | Q(item__other__in=changed)
    return ask_again(project, judged_slots(project).filter(in_them), by=by, anybody=anybody, why="the text changed")


def _compare(project: Project, found: dict[str, dict[str, Any]]) -> tuple[int, int]:
    seen = Slot.objects.filter(Q(item__document=OuterRef("pk")) | Q(item__other=OuterRef("pk")))
    judged = Event.objects.filter(Q(item__document=OuterRef("pk")) | Q(item__other=OuterRef("pk")))
    documents = project.documents.filter(name__in=list(found)).annotate(
        in_use=Exists(seen.filter(assessor__isnull=False)) | Exists(judged)
    )
    flagged = replaced = 0
    for document in documents:
        columns = found[document.name]
        if columns["sha256"] == document.sha256:
            if document.changed_sha256:  # it is again as it was
                Document.objects.filter(pk=document.pk).update(changed_sha256="")
        elif document.in_use:
            flagged += 1
            if columns["sha256"] != document.changed_sha256:
                _keep(document, columns)
                Document.objects.filter(pk=document.pk).update(changed_sha256=columns["sha256"])
        else:
            replaced += 1
            _replace(document, columns)
    return flagged, replaced


def _replace(document: Document, columns: dict[str, Any]) -> None:
    """Another text for a document; the one it had is kept."""
    _keep(document, {name: getattr(document, name) for name in _TEXT})
    for name in _TEXT:
        setattr(document, name, columns[name])
    document.changed_sha256 = ""
    document.save(update_fields=(*_TEXT, "changed_sha256"))


def _keep(document: Document, columns: dict[str, Any]) -> None:
    OtherText.objects.get_or_create(
        document=document, sha256=columns["sha256"], defaults={name: columns[name] for name in _TEXT}
    )
