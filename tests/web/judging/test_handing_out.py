"""Who gets which document, and for how long."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cranfield.errors import UsageError
from cranfield.web.accounts.models import User
from cranfield.web.judging import handing_out
from cranfield.web.judging.handing_out import hand_out
from cranfield.web.judging.models import Slot
from cranfield.web.judging.reassigning import Reassigned, reassign, release
from cranfield.web.judging.recording import record
from cranfield.web.judging.slots import add_slots, claim, take
from cranfield.web.projects.models import Item, Project, Topic
from tests.web.judging.making import add_items, answer, make_assessor, make_project, names


def let_leases_end(**which: object) -> None:
    ended = timezone.now() - timedelta(seconds=1)
    Slot.objects.filter(done_at=None, leased_until__isnull=False, **which).update(leased_until=ended)


def test_documents_come_in_the_order_of_the_pool_and_topic_by_topic(project: Project, ann: User) -> None:
    assert names(hand_out(project, ann, 7)) == [*(f"q1-d0000{n}" for n in range(1, 6)), "q2-d00001", "q2-d00002"]


def test_there_are_not_more_than_there_are(project: Project, ann: User) -> None:
    assert len(hand_out(project, ann, 50)) == 10


def test_what_is_held_comes_first_again(project: Project, ann: User) -> None:
    first = hand_out(project, ann, 2)
    assert names(hand_out(project, ann, 3))[:2] == names(first)
    assert Slot.objects.filter(assessor=ann).count() == 3


def test_nobody_gets_what_somebody_else_has(project: Project, ann: User, bob: User) -> None:
    of_ann, of_bob = hand_out(project, ann, 6), hand_out(project, bob, 6)
    assert len(of_ann) + len(of_bob) == 10
    assert not {slot.pk for slot in of_ann} & {slot.pk for slot in of_bob}


def test_where_the_quick_way_finds_nothing_the_other_finds_the_same(
    project: Project, ann: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it is with an old SQLite, and where others hold locks on all that is left."""
    quick = names(hand_out(project, ann, 3))
    release(project, ann)
    monkeypatch.setattr(handing_out, "claim_first", lambda *_: None)
    assert names(hand_out(project, bob, 3)) == quick
    assert len(hand_out(project, ann, 50)) == 7


def test_what_is_handed_over_is_not_what_they_have_already(db: None) -> None:
    project = make_project(topics=1, documents=3, wanted=2)
    ann, bob = make_assessor(project, "ann"), make_assessor(project, "bob")
    hand_out(project, ann, 3)
    hand_out(project, bob, 1)
    assert reassign(project, ann, bob) == Reassigned(reassigned=2, released=1)
    assert Slot.objects.filter(assessor=bob).count() == 3


def test_documents_that_the_browser_has_are_not_fetched_again(project: Project, ann: User) -> None:
    first, second = hand_out(project, ann, 2)
    again = hand_out(project, ann, 3, have={str(first.handle)})
    assert [Item.document.is_cached(slot.item) for slot in again] == [False, True, True]
    assert names(again)[:2] == names([first, second])


def test_as_many_get_a_document_as_judgments_are_wanted(db: None) -> None:
    project = make_project(topics=1, documents=3, wanted=2)
    several = [make_assessor(project, name) for name in ("ann", "bob", "cem")]
    got = [names(hand_out(project, one, 50)) for one in several]
    assert got == [["q1-d00001", "q1-d00002", "q1-d00003"]] * 2 + [[]]


def test_a_topic_is_finished_before_another_is_begun(project: Project, ann: User, bob: User) -> None:
    hand_out(project, ann, 5)
    [of_bob] = hand_out(project, bob, 1)  # the first topic is all Ann's
    assert of_bob.item.topic.name == "q2"
    record(project, bob, [answer(of_bob)])
    let_leases_end(assessor=ann)
    assert names(hand_out(project, bob, 5)) == ["q2-d00002", "q2-d00003", "q2-d00004", "q2-d00005", "q1-d00001"]


def test_a_lease_that_ran_out_makes_a_document_free(project: Project, ann: User, bob: User) -> None:
    hand_out(project, ann, 10)
    assert hand_out(project, bob, 1) == []
    let_leases_end(assessor=ann)
    assert names(hand_out(project, bob, 1)) == ["q1-d00001"]
    assert len(hand_out(project, ann, 10)) == 9


def test_whoever_asks_again_keeps_what_nobody_took(project: Project, ann: User, bob: User) -> None:
    hand_out(project, ann, 10)
    let_leases_end(assessor=ann)
    hand_out(project, ann, 10)
    assert hand_out(project, bob, 10) == []


def test_what_was_judged_does_not_come_again(project: Project, ann: User) -> None:
    record(project, ann, [answer(slot) for slot in hand_out(project, ann, 10)])
    assert hand_out(project, ann, 10) == []


def test_at_random_everybody_has_an_order_of_their_own_that_stays(db: None) -> None:
    project = make_project(topics=2, documents=8, wanted=2, order=Project.Order.RANDOM, seed=7)
    ann, bob = make_assessor(project, "ann"), make_assessor(project, "bob")
    of_ann, of_bob = names(hand_out(project, ann, 16)), names(hand_out(project, bob, 16))
    assert sorted(of_ann) == sorted(of_bob)
    assert of_ann != of_bob
    assert of_ann != sorted(of_ann)
    assert {name[:2] for name in of_ann[:8]} in ({"q1"}, {"q2"})  # still topic by topic
    Slot.objects.update(assessor=None, leased_at=None, leased_until=None)
    assert names(hand_out(project, ann, 16)) == of_ann


def test_what_was_withdrawn_from_the_pool_is_not_handed_out(project: Project, ann: User) -> None:
    hand_out(project, ann, 1)
    Item.objects.filter(place__lte=2).update(withdrawn=True)
    assert names(hand_out(project, ann, 2)) == ["q1-d00003", "q1-d00004"]


def test_a_closed_project_hands_out_nothing(project: Project, ann: User) -> None:
    hand_out(project, ann, 2)
    project.closed_at = timezone.now()
    assert hand_out(project, ann, 2) == []


def test_projects_do_not_mix(project: Project, ann: User) -> None:
    other = make_project()
    assert {slot.item.project_id for slot in hand_out(other, make_assessor(other, "dan"), 50)} == {other.pk}
    assert len(hand_out(project, ann, 50)) == 10


def test_one_claim_wins(project: Project, ann: User, bob: User) -> None:
    slot, now = Slot.objects.earliest("pk").pk, timezone.now()
    assert claim(slot, ann, now, now + timedelta(minutes=1))
    assert not claim(slot, bob, now, now + timedelta(minutes=1))
    assert Slot.objects.get(pk=slot).assessor == ann


def test_a_claim_repeats_its_condition_on_the_row_itself(project: Project, ann: User) -> None:
    """A condition in a sub-select is not looked at again by PostgreSQL after it waited, and two claims win."""
    now = timezone.now()
    with CaptureQueriesContext(
        connection,
    ) as captured:
        claim(Slot.objects.earliest("pk").pk, ann, now, now)
    [update] = [query["sql"] for query in captured if query["sql"].startswith("UPDATE")]
    assert update.count("SELECT") == 0
    assert '"leased_until" <' in update
    assert '"done_at" IS NULL' in update


def test_an_assessor_has_one_slot_of_an_item(db: None) -> None:
    project = make_project(topics=1, documents=1, wanted=2)
    ann, now = make_assessor(project, "ann"), timezone.now()
    first, second = Slot.objects.all()
    assert claim(first.pk, ann, now, now)
    assert not claim(second.pk, ann, now, now)


def test_slots_are_added_where_they_lack(project: Project) -> None:
    add_items(project, project.topics.earliest("place"), 1, wanted=3)
    add_slots(project.items.all())
    assert Slot.objects.count() == 13


def test_one_particular_item_can_be_taken(project: Project, ann: User, bob: User) -> None:
    item = project.items.latest("pk")
    slot = take(item, ann)
    assert slot is not None
    assert take(item, ann) == slot
    assert take(item, bob) is None


class TestGold:
    @pytest.fixture
    def topic(self, db: None) -> Topic:
        project = make_project(topics=1, documents=40, wanted=2, gold_every=10)
        topic = project.topics.get()
        add_items(project, topic, 5, origin=Item.Origin.GOLD, gold_grade=1.0)
        add_slots(project.items.all())
        return topic

    def test_one_among_every_ten(self, topic: Topic) -> None:
        ann = make_assessor(topic.project, "ann")
        origins = [slot.item.origin for slot in hand_out(topic.project, ann, 44)]
        golds = [place for place, origin in enumerate(origins) if origin == Item.Origin.GOLD]
        assert len(golds) == 4
        for number, place in enumerate(golds):
            of_pool_before = place - number
            assert number * 10 + 1 <= of_pool_before <= number * 10 + 10

    def test_they_are_somewhere_else_for_everybody_and_always_there(self, topic: Topic) -> None:
        several = [make_assessor(topic.project, name) for name in ("ann", "bob")]
        first = [names(hand_out(topic.project, one, 44)) for one in several]
        assert (
            first[0] != first[1]
        )  # documents of the pool come in its order for both; the same places have a chance of 1e-6
        Slot.objects.filter(item__origin=Item.Origin.GOLD).delete()
        Slot.objects.update(assessor=None, leased_at=None, leased_until=None)
        assert [names(hand_out(topic.project, one, 44)) for one in several] == first

    def test_the_slot_is_for_them_alone(self, topic: Topic) -> None:
        ann, bob = (make_assessor(topic.project, name) for name in ("ann", "bob"))
        of_ann = {slot.pk for slot in hand_out(topic.project, ann, 44) if slot.item.origin == Item.Origin.GOLD}
        let_leases_end()
        of_bob = {slot.pk for slot in hand_out(topic.project, bob, 44)}
        assert of_ann
        assert not of_ann & of_bob

    def test_none_when_none_are_wanted(self, topic: Topic) -> None:
        topic.project.gold_every = 0
        ann = make_assessor(topic.project, "ann")
        assert {slot.item.origin for slot in hand_out(topic.project, ann, 50)} == {Item.Origin.POOL}


class TestRepeats:
    def judge_all(self, project: Project, assessor: User) -> list[Slot]:
        """One document after the other, as long as there are any."""
        judged = []
        while slots := hand_out(project, assessor, 1):
            judged += slots
            record(project, assessor, [answer(slots[0])])
        return judged

    def test_they_come_after_twenty_others(self, db: None) -> None:
        project = make_project(topics=1, documents=60, repeat_share=0.2)
        judged = self.judge_all(project, make_assessor(project, "ann"))
        repeats = [slot for slot in judged if slot.repeat_of_id is not None]
        assert 3 <= len(repeats) <= 25  # 12 expected of 60 at 0.2, within four standard deviations
        places = {slot.pk: place for place, slot in enumerate(judged)}
        first = {slot.pk: places[slot.repeat_of_id] for slot in repeats if slot.repeat_of_id is not None}
        assert all(places[repeat] - place > 5 for repeat, place in first.items())
        early = [(repeat, place) for repeat, place in first.items() if place < 30]  # long before the end
        assert early
        assert all(places[repeat] - place > 20 for repeat, place in early)
        assert len(judged) == 60 + len(repeats)

    def test_the_share_of_one_is_everything_but_the_last(self, db: None) -> None:
        project = make_project(topics=3, documents=10, repeat_share=1.0)
        judged = self.judge_all(project, make_assessor(project, "ann"))
        repeated = {slot.item_id for slot in judged if slot.repeat_of_id is not None}
        assert len(repeated) == 30
        assert len(judged) == 60

    def test_they_are_nobody_elses(self, db: None) -> None:
        project = make_project(topics=1, documents=30, repeat_share=1.0)
        ann, bob = make_assessor(project, "ann"), make_assessor(project, "bob")
        for slot in hand_out(project, ann, 25):
            record(project, ann, [answer(slot)])
        hand_out(project, ann, 10)
        let_leases_end()
        assert all(slot.repeat_of_id is None for slot in hand_out(project, bob, 50))

    def test_not_so_soon_that_one_remembers(self, db: None) -> None:
        project = make_project(topics=1, documents=3, repeat_share=1.0)
        assert len(self.judge_all(project, make_assessor(project, "ann"))) == 3

    def test_none_of_what_was_skipped(self, db: None) -> None:
        project = make_project(topics=1, documents=30, repeat_share=1.0)
        ann = make_assessor(project, "ann")
        for slot in hand_out(project, ann, 30):
            record(project, ann, [answer(slot, "skip")])
        assert hand_out(project, ann, 10) == []


@pytest.mark.parametrize("kind", ["participant", "gone", "stranger"])
def test_documents_go_to_nobody_who_does_not_judge(project: Project, ann: User, kind: str) -> None:
    hand_out(project, ann, 2)
    if kind == "stranger":
        to = make_assessor(make_project(), "eve")
    else:
        to = make_assessor(project, "eve", "participant" if kind == "participant" else "assessor")
    if kind == "gone":
        project.memberships.filter(user=to).update(left_at=timezone.now())
    with pytest.raises(UsageError, match="do not judge in this project"):
        reassign(project, ann, to)
    assert Slot.objects.filter(assessor=ann).count() == 2
