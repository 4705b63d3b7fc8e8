"""Judgments are dated, and can be asked for again."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from cranfield.errors import UsageError
from cranfield.evaluation.assessors.ages import older_than
from cranfield.web.accounts.models import AuditEntry, User
from cranfield.web.exchange.importing import carry_out
from cranfield.web.judging.handing_out import hand_out
from cranfield.web.judging.judgments import judgments, record_of
from cranfield.web.judging.models import Event, Slot
from cranfield.web.judging.progress import progress
from cranfield.web.judging.recording import record
from cranfield.web.projects.asking_again import ask_again, judged_slots
from cranfield.web.projects.changing import close
from cranfield.web.projects.models import Project
from tests.web.exchange.making import TIME, given
from tests.web.judging.making import answer, make_assessor, make_project, names

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project(topics=1, documents=3)


@pytest.fixture
def ann(project: Project) -> User:
    return make_assessor(project, "ann")


@pytest.fixture
def bob(project: Project) -> User:
    return make_assessor(project, "bob")


@pytest.fixture
def manager(project: Project) -> User:
    return make_assessor(project, "maria", role="manager")


def judge(project: Project, who: User, grade: int, count: int = 3) -> list[Slot]:
    slots = hand_out(project, who, count)
    outcomes = record(project, who, [answer(slot, grade=grade) for slot in slots])
    assert {outcome.status for outcome in outcomes} <= {"recorded"}
    return slots


def grades(project: Project) -> list[tuple[str, str, float | None]]:
    return sorted((one.assessor, one.document, one.grade) for one in record_of(project).decisions())


def test_who_judged_is_asked_and_the_old_judgment_counts_until_the_new_one_is_there(
    project: Project, ann: User, manager: User
) -> None:
    judge(project, ann, 1)
    assert hand_out(project, ann, 3) == []
    assert ask_again(project, judged_slots(project), by=manager) == 3
    assert {grade for *_, grade in grades(project)} == {1}
    assert sum(topic.left for topic in progress(project, ann)) == 3
    judge(project, ann, 2, count=1)
    assert [grade for *_, grade in grades(project)] == [2, 1, 1]
    judge(project, ann, 2)
    assert {grade for *_, grade in grades(project)} == {2}
    assert hand_out(project, ann, 3) == []
    assert Event.objects.count() == 6
    assert AuditEntry.objects.get(what="judgments asked for again").details["number"] == 3


def test_others_do_not_get_what_waits_for_who_judged(project: Project, ann: User, bob: User, manager: User) -> None:
    judge(project, ann, 1)
    ask_again(project, judged_slots(project), by=manager)
    assert hand_out(project, bob, 3) == []


def test_by_anybody_no_document_has_more_judgments_than_before(
    project: Project, ann: User, bob: User, manager: User
) -> None:
    judge(project, ann, 1)
    assert ask_again(project, judged_slots(project), by=manager, anybody=True) == 3
    assert len(grades(project)) == 3
    judge(project, bob, 0, count=1)
    assert sorted(grades(project)) == [("p-ann", "q1-d00002", 1), ("p-ann", "q1-d00003", 1), ("p-bob", "q1-d00001", 0)]
    judge(project, ann, 2)
    assert sorted(grades(project)) == [("p-ann", "q1-d00002", 2), ("p-ann", "q1-d00003", 2), ("p-bob", "q1-d00001", 0)]
    assert judgments(project).to_dict() == {"q1": {"q1-d00001": 0, "q1-d00002": 2, "q1-d00003": 2}}


def test_what_somebody_who_left_judged_is_for_anybody(project: Project, ann: User, bob: User, manager: User) -> None:
    judge(project, ann, 1)
    project.memberships.filter(user=ann).update(left_at=timezone.now())
    ask_again(project, judged_slots(project), by=manager)
    assert len(hand_out(project, bob, 3)) == 3


def test_only_what_is_older_and_was_not_corrected_since(project: Project, ann: User, manager: User) -> None:
    beginning = timezone.now()
    first, second, third = judge(project, ann, 1)
    middle = timezone.now()
    record(project, ann, [answer(second, grade=0)])
    old = judged_slots(project, before=middle)
    assert {slot.pk for slot in old} == {first.pk, third.pk}
    assert list(judged_slots(project, before=beginning)) == []
    assert ask_again(project, old, by=manager) == 2
    assert names(hand_out(project, ann, 5)) == ["q1-d00001", "q1-d00003"]


def test_skips_are_not_asked_for_again(project: Project, ann: User, manager: User) -> None:
    slots = hand_out(project, ann, 2)
    record(project, ann, [answer(slots[0], "skip"), answer(slots[1], "unsure")])
    assert [slot.pk for slot in judged_slots(project)] == [slots[1].pk]


def test_taking_back_the_new_answer_opens_the_document_once_more(project: Project, ann: User, manager: User) -> None:
    judge(project, ann, 1)
    ask_again(project, judged_slots(project), by=manager)
    slot = hand_out(project, ann, 1)[0]
    new = answer(slot, grade=2)
    back = answer(slot, "withdraw", supersedes=new["uuid"])
    assert [outcome.status for outcome in record(project, ann, [new, back])] == ["recorded", "recorded"]
    assert slot in hand_out(project, ann, 3)
    assert {grade for *_, grade in grades(project)} == {1}


def test_taking_back_an_answer_whose_document_went_to_somebody_else(
    project: Project, ann: User, bob: User, manager: User
) -> None:
    slot = hand_out(project, ann, 1)[0]
    old = answer(slot, grade=1)
    record(project, ann, [old])
    ask_again(project, judged_slots(project), by=manager, anybody=True)
    judge(project, bob, 2, count=1)
    (outcome,) = record(project, ann, [answer(slot, "withdraw", supersedes=old["uuid"])])
    assert outcome.status == "recorded"
    assert grades(project) == [("p-bob", "q1-d00001", 2)]
    slot.refresh_from_db()
    assert (slot.assessor, slot.done_at is not None) == (bob, True)


def test_of_a_closed_project_nothing_is_asked_for(project: Project, ann: User, manager: User) -> None:
    judge(project, ann, 1)
    close(project, manager)
    with pytest.raises(UsageError, match="the project is closed: open it again first"):
        ask_again(project, judged_slots(project), by=manager)


def test_imported_judgments_have_the_date_they_were_made_on(project: Project, bob: User, manager: User) -> None:
    """They came in today; the day on the page of dates is the day that counts here too."""
    assert TIME == "2026-03-01T09:30:00Z"
    assert carry_out(project, given("q1 0 q1-d00001 2\n")).counted == 1
    assert list(judged_slots(project, before=datetime(2026, 3, 1, tzinfo=UTC))) == []
    old = judged_slots(project, before=datetime(2026, 3, 2, tzinfo=UTC))
    (age,) = older_than(record_of(project).decisions(), "2026-03-02")
    assert (len(old), age.older) == (1, 1)
    assert ask_again(project, old, by=manager) == 1
    assert "q1-d00001" in names(hand_out(project, bob, 3)), "who came with a file cannot log in: it is for anybody"


def test_the_date_is_that_of_what_stands(project: Project, ann: User) -> None:
    project.created_at = datetime(2026, 2, 28, tzinfo=UTC)
    (slot,) = hand_out(project, ann, 1)
    later = answer(slot, grade=2, time="2026-03-02T09:00:00+00:00")
    record(project, ann, [answer(slot, grade=1, time="2026-03-01T09:00:00+00:00"), later])
    day = datetime(2026, 3, 2, tzinfo=UTC)
    assert not judged_slots(project, before=day).exists()
    record(project, ann, [answer(slot, "withdraw", supersedes=later["uuid"])])
    assert judged_slots(project, before=day).exists()
