"""What is kept in memory is always what is in the database."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cranfield.web.judging.judgments import record_of
from cranfield.web.judging.models import Slot
from cranfield.web.projects.models import Item, Project
from cranfield.web.review import material as kept
from cranfield.web.review.material import material
from tests.web.review.making import START, add_gold, judged, make_people


def same(project: Project) -> bool:
    return material(project).record.events == record_of(project).events


def test_it_is_what_judgments_come_from(project: Project) -> None:
    ann, bob = make_people(project, ann="", bob="")
    items = list(project.items.all())
    first = judged(items[0], ann, 1)
    assert same(project)
    judged(items[0], ann, 2, repeat_of=first.slot)
    judged(items[1], bob, 2, slot=None)
    for gold in add_gold(project, 1):
        judged(gold, ann, 1)
    assert same(project)
    assert len(material(project).events) == 4
    assert len(material(project).record.events) == 1


def test_only_what_is_new_is_read(project: Project) -> None:
    (ann,) = make_people(project, ann="")
    items = list(project.items.all())
    judged(items[0], ann, 1)
    before = material(project)
    assert material(project) is before
    judged(items[1], ann, 1)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        after = material(project)
    assert [len(before.events), len(after.events)] == [1, 2]
    assert any(f'"number" > {before.last}' in query["sql"] for query in queries)
    assert after.events[0] is before.events[0]


def test_an_event_that_was_committed_out_of_order_is_not_forgotten(project: Project) -> None:
    """Two answers at once: the one with the higher number is seen first."""
    (ann,) = make_people(project, ann="")
    items = list(project.items.all())
    late = judged(items[0], ann, 1, number=10_001)
    assert material(project).last == late.number
    judged(items[1], ann, 1, number=10_000)
    assert same(project)
    assert len(material(project).events) == 2


@pytest.mark.parametrize("change", ["name", "gold", "somebody else"])
def test_what_changes_of_events_that_are_there(change: str, project: Project) -> None:
    ann, bob = make_people(project, ann="", bob="")
    first = judged(project.items.all()[0], ann, 1)
    assert same(project)
    if change == "name":
        project.memberships.filter(user=ann).update(pseudonym="another")
        assert material(project).labels.judges == ("another",)
    elif change == "gold":
        Item.objects.filter(pk=first.item_id).update(origin=Item.Origin.GOLD)
        assert len(material(project).labels) == 0
    else:
        slot = Slot.objects.get()
        slot.assessor, slot.asked_again_at = bob, START + timedelta(days=1)
        slot.save()
        assert material(project).labels.judges == ("p-ann",), "until there is another"
        judged(first.item, bob, 2, slot=slot)
        assert material(project).labels.judges == ("p-bob",)
    assert same(project)


def test_no_more_projects_are_kept_than_there_is_room_for(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "PROJECTS", 1)
    other = Project.objects.create(name="Stews")
    first = material(project)
    material(other)
    assert material(project) is not first
