"""What lies before the adjudicator: the answers to a document, without the names of those who gave them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from string import ascii_uppercase

from cranfield.web.judging.events import counted
from cranfield.web.judging.lots import lot
from cranfield.web.judging.models import Event
from cranfield.web.judging.standing import decisions_by_slot, standing
from cranfield.web.projects.models import Item, ScaleVersion


@dataclass(frozen=True)
class Witness:
    """One assessor's answer. Who it was is nowhere in it."""

    letter: str
    """What it is called on the page: numbers would look like pseudonyms."""
    action: str
    grade: float | None
    grade_name: str
    reason: str
    notes: tuple[str, ...]
    date: date
    other_scale: int | None
    """The number of the version of the scale it was given by, if that is not the last one."""
    other_text: bool
    """Whether the document had another text when it was judged."""


@dataclass(frozen=True)
class Evidence:
    """All answers to a document that stand, in an order drawn by lot for this document."""

    witnesses: tuple[Witness, ...]
    events: tuple[str, ...]
    """The same, as the identifiers of events."""


def evidence(item: Item, scale: ScaleVersion | None) -> Evidence:
    """What stands of an item now."""
    events = list(counted(item.project).filter(item=item).select_related("assessor", "scale"))
    decisions = sorted(
        decisions_by_slot(events).values(),
        key=lambda one: lot(item.project, one.assessor, f"adjudication of {item.pk}"),
    )
    notes: dict[int, list[str]] = {}
    for event in standing(events):
        if event.action == "note":
            notes.setdefault(event.assessor_id, []).append(event.reason)
    return Evidence(
        tuple(
            _witness(_letter(place), one, tuple(notes.get(one.assessor_id, ())), item, scale)
            for place, one in enumerate(decisions)
        ),
        tuple(sorted(str(one.uuid) for one in decisions)),
    )


def _letter(place: int) -> str:
    """A, B, ..., Z, AA, AB, ..."""
    return (_letter(place // 26 - 1) if place >= 26 else "") + ascii_uppercase[place % 26]


def _witness(letter: str, event: Event, notes: tuple[str, ...], item: Item, scale: ScaleVersion | None) -> Witness:
    names = {grade["value"]: grade["name"] for grade in event.scale.content}
    return Witness(
        letter,
        event.action,
        event.grade,
        names.get(event.grade, "") if event.grade is not None else "",
        event.reason,
        notes,
        event.time.date(),
        event.scale.number if scale is not None and event.scale_id != scale.pk else None,
        event.document_sha256 != item.document.sha256,
    )
