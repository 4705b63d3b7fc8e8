"""What becomes of answers."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from cranfield.web.accounts.models import User
from cranfield.web.judging.handing_out import hand_out
from cranfield.web.judging.models import Event, Slot
from cranfield.web.judging.recording import Outcome, record
from cranfield.web.judging.standing import decisions_by_slot
from cranfield.web.projects.models import Project, ScaleVersion
from tests.web.judging.making import GRADES, answer, make_assessor, make_project, names


def recorded(project: Project, assessor: User, content: object) -> Outcome:
    [outcome] = record(project, assessor, [content])
    return outcome


def standing_of(slot: Slot) -> Event | None:
    return decisions_by_slot(Event.objects.filter(slot=slot)).get(slot.pk)


@pytest.fixture
def slot(project: Project, ann: User) -> Slot:
    """The first document, leased to Ann."""
    return hand_out(project, ann, 1)[0]


def lose(slot: Slot, to: User | None) -> None:
    """The lease runs out, and the slot goes to somebody else, or to nobody."""
    until = timezone.now() + timedelta(minutes=5 if to else -5)
    Slot.objects.filter(pk=slot.pk).update(assessor=to or slot.assessor, leased_until=until)


def test_an_answer_is_an_event_and_settles_its_slot(project: Project, ann: User, slot: Slot) -> None:
    sent = answer(slot, grade=2, reason="every word of it", active_ms=4321)
    assert recorded(project, ann, sent) == Outcome(sent["uuid"], "recorded")
    event = Event.objects.get()
    assert (str(event.uuid), event.slot, event.item, event.assessor) == (sent["uuid"], slot, slot.item, ann)
    assert (event.action, event.grade, event.reason, event.active_ms) == ("grade", 2, "every word of it", 4321)
    assert event.document_sha256 == slot.item.document.sha256
    assert event.scale.version == sent["scale"]
    slot.refresh_from_db()
    assert slot.done_at is not None


def test_the_same_answer_again_has_the_same_outcome_and_is_written_once(
    project: Project, ann: User, slot: Slot
) -> None:
    sent = answer(slot)
    assert recorded(project, ann, sent) == recorded(project, ann, sent)
    assert Event.objects.count() == 1


def test_a_whole_batch_again_writes_nothing_more(project: Project, ann: User) -> None:
    first, second = hand_out(project, ann, 2)
    grade = answer(first)
    batch = [
        grade,
        answer(second, "unsure"),
        answer(first, "withdraw", supersedes=grade["uuid"]),
        answer(first, "skip"),
    ]
    assert record(project, ann, batch) == record(project, ann, batch)
    assert Event.objects.count() == 4
    assert Slot.objects.filter(replaces__isnull=False).count() == 1


def test_an_identifier_belongs_to_one_answer(project: Project, ann: User, bob: User) -> None:
    first, second = hand_out(project, ann, 2)
    sent = answer(first)
    record(project, ann, [sent])
    for other in (answer(second), answer(first, grade=0), answer(first, "unsure")):
        outcome = recorded(project, ann, other | {"uuid": sent["uuid"]})
        assert outcome.status == "refused"
        assert "another answer has already" in outcome.message
    [of_bob] = hand_out(project, bob, 1)
    assert recorded(project, bob, answer(of_bob) | {"uuid": sent["uuid"]}).status == "refused"
    assert Event.objects.count() == 1
    assert not Slot.objects.get(pk=second.pk).done_at


def test_one_bad_answer_does_not_keep_the_others_back(project: Project, ann: User) -> None:
    first, second = hand_out(project, ann, 2)
    outcomes = record(project, ann, [answer(first), "what?", answer(second) | {"action": "guess"}, answer(second)])
    assert [outcome.status for outcome in outcomes] == ["recorded", "refused", "refused", "recorded"]


def test_an_answer_after_the_lease_counts_if_nobody_else_has_it(project: Project, ann: User, slot: Slot) -> None:
    lose(slot, None)
    assert recorded(project, ann, answer(slot)).status == "recorded"
    assert Slot.objects.get(pk=slot.pk).done_at is not None


def test_an_answer_after_somebody_else_got_it_is_kept_and_does_not_count(
    project: Project, ann: User, bob: User, slot: Slot
) -> None:
    lose(slot, bob)
    sent = answer(slot)
    outcome = recorded(project, ann, sent)
    assert outcome.status == "late"
    assert "does not count" in outcome.message
    assert recorded(project, ann, sent) == outcome
    assert Event.objects.get().slot is None
    assert recorded(project, bob, answer(slot)).status == "recorded"
    assert standing_of(slot).assessor == bob  # type: ignore[union-attr]


def test_a_late_answer_takes_another_slot_of_the_item_that_is_free(db: None) -> None:
    project = make_project(topics=1, documents=1, wanted=2)
    ann, bob, cem = (make_assessor(project, name) for name in ("ann", "bob", "cem"))
    [slot] = hand_out(project, ann, 1)
    lose(slot, bob)
    assert recorded(project, ann, answer(slot)).status == "recorded"
    assert Event.objects.get().slot != slot
    assert hand_out(project, cem, 1) == []


def test_a_released_slot_is_taken_back_by_its_answer(project: Project, ann: User, slot: Slot) -> None:
    Slot.objects.filter(pk=slot.pk).update(assessor=None, leased_at=None, leased_until=None)
    assert recorded(project, ann, answer(slot)).status == "recorded"
    assert Slot.objects.get(pk=slot.pk).assessor == ann


def test_a_second_answer_corrects_the_first(project: Project, ann: User, slot: Slot) -> None:
    record(project, ann, [answer(slot, grade=0), answer(slot, grade=2)])
    first, second = Event.objects.all()
    assert second.supersedes == first
    assert standing_of(slot) == second


def test_a_withdrawn_correction_gives_the_first_answer_back(project: Project, ann: User, slot: Slot) -> None:
    right, wrong = answer(slot, grade=1), answer(slot, grade=2)
    record(project, ann, [right, wrong, answer(slot, "withdraw", supersedes=wrong["uuid"])])
    assert str(standing_of(slot).uuid) == right["uuid"]  # type: ignore[union-attr]
    assert Slot.objects.get(pk=slot.pk).done_at is not None


def test_a_withdrawn_answer_makes_the_document_theirs_again(project: Project, ann: User, bob: User, slot: Slot) -> None:
    sent = answer(slot)
    record(project, ann, [sent, answer(slot, "withdraw", supersedes=sent["uuid"])])
    assert standing_of(slot) is None
    assert hand_out(project, ann, 1) == [slot]
    assert slot not in hand_out(project, bob, 10)


def test_only_ones_own_answer_that_stands_can_be_withdrawn(project: Project, ann: User, bob: User, slot: Slot) -> None:
    sent = answer(slot)
    record(project, ann, [sent])
    withdrawal = answer(slot, "withdraw", supersedes=sent["uuid"])
    assert recorded(project, bob, withdrawal).status == "refused"
    assert recorded(project, ann, withdrawal).status == "recorded"
    again = recorded(project, ann, answer(slot, "withdraw", supersedes=sent["uuid"]))
    assert (again.status, "stands" in again.message) == ("refused", True)


def test_unsure_is_an_answer_without_a_grade(project: Project, ann: User, slot: Slot) -> None:
    assert recorded(project, ann, answer(slot, "unsure")).status == "recorded"
    assert Event.objects.get().grade is None
    assert slot not in hand_out(project, ann, 10)


def test_a_note_only_adds(project: Project, ann: User, slot: Slot) -> None:
    assert recorded(project, ann, answer(slot, "note", reason="see page 3")).status == "recorded"
    assert Slot.objects.get(pk=slot.pk).done_at is None
    record(project, ann, [answer(slot), answer(slot, "note", reason="and page 4")])
    assert standing_of(slot).action == "grade"  # type: ignore[union-attr]


def test_a_note_can_be_withdrawn_and_the_grade_stays(project: Project, ann: User, slot: Slot) -> None:
    note = answer(slot, "note")
    record(project, ann, [answer(slot), note, answer(slot, "withdraw", supersedes=note["uuid"])])
    assert standing_of(slot) is not None
    assert Slot.objects.get(pk=slot.pk).done_at is not None


class TestSkip:
    def test_somebody_else_gets_the_document(self, project: Project, ann: User, bob: User, slot: Slot) -> None:
        record(project, ann, [answer(slot, "skip", reason="in Norwegian")])
        assert names([slot])[0] not in names(hand_out(project, ann, 20))
        assert names(hand_out(project, bob, 1)) == names([slot])

    def test_and_can_skip_it_too(self, project: Project, ann: User, bob: User, slot: Slot) -> None:
        record(project, ann, [answer(slot, "skip")])
        record(project, bob, [answer(hand_out(project, bob, 1)[0], "skip")])
        cem = make_assessor(project, "cem")
        assert names(hand_out(project, cem, 1)) == names([slot])
        assert list(slot.item.slots.order_by("number").values_list("number", flat=True)) == [1, 2, 3]

    def test_taken_back_while_nobody_has_it(self, project: Project, ann: User, bob: User, slot: Slot) -> None:
        skip = answer(slot, "skip")
        record(project, ann, [skip, answer(slot, "withdraw", supersedes=skip["uuid"])])
        assert slot.item.slots.count() == 1
        assert hand_out(project, ann, 1) == [slot]

    def test_corrected_by_a_grade_while_nobody_has_it(self, project: Project, ann: User, bob: User, slot: Slot) -> None:
        record(project, ann, [answer(slot, "skip"), answer(slot, grade=1)])
        assert slot.item.slots.count() == 1

    @pytest.mark.parametrize("answered", [False, True])
    def test_not_taken_back_when_somebody_has_it(
        self, project: Project, ann: User, bob: User, slot: Slot, answered: bool
    ) -> None:
        skip = answer(slot, "skip")
        record(project, ann, [skip])
        [other] = hand_out(project, bob, 1)
        if answered:
            record(project, bob, [answer(other)])
        for correction in (answer(slot, "withdraw", supersedes=skip["uuid"]), answer(slot, grade=1)):
            outcome = recorded(project, ann, correction)
            assert outcome.status == "refused"
            assert "somebody else" in outcome.message
        assert standing_of(slot).action == "skip"  # type: ignore[union-attr]

    def test_a_grade_turned_into_a_skip_opens_another_slot(self, project: Project, ann: User, slot: Slot) -> None:
        record(project, ann, [answer(slot, grade=1), answer(slot, "skip"), answer(slot, "skip", reason="really")])
        assert slot.item.slots.count() == 2


class TestScale:
    def test_a_grade_is_one_of_the_scale(self, project: Project, ann: User, slot: Slot) -> None:
        outcome = recorded(project, ann, answer(slot, grade=3))
        assert outcome.status == "refused"
        assert "the scale has 2, 1, 0" in outcome.message
        assert Event.objects.count() == 0

    def test_the_scale_on_screen_holds_and_a_change_is_said(self, project: Project, ann: User, slot: Slot) -> None:
        ScaleVersion.objects.create(project=project, number=2, version="fedcba987654", content=GRADES[1:])
        outcome = recorded(project, ann, answer(slot, grade=2))
        assert (outcome.status, "has changed since" in outcome.message) == ("recorded", True)
        assert Event.objects.get().scale.number == 1
        assert recorded(project, ann, answer(slot, grade=2, scale="fedcba987654")).status == "refused"

    def test_another_projects_scale_is_none(self, project: Project, ann: User, slot: Slot) -> None:
        ScaleVersion.objects.create(project=make_project(), number=2, version="fedcba987654", content=GRADES)
        assert recorded(project, ann, answer(slot, scale="fedcba987654")).status == "refused"


class TestPairs:
    @pytest.fixture
    def pair(self, project: Project, slot: Slot) -> Slot:
        slot.item.other = project.items.latest("pk").document
        slot.item.save()
        return slot

    @pytest.mark.parametrize(
        ("handle", "preferred", "kept"),
        [(2, "left", "left"), (2, "same", "same"), (3, "left", "right"), (3, "right", "left"), (3, "same", "same")],
    )
    def test_one_of_two(self, project: Project, ann: User, pair: Slot, handle: int, preferred: str, kept: str) -> None:
        pair.handle = uuid.UUID(int=handle)  # by which sides are changed on the screen
        pair.save()
        assert recorded(project, ann, answer(pair, preferred=preferred)).status == "recorded"
        assert Event.objects.get().preferred == kept

    def test_a_grade_is_no_preference(self, project: Project, ann: User, pair: Slot) -> None:
        assert "left, right or same" in recorded(project, ann, answer(pair, grade=1)).message

    def test_a_preference_is_no_grade(self, project: Project, ann: User, slot: Slot) -> None:
        assert "the scale has" in recorded(project, ann, answer(slot, preferred="left")).message


class TestClosed:
    def test_what_was_on_its_way_is_kept_and_does_not_count(self, project: Project, ann: User, slot: Slot) -> None:
        project.closed_at = timezone.now()
        outcome = recorded(project, ann, answer(slot))
        assert outcome.status == "late"
        assert "closed" in outcome.message
        assert Event.objects.get().slot is None

    def test_nothing_is_taken_back(self, project: Project, ann: User, slot: Slot) -> None:
        sent = answer(slot)
        record(project, ann, [sent])
        project.closed_at = timezone.now()
        assert recorded(project, ann, answer(slot, "withdraw", supersedes=sent["uuid"])).status == "refused"
        assert recorded(project, ann, sent).status == "recorded"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"uuid": "7"}, "uuid is '7'; expected a UUID"),
        ({"slot": None}, "slot is None; expected a UUID"),
        ({"slot": str(uuid.UUID(int=5))}, "there is none such in this project"),
        ({"action": "gade"}, "Did you mean grade?"),
        ({"action": 7}, "There are: grade, unsure, skip, note, withdraw"),
        ({"grade": "2"}, "expected a number"),
        ({"grade": True}, "expected a number"),
        ({"grade": float("nan")}, "expected a number"),
        ({"grade": 10**400}, "expected a number"),
        ({"grade": None}, "the scale has 2, 1, 0"),
        ({"time": "yesterday"}, "expected a time such as 2026-03-01T09:30:00.000Z"),
        ({"time": "2026-03-01T09:30:00"}, "expected a time such as 2026-03-01T09:30:00.000Z"),
        ({"active_ms": -1}, "expected milliseconds"),
        ({"reason": ["a"]}, "expected a text"),
        ({"reason": "\0"}, "expected a text"),
        ({"reason": "a" * 20_001}, "20,001 characters; at most 20,000"),
        ({"document_sha256": "abc"}, "expected 64 hexadecimal digits"),
        ({"action": "skip", "grade": None}, "reason is empty"),
        ({"action": "note", "grade": None}, "reason is empty"),
        ({"action": "withdraw", "grade": None}, "supersedes is empty"),
        ({"action": "unsure"}, "unsure comes without a grade"),
        ({"scale": "older"}, "which this project never had"),
    ],
)
def test_what_cannot_be_is_refused_with_words(
    project: Project, ann: User, slot: Slot, change: dict[str, object], message: str
) -> None:
    outcome = recorded(project, ann, answer(slot) | change)
    assert outcome.status == "refused"
    assert message in outcome.message
    assert Event.objects.count() == 0
    assert Slot.objects.get(pk=slot.pk).done_at is None


def test_another_projects_slot_is_none(project: Project, ann: User) -> None:
    other = make_project()
    foreign = Slot.objects.filter(item__project=other)[0]
    assert recorded(project, ann, answer(foreign)).status == "refused"
