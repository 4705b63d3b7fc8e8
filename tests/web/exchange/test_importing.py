"""Judgments come in once, take the place of none, and what does not come in is said."""

from __future__ import annotations

import pytest
from django.utils import timezone

from cranfield.errors import DataError
from cranfield.web.accounts.models import AuditEntry, User
from cranfield.web.exchange import planning
from cranfield.web.exchange.importing import COUNT, KEEP, carry_out, forecast
from cranfield.web.exchange.planning import plan
from cranfield.web.judging.judgments import judgments, record_of
from cranfield.web.judging.models import Event, Slot
from cranfield.web.judging.recording import record
from cranfield.web.judging.slots import take
from cranfield.web.projects.models import Project
from tests.web.exchange.making import given, taken_out
from tests.web.judging.making import add_items, answer, make_assessor, make_project

THREE = "q1 ann q1-d00001 2\nq1 bob q1-d00001 1\nq1 cem q1-d00001 0\n"


@pytest.fixture
def project(db: None) -> Project:
    return make_project(topics=2, documents=3)


def test_qrels_become_events_of_one_assessor(project: Project) -> None:
    done = carry_out(project, given("q1 0 q1-d00001 2\nq2 0 q2-d00003 0\n", assessor="trec"), source="old.qrels")
    assert (done.counted, done.not_counted, done.raised) == (2, 0, 0)
    assert judgments(project).to_dict() == {"q1": {"q1-d00001": 2}, "q2": {"q2-d00003": 0}}
    member = project.memberships.get(pseudonym="trec")
    assert (member.group, member.user.is_active, member.user.has_usable_password()) == ("imported", False, False)
    assert {event.input for event in record_of(project).events} == {"import"}
    noted = AuditEntry.objects.get(what="judgments imported")
    assert (noted.details["file"], noted.details["taken"]) == ("old.qrels", 2)


def test_a_second_time_adds_nothing(project: Project) -> None:
    carry_out(project, given(THREE), surplus=COUNT)
    events, slots = Event.objects.count(), Slot.objects.count()
    again = carry_out(project, given(THREE), surplus=COUNT)
    assert (len(again.plan.taken), again.plan.left_out[planning.THERE].count) == (0, 3)
    assert (Event.objects.count(), Slot.objects.count()) == (events, slots)


def test_more_than_are_wanted_do_not_count(project: Project) -> None:
    done = carry_out(project, given(THREE))
    assert (done.counted, done.not_counted) == (1, 2)
    assert taken_out(project, "qrels_jg") == b"q1 ann q1-d00001 2\n"
    assert Event.objects.count() == 3
    assert carry_out(project, given(THREE)).plan.left_out[planning.THERE].count == 3


def test_more_than_are_wanted_count_if_that_is_asked(project: Project) -> None:
    done = carry_out(project, given(THREE), surplus=COUNT)
    assert (done.counted, done.raised) == (3, 1)
    assert taken_out(project, "qrels_jg") == THREE.encode()
    item = project.items.get(document__name="q1-d00001")
    assert (item.wanted, item.slots.count()) == (3, 3)


def test_what_somebody_is_judging_is_not_taken_from_them(project: Project) -> None:
    item, ann = project.items.get(document__name="q1-d00001"), make_assessor(project, "ann")
    assert take(item, ann) is not None
    assert carry_out(project, given("q1 0 q1-d00001 2\n")).not_counted == 1
    slot = item.slots.get()
    assert (slot.assessor, slot.done_at) == (ann, None)


def test_members_go_by_their_pseudonyms(project: Project) -> None:
    ann = make_assessor(project, "ann")
    carry_out(project, given("q1 p-ann q1-d00001 2\n"), merge=True)
    assert Event.objects.get().assessor == ann
    assert User.objects.count() == 1


def test_what_stands_is_not_overruled(project: Project) -> None:
    ann = make_assessor(project, "ann")
    slot = take(project.items.get(document__name="q1-d00001"), ann)
    assert slot is not None
    record(project, ann, [answer(slot, grade=1)])
    made = plan(project, given("q1 p-ann q1-d00001 2\nq1 p-ann q1-d00002 2\n"), merge=True)
    assert made.left_out[planning.OTHERWISE].names == ["p-ann: q1 q1-d00001"]
    assert len(made.taken) == 1


def test_what_does_not_come_in_is_said(project: Project) -> None:
    add_items(project, project.topics.get(name="q1"), 1, origin="gold", gold_grade=1)
    rows = ("q1 q1-d00001 7", "q9 q1-d00001 1", "q1 nowhere 1", "q2 q1-d00001 1", "q1 q1-d00004 1", "q1 q1-d00002 1")
    text = "".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in map(str.split, rows))
    made = plan(project, given(text))
    assert {one.reason: (one.count, one.names) for one in made.reasons()} == {
        planning.GRADE: (1, ["7"]),
        planning.TOPIC: (1, ["q9"]),
        planning.DOCUMENT: (1, ["nowhere"]),
        planning.POOL: (1, ["q2 q1-d00001"]),
        planning.GOLD: (1, ["q1 q1-d00004"]),
    }
    assert made.read == len(made.taken) + sum(one.count for one in made.reasons()) == 6


def test_a_skip_is_kept_and_takes_no_place(project: Project) -> None:
    done = carry_out(project, given("q1 0 q1-d00001 -1\nq1 0 q1-d00002 1\n"))
    assert (done.counted, done.not_counted) == (1, 1)
    assert project.items.get(document__name="q1-d00001").slots.get().assessor is None


def test_nothing_comes_into_a_project_that_is_closed_or_of_pairs(project: Project) -> None:
    project.closed_at = timezone.now()
    with pytest.raises(DataError, match="this project is closed: open it first"):
        plan(project, given("q1 0 q1-d00001 2\n"))
    project.closed_at, project.mode = None, Project.Mode.PAIRS
    with pytest.raises(DataError, match="it has no grades"):
        plan(project, given("q1 0 q1-d00001 2\n"))


def test_what_is_foretold_is_what_is_done(project: Project) -> None:
    text = THREE + "q1 ann q1-d00002 1\nq1 ann q1-d00003 -1\nq1 ann nowhere 1\n"
    for surplus in (KEEP, COUNT):
        said = forecast(project, plan(project, given(text)), surplus)
        assert not Event.objects.filter(project=project).exists()
        done = carry_out(project, given(text), surplus=surplus)
        assert (said.counted, said.not_counted, said.raised) == (done.counted, done.not_counted, done.raised)
        project = make_project(topics=2, documents=3)


def test_topics_of_quepid_are_found_by_their_queries(project: Project) -> None:
    carry_out(project, given("query,docid,rating\nsoup  NUMBER 2,q2-d00001,2\n"))
    assert taken_out(project, "qrels") == b"q2 0 q2-d00001 2\n"


def test_events_of_another_project_can_come_in(project: Project) -> None:
    carry_out(project, given(THREE), surplus=COUNT)
    other = make_project(topics=2, documents=3)
    everything = taken_out(project, "events")
    done = carry_out(other, given(everything), surplus=COUNT)
    assert done.counted == 3
    assert taken_out(other, "qrels_jg") == taken_out(project, "qrels_jg")
    assert carry_out(other, given(everything), surplus=COUNT).plan.left_out[planning.THERE].count == 3


@pytest.mark.parametrize("what", ["quepid-book", "label-studio", "qrels_jg", "events"])
def test_there_and_back(what: str, project: Project) -> None:
    """What went out in a format comes in again as the same judgments of the same assessors."""
    carry_out(project, given(THREE + "q2 bob q2-d00002 1\n"), surplus=COUNT)
    other = make_project(topics=2, documents=3)
    done = carry_out(other, given(taken_out(project, what)), surplus=COUNT)
    assert done.counted == 4
    assert taken_out(other, "qrels_jg") == taken_out(project, "qrels_jg")


class TestNamesOfPeople:
    """A file may say anything of anybody who works here."""

    FILE = "q1 p-ann q1-d00001 2\nq1 p-ann q1-d00002 0\nq1 zoe q1-d00003 1\n"

    def test_nobody_who_can_log_in_is_spoken_for(self, project: Project) -> None:
        ann = make_assessor(project, "ann")
        assert carry_out(project, given(self.FILE)).counted == 3
        assert not Event.objects.filter(assessor=ann).exists()
        events = Event.objects.order_by("number").select_related("assessor")
        members = dict(project.memberships.values_list("user", "pseudonym"))
        assert [members[event.assessor_id] for event in events] == ["p-ann-imported", "p-ann-imported", "zoe"]
        again = carry_out(project, given(self.FILE))
        assert (len(again.plan.taken), again.plan.left_out[planning.THERE].count) == (0, 3)
        assert project.memberships.count() == 3

    def test_unless_that_is_asked(self, project: Project) -> None:
        ann = make_assessor(project, "ann")
        carry_out(project, given(self.FILE), merge=True)
        assert Event.objects.filter(assessor=ann).count() == 2
        assert AuditEntry.objects.get(what="judgments imported").details["merged"] is True

    def test_what_they_said_themselves_is_there(self, project: Project) -> None:
        ann = make_assessor(project, "ann")
        slot = take(project.items.get(document__name="q1-d00001"), ann)
        assert slot is not None
        record(project, ann, [answer(slot, grade=2)])
        made = plan(project, given("q1 p-ann q1-d00001 2\n"))
        assert (made.taken, made.left_out[planning.THERE].count) == ([], 1)

    def test_nor_is_one_who_is_called_so(self, project: Project) -> None:
        for name in ("ann", "ann-imported"):
            make_assessor(project, name)
        assert plan(project, given("q1 p-ann q1-d00001 2\n")).assessors == [("p-ann-imported-imported", 1)]
