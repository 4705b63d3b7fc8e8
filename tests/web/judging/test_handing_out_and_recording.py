"""Whatever assessors do, in whatever order, nothing is lost, nothing is doubled, and no document gets too many."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.strategies import booleans, integers, lists, sampled_from

from cranfield.web.judging.handing_out import hand_out
from cranfield.web.judging.models import Event, Slot
from cranfield.web.judging.reassigning import reassign, release
from cranfield.web.judging.recording import record
from cranfield.web.judging.standing import decisions_by_slot
from cranfield.web.projects.models import Item
from tests.web.judging.making import add_items, answer, make_assessor, make_project

PEOPLE = integers(0, 2)


class Judging(RuleBasedStateMachine):
    """Three assessors at a small pool; each keeps what they were given, as a browser does."""

    @initialize(wanted=integers(1, 3), repeat_share=sampled_from([0.0, 1.0]), order=sampled_from(["pool", "random"]))
    def begin(self, wanted: int, repeat_share: float, order: str) -> None:
        self.outside = transaction.atomic()
        self.outside.__enter__()
        self.project = make_project(
            topics=2, documents=2, wanted=wanted, repeat_share=repeat_share, order=order, gold_every=2
        )
        add_items(self.project, self.project.topics.all()[0], 2, origin=Item.Origin.GOLD, gold_grade=1.0)
        self.people = [make_assessor(self.project, name) for name in ("ann", "bob", "cem")]
        self.given: list[list[Slot]] = [[], [], []]
        self.sent: list[tuple[int, dict[str, object], object]] = []

    def teardown(self) -> None:
        if hasattr(self, "outside"):
            transaction.set_rollback(True)
            self.outside.__exit__(None, None, None)

    @rule(who=PEOPLE, count=integers(1, 4))
    def ask(self, who: int, count: int) -> None:
        slots = hand_out(self.project, self.people[who], count)
        assert len({slot.item_id for slot in slots if slot.repeat_of_id is None}) + len(
            [slot for slot in slots if slot.repeat_of_id]
        ) == len(slots)
        assert all(slot.assessor_id == self.people[who].pk and slot.done_at is None for slot in slots)
        self.given[who] += [slot for slot in slots if slot not in self.given[who]]

    @precondition(lambda self: any(self.given))
    @rule(who=PEOPLE, which=integers(0, 20), action=sampled_from(["grade", "unsure", "skip", "skip", "note"]))
    def answer(self, who: int, which: int, action: str) -> None:
        if self.given[who]:
            self.send(who, answer(self.given[who][which % len(self.given[who])], action))

    @precondition(lambda self: self.sent)
    @rule(which=integers(0, 20))
    def withdraw(self, which: int) -> None:
        who, content, _ = self.sent[which % len(self.sent)]
        slot = Slot.objects.get(handle=str(content["slot"]))
        self.send(who, answer(slot, "withdraw", supersedes=content["uuid"]))

    @precondition(lambda self: self.sent)
    @rule(which=lists(integers(0, 20), min_size=1, max_size=4))
    def send_again(self, which: list[int]) -> None:
        before = Event.objects.count()
        for number in which:
            who, content, outcome = self.sent[number % len(self.sent)]
            assert record(self.project, self.people[who], [content]) == [outcome]
        assert Event.objects.count() == before

    @rule(who=PEOPLE)
    def let_leases_end(self, who: int) -> None:
        held = Slot.objects.filter(assessor=self.people[who], done_at=None, leased_until__isnull=False)
        held.update(leased_until=timezone.now() - timedelta(seconds=1))

    @rule(who=PEOPLE, to=PEOPLE, hand_on=booleans())
    def manage(self, who: int, to: int, hand_on: bool) -> None:
        if hand_on:
            reassign(self.project, self.people[who], self.people[to])
        else:
            release(self.project, self.people[who])

    def send(self, who: int, content: dict[str, object]) -> None:
        [outcome] = record(self.project, self.people[who], [content])
        if outcome.status != "refused":
            self.sent.append((who, content, outcome))

    @invariant()
    def nothing_is_lost_or_doubled(self) -> None:
        if hasattr(self, "project"):
            assert Event.objects.count() == len(self.sent)
            assert {str(uuid) for uuid in Event.objects.values_list("uuid", flat=True)} == {
                content["uuid"] for _, content, _ in self.sent
            }

    @invariant()
    def no_item_has_more_judgments_than_are_wanted(self) -> None:
        if hasattr(self, "project"):
            judged: Counter[Item] = Counter()
            for event in decisions_by_slot(Event.objects.select_related("slot__item")).values():
                assert event.slot is not None
                assert event.slot.assessor_id == event.assessor_id
                assert event.slot.done_at is not None
                if event.action != "skip" and not event.slot.repeat_of_id and event.slot.item.origin != "gold":
                    judged[event.slot.item] += 1
            assert all(count <= item.wanted for item, count in judged.items())

    @invariant()
    def every_item_can_still_get_what_it_wants(self) -> None:
        """The slots in which nobody skipped are as many as judgments are wanted, whatever happened."""
        if hasattr(self, "project"):
            skipped = {slot for slot, event in decisions_by_slot(Event.objects.all()).items() if event.action == "skip"}
            for item in self.project.items.exclude(origin="gold"):
                left = item.slots.filter(repeat_of=None).exclude(pk__in=skipped)
                assert left.count() == item.wanted

    @invariant()
    def a_slot_is_done_exactly_when_something_stands_in_it(self) -> None:
        if hasattr(self, "project"):
            done = set(Slot.objects.filter(done_at__isnull=False).values_list("pk", flat=True))
            assert done == set(decisions_by_slot(Event.objects.all()))
            assert not Slot.objects.filter(repeat_of__isnull=False).exclude(item=F("repeat_of__item")).exists()


@pytest.mark.django_db
class TestJudging(Judging.TestCase):  # type: ignore[valid-type, misc]
    settings = settings(max_examples=8, stateful_step_count=30)


@pytest.mark.slow
@pytest.mark.django_db
class TestLongJudging(Judging.TestCase):  # type: ignore[valid-type, misc]
    settings = settings(max_examples=40, stateful_step_count=50)
