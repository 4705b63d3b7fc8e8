"""From the database to the events of the library."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

from cranfield.data.judging_record import to_qrels
from cranfield.web.accounts.models import User
from cranfield.web.judging.events import events_of
from cranfield.web.judging.handing_out import hand_out
from cranfield.web.judging.recording import record
from cranfield.web.judging.slots import add_slots
from cranfield.web.projects.models import Item, Project
from tests.web.judging.making import SCALE, add_items, answer, make_assessor, make_project


def test_an_event_has_all_that_was_recorded(project: Project, ann: User) -> None:
    project.created_at = datetime(2026, 2, 28, tzinfo=UTC)
    [slot] = hand_out(project, ann, 1)
    first = answer(slot, grade=0, time="2026-03-01T09:30:00.125Z", shown_at="2026-03-01T09:29:58+00:00")
    second = answer(slot, grade=2, reason="after all", time="2026-03-01T10:30:00+01:00", active_ms=None, shown_at=None)
    record(project, ann, [first, second])
    one, two = events_of(project)
    assert one.to_dict() == {
        "event": first["uuid"],
        "time": "2026-03-01T09:30:00.125Z",
        "assessor": "p-ann",
        "topic": "q1",
        "document": "q1-d00001",
        "action": "grade",
        "grade": 0,
        "reason": None,
        "scale": SCALE,
        "document_sha256": slot.item.document.sha256,
        "shown_at": "2026-03-01T09:29:58.000Z",
        "active_ms": 1200,
        "input": "web",
        "assignment": f"pool {slot.handle}",
        "supersedes": None,
    }
    assert (two.time, two.reason, two.supersedes) == ("2026-03-01T09:30:00.000Z", "after all", first["uuid"])


def test_what_stands_is_the_same_in_the_library(project: Project, ann: User, bob: User) -> None:
    first, second, third = hand_out(project, ann, 3)
    wrong = answer(first, grade=2)
    record(project, ann, [wrong, answer(first, "withdraw", supersedes=wrong["uuid"]), answer(first, grade=1)])
    record(project, ann, [answer(second, "skip"), answer(third, "unsure"), answer(third, "note", reason="see page 3")])
    record(project, bob, [answer(slot, grade=2) for slot in hand_out(project, bob, 1)])
    assert to_qrels(events_of(project)).to_dict() == {"q1": {"q1-d00001": 1, "q1-d00002": 2}}
    assert len(list(events_of(project))) == 7


def test_gold_repeats_and_late_answers_are_told_apart(db: None) -> None:
    project = make_project(topics=1, documents=30, repeat_share=1.0, gold_every=5)
    add_items(project, project.topics.get(), 2, origin=Item.Origin.GOLD, gold_grade=2.0)
    add_slots(project.items.all())
    ann, bob = make_assessor(project, "ann"), make_assessor(project, "bob")
    on_screen = hand_out(project, ann, 1)[0]
    while slots := hand_out(project, ann, 5):
        for slot in slots:
            record(project, ann, [answer(slot, grade=2 if slot.repeat_of_id else 1)])
    record(project, bob, [answer(on_screen, grade=0)])  # on Bob's screen since before it was Ann's
    everything = list(events_of(project, everything=True))
    kinds = Counter(str(event.assignment).split()[0] for event in everything)
    assert kinds == {"pool": 30, "gold": 2, "repeat": kinds["repeat"], "late": 1}
    assert kinds["repeat"] > 0
    assert len(list(events_of(project))) == 30
    assert set(to_qrels(events_of(project)).to_dict()["q1"].values()) == {1}


def test_preferences_are_left_out(project: Project, ann: User) -> None:
    [slot] = hand_out(project, ann, 1)
    slot.item.other = project.items.latest("pk").document
    slot.item.save()
    record(project, ann, [answer(slot, preferred="left")])
    assert list(events_of(project, everything=True)) == []
