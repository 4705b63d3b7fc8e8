"""From the database to the events that the library works with: the same for the terminal, the browser and files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from cranfield.web.judging.answers import DECISIONS
from cranfield.web.judging.models import Event
from cranfield.web.moments import utc
from cranfield.web.projects.models import Item, Project

if TYPE_CHECKING:
    from cranfield.data.judging import JudgingEvent


def counted(project: Project) -> QuerySet[Event]:
    """The events that judgments come from: made in time, not on gold documents, and not of documents shown again.

    In a slot that was asked for again, those of whoever answered last.
    """
    return _in_slots_of_judgments(project).filter(_IN_FORCE)


def no_longer_counted(project: Project) -> QuerySet[Event]:
    """The events that judgments came from until somebody else judged in the same slot."""
    return _in_slots_of_judgments(project).exclude(_IN_FORCE)


_WITHDRAWN = Event.objects.filter(supersedes=OuterRef("pk"), action="withdraw")
_ANSWERS = Event.objects.filter(~Exists(_WITHDRAWN), slot=OuterRef("slot"), action__in=DECISIONS).order_by("-number")
_IN_FORCE = Q(slot__asked_again_at=None) | Q(assessor=Coalesce(Subquery(_ANSWERS.values("assessor")[:1]), 0))


def _in_slots_of_judgments(project: Project) -> QuerySet[Event]:
    events = _in_order(project).filter(slot__isnull=False, slot__repeat_of=None)
    return events.exclude(item__origin=Item.Origin.GOLD)


def events_of(project: Project, *, everything: bool = False, after: int = 0) -> Iterator[JudgingEvent]:
    """The events that judgments come from, in their order; with `everything`, all that ever came in; `after` the
    number of one of them, only what came later.

    Assessors go by their pseudonyms. `assignment` says what an event belongs to: `pool`, `searched`, `gold` or `repeat`
    with the handle of the slot, or `late`. Preferences between two documents are no judgments of one, and left out.
    """
    events = _in_order(project) if everything else counted(project)
    return _read(project, events.filter(number__gt=after))


def numbered_events(project: Project, *, after: int, until: int, most: int) -> list[tuple[int, JudgingEvent]]:
    """Of all that ever came in, the first so many with numbers after one and up to another, with their numbers."""
    events = _in_order(project).filter(number__gt=after, number__lte=until, item__other=None)
    numbers = list(events.values_list("number", flat=True)[:most])
    return list(zip(numbers, _read(project, _in_order(project).filter(number__in=numbers)), strict=True))


def _read(project: Project, events: QuerySet[Event]) -> Iterator[JudgingEvent]:
    from cranfield.data.judging import JudgingEvent

    names = project.pseudonyms
    for row in events.filter(item__other=None).values_list(*_COLUMNS).iterator(chunk_size=10_000):
        (uuid, time, assessor, topic, document, action, grade, reason, scale, sha256, shown_at, active_ms, source) = (
            row[:13]
        )
        handle, repeat_of, origin, supersedes = row[13:]
        yield JudgingEvent(
            event=str(uuid),
            time=utc(time),
            assessor=names.get(assessor, f"assessor-{assessor}"),
            topic=topic,
            document=document,
            action=action,
            grade=_grade(grade),
            reason=reason or None,
            scale=scale,
            document_sha256=sha256,
            shown_at=utc(shown_at) if shown_at is not None else None,
            active_ms=active_ms,
            input=source,
            assignment="late" if handle is None else f"{origin if repeat_of is None else 'repeat'} {handle}",
            supersedes=str(supersedes) if supersedes is not None else None,
        )


_COLUMNS = (
    *("uuid", "time", "assessor", "item__topic__name", "item__document__name", "action", "grade", "reason"),
    *("scale__version", "document_sha256", "shown_at", "active_ms", "input"),
    *("slot__handle", "slot__repeat_of", "item__origin", "supersedes__uuid"),
)
"""Of all that is behind an event, what it says: as rows, for large projects have a hundred thousand."""


def _in_order(project: Project) -> QuerySet[Event]:
    return Event.objects.filter(project=project).order_by("number")


def _grade(grade: float | None) -> float | None:
    return int(grade) if grade is not None and grade == int(grade) else grade
