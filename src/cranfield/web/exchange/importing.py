"""Judgments from a file come in as events of those who gave them: nothing that is there is changed.

A judgment takes a slot of its item that nobody has. Where there is none, as many judgments as were wanted are there: it
is kept, and does not count, unless it is asked that it shall; then one more is wanted of that document.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid5

from django.db import transaction
from django.utils import timezone

from cranfield.data.judging import JudgingEvent
from cranfield.formats.given_judgments import GivenJudgments
from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import User
from cranfield.web.batches import BATCH, batches
from cranfield.web.exchange.planning import Plan, Taken, plan
from cranfield.web.judging.answers import LONGEST_MS
from cranfield.web.judging.models import Event, Slot
from cranfield.web.judging.slots import PERSONAL, has_lapsed
from cranfield.web.projects.document_columns import storable
from cranfield.web.projects.models import Item, Membership, Project

KEEP, COUNT = "keep", "count"
SURPLUS = {
    KEEP: "are kept, and do not count",
    COUNT: "count too: one more is wanted of the document",
}
"""What becomes of judgments that are more than are wanted of a document."""
GROUP = "imported"
"""The group of assessors who came with a file."""


@dataclass(frozen=True)
class Imported:
    """What was done."""

    plan: Plan
    counted: int
    """How many are judgments now."""
    not_counted: int
    """How many are kept without counting: as many as were wanted were there, or the document was skipped."""
    raised: int
    """Of how many documents one more is wanted than before."""


@transaction.atomic
def carry_out(
    project: Project,
    given: GivenJudgments,
    *,
    surplus: str = KEEP,
    merge: bool = False,
    by: User | None = None,
    source: str = "",
) -> Imported:
    """Bring in what a plan of these judgments takes: all of it, or an error and nothing."""
    Project.objects.select_for_update().get(pk=project.pk)
    made = plan(project, given, merge=merge)
    places = _Places(project, made.taken, lock=True)
    people = _people(project, (name for name, _ in made.assessors))
    now = timezone.now()
    events = []
    for taken in made.taken:
        assessor = people[taken.event.assessor]
        slot = places.place(taken, assessor, surplus, now) if taken.event.action != "skip" else None
        events.append(_event(project, taken, assessor, slot, now))
    places.save(now)
    _rename_those_of_other_projects(project, events)
    Event.objects.bulk_create(events, batch_size=BATCH)
    counted = sum(event.slot is not None for event in events)
    done = Imported(made, counted, len(events) - counted, len(places.raised))
    note(
        by,
        project,
        "judgments imported",
        file=source,
        format=made.format,
        read=made.read,
        taken=len(events),
        counted=counted,
        raised=done.raised,
        merged=merge,
        left_out={one.reason: one.count for one in made.reasons()},
    )
    return done


def forecast(project: Project, made: Plan, surplus: str) -> Imported:
    """What carrying out a plan would do, as far as can be known before. Nothing is written."""
    places = _Places(project, made.taken, lock=False)
    people = {one.pseudonym: one.user for one in project.memberships.select_related("user")}
    for number, (name, _) in enumerate(made.assessors, 1):
        people.setdefault(name, User(pk=-number))
    now = timezone.now()
    graded = [one for one in made.taken if one.event.action != "skip"]
    counted = sum(places.place(one, people[one.event.assessor], surplus, now) is not None for one in graded)
    return Imported(made, counted, len(made.taken) - counted, len(places.raised))


class _Places:
    """The slots of the items that judgments come in for."""

    def __init__(self, project: Project, taken: Iterable[Taken], *, lock: bool) -> None:
        items = {one.item.pk for one in taken}
        self._slots: dict[int, list[Slot]] = {}
        slots = Slot.objects.filter(item__project=project, repeat_of=None, number__lt=PERSONAL).order_by("number")
        for slot in slots.select_for_update(of=("self",), no_key=True) if lock else slots:
            if slot.item_id in items:
                self._slots.setdefault(slot.item_id, []).append(slot)
        self._changed: dict[int, list[int]] = {}
        self._new: list[Slot] = []
        self.raised: dict[int, Item] = {}

    def place(self, taken: Taken, assessor: User, surplus: str, now: datetime) -> Slot | None:
        """The slot that a judgment counts in."""
        slots = self._slots.setdefault(taken.item.pk, [])
        own = next((slot for slot in slots if slot.assessor_id == assessor.pk), None)
        free = own or next((slot for slot in slots if slot.done_at is None and has_lapsed(slot, now)), None)
        if free is None and surplus == COUNT:
            number = max((slot.number for slot in slots), default=0) + 1
            free = Slot(item=taken.item, number=number)
            slots.append(free)
            self._new.append(free)
            taken.item.wanted += 1
            self.raised[taken.item.pk] = taken.item
        elif free is not None:
            self._changed.setdefault(assessor.pk, []).append(free.pk)
        if free is not None:
            free.assessor, free.done_at = assessor, now
        return free

    def save(self, now: datetime) -> None:
        for assessor, slots in self._changed.items():
            for batch in batches(slots):
                Slot.objects.filter(pk__in=batch).update(assessor=assessor, done_at=now)
        Slot.objects.bulk_create(self._new, batch_size=BATCH)
        Item.objects.bulk_update(self.raised.values(), ("wanted",), batch_size=BATCH)


def _people(project: Project, names: Iterable[str]) -> dict[str, User]:
    """The members of these names; who is none yet becomes one, with an account that nobody can log in to."""
    people = {one.pseudonym: one.user for one in project.memberships.select_related("user")}
    for name in names:
        if name not in people:
            user = closed_account(project, len(people) + 1)
            Membership.objects.create(
                project=project, user=user, role=Membership.Role.ASSESSOR, group=GROUP, pseudonym=name
            )
            people[name] = user
    return people


def closed_account(project: Project, number: int) -> User:
    """An account for somebody who is known by name only: nobody can log in to it."""
    while User.objects.filter(username=(name := f"imported-{project.pk.hex[:12]}-{number}")).exists():
        number += 1
    user = User(username=name, is_active=False)
    user.set_unusable_password()
    user.save()
    return user


def _rename_those_of_other_projects(project: Project, events: list[Event]) -> None:
    """Give a name of its own to an event that another project has too: the same file may come into several."""
    for batch in batches(events):
        taken = set(Event.objects.filter(uuid__in=[event.uuid for event in batch]).values_list("uuid", flat=True))
        for event in batch:
            if event.uuid in taken:
                event.uuid = uuid5(project.pk, str(event.uuid))


def _event(project: Project, taken: Taken, assessor: User, slot: Slot | None, now: datetime) -> Event:
    said: JudgingEvent = taken.event
    return Event(
        uuid=UUID(said.event),
        project=project,
        slot=slot,
        item=taken.item,
        assessor=assessor,
        action=said.action,
        grade=said.grade,
        reason=storable(said.reason or ""),
        scale=taken.scale,
        document_sha256=said.document_sha256 or taken.item.document.sha256,
        shown_at=datetime.fromisoformat(said.shown_at) if said.shown_at else None,
        time=datetime.fromisoformat(said.time),
        received_at=now,
        active_ms=None if said.active_ms is None else min(said.active_ms, LONGEST_MS),
        input="import",
    )
