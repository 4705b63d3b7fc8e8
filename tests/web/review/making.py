"""Judgments as they stand in the database after assessors have been at work."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from cranfield.web.accounts.models import User
from cranfield.web.judging.models import Event, Slot
from cranfield.web.judging.slots import PERSONAL
from cranfield.web.projects.models import Item, Membership, Project
from tests.web.judging.making import add_items, make_assessor, make_project

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


def judged(item: Item, who: User, grade: float | None = None, *, minutes: float = 0, **more: Any) -> Event:
    """Somebody's answer to a document; without a grade unsure, unless an action is named.

    It is in a slot of theirs that is made for it, or in `slot`, which is None for an answer that came late.
    """
    slot = more.pop("slot") if "slot" in more else _slot(item, who, more.pop("repeat_of", None))
    return Event.objects.create(
        **{
            "project": item.project,
            "item": item,
            "slot": slot,
            "assessor": who,
            "action": "unsure" if grade is None else "grade",
            "grade": grade,
            "scale": item.project.scales.get(),
            "document_sha256": item.document.sha256,
            "time": START + timedelta(minutes=minutes),
            "active_ms": 12_000,
            **more,
        }
    )


def _slot(item: Item, who: User, repeat_of: Slot | None) -> Slot:
    personal = repeat_of is not None or item.origin == Item.Origin.GOLD
    number = PERSONAL + who.pk if personal else item.slots.filter(number__lt=PERSONAL).count() + 1
    return Slot.objects.create(item=item, number=number, assessor=who, done_at=START, repeat_of=repeat_of)


def empty_project(topics: int = 2, documents: int = 4, **settings: Any) -> Project:
    """Documents, and nobody who is to judge them yet."""
    project = make_project(topics, documents, **settings)
    Slot.objects.filter(item__project=project).delete()
    return project


def make_people(project: Project, **groups: str) -> list[User]:
    """Assessors, with their groups."""
    people = [make_assessor(project, name) for name in groups]
    for user, group in zip(people, groups.values(), strict=True):
        project.memberships.filter(user=user).update(group=group)
    return people


def make_manager(project: Project, name: str = "mia") -> User:
    return make_assessor(project, name, Membership.Role.MANAGER)


def add_gold(project: Project, grade: float, count: int = 1) -> list[Item]:
    topic = project.topics.all()[0]
    return add_items(project, topic, count, origin=Item.Origin.GOLD, gold_grade=grade)
