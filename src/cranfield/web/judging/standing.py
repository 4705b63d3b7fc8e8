"""Which of the events stand: those that were not taken back, and of each slot the last of them that decides."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Subquery

from cranfield.web.judging.answers import DECISIONS
from cranfield.web.judging.models import Event

_TAKEN_BACK = Event.objects.filter(supersedes=OuterRef("pk"), action="withdraw")


def judged_at() -> Subquery:
    """In a query of slots, the date of the judgment that stands in each: when it was made, not when it came in."""
    said = Event.objects.filter(~Exists(_TAKEN_BACK), slot=OuterRef("pk"), action__in=DECISIONS).order_by("-number")
    return Subquery(said.values("time")[:1])


def standing(events: Iterable[Event]) -> list[Event]:
    """Those of the events that were not taken back by another of them, in their order."""
    events = list(events)
    withdrawn = {event.supersedes_id for event in events if event.action == "withdraw"}
    return [event for event in events if event.action != "withdraw" and event.number not in withdrawn]


def decisions_by_slot(events: Iterable[Event]) -> dict[int, Event]:
    """What stands in each slot: the grade, unsure or skip that was said last and not taken back."""
    return {
        event.slot_id: event for event in standing(events) if event.action in DECISIONS and event.slot_id is not None
    }
