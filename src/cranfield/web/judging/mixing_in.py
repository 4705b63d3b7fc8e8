"""What is mixed in among the documents without a word: gold ones, and ones that the assessor judged before."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from django.db.models import Count, Q
from django.utils import timezone

from cranfield.web.accounts.models import User
from cranfield.web.judging.lots import lot
from cranfield.web.judging.models import Slot
from cranfield.web.judging.slots import PERSONAL, lease_end, lease_for_them_alone
from cranfield.web.projects.models import Item, Project

REPEAT_AFTER = 20
"""After how many other judgments a document comes again…"""
REPEAT_AT_THE_END = 5
"""…and after how many at least when there is nothing else left to judge."""


class MixedIn:
    """What an assessor shall be shown besides documents of the pool, as far as it is due."""

    def __init__(self, project: Project, assessor: User, waiting: Iterable[Slot]) -> None:
        """`waiting` are slots of theirs on documents that they judged before, and that were not shown again yet."""
        self.project, self.assessor = project, assessor
        again = sorted(waiting, key=lambda slot: (slot.due_after, slot.pk)) if project.repeat_share else []
        self._waiting = [(slot.pk, slot.due_after, slot.item.topic_id) for slot in again]

    @cached_property
    def _done(self) -> int:
        """How many they judged."""
        return Slot.objects.filter(item__project=self.project, assessor=self.assessor, done_at__isnull=False).count()

    def gold(self, topic: int) -> int | None:
        """A slot on a gold document of the topic, if it is time for one: one among every `gold_every` others."""
        every = self.project.gold_every
        gold = Item.objects.filter(topic=topic, origin=Item.Origin.GOLD, withdrawn=False).order_by()
        there = list(gold.values_list("pk", flat=True)) if every else []
        unseen = list(gold.exclude(slots__assessor=self.assessor).values_list("pk", flat=True)) if there else []
        if not unseen:
            return None
        seen = Slot.objects.filter(item__topic=topic, assessor=self.assessor).aggregate(
            pool=Count("pk", filter=Q(number__lt=PERSONAL)), gold=Count("pk", filter=Q(item__origin=Item.Origin.GOLD))
        )
        if seen["pool"] < self._place_of_gold(topic, seen["gold"]):
            return None
        drawn = min(unseen, key=lambda item: self._lot(f"gold {item}"))
        return lease_for_them_alone(self.project, drawn, self.assessor)

    def repeat(self, topic: int | None = None, *, at_the_end: bool = False) -> int | None:
        """A slot on a document that the assessor judged some time ago; of a topic, or of any."""
        sooner = REPEAT_AFTER - REPEAT_AT_THE_END if at_the_end else 0
        for waiting in self._waiting:
            slot, due_after, its_topic = waiting
            if due_after - sooner <= self._done and topic in (None, its_topic):
                self._waiting.remove(waiting)
                now = timezone.now()
                until = lease_end(self.project, now)
                due = Slot.objects.filter(
                    pk=slot, leased_at=None, repeat_of__assessor=self.assessor, repeat_of__done_at__isnull=False
                )
                if due.update(leased_at=now, leased_until=until):
                    return slot
                return self.repeat(topic, at_the_end=at_the_end)  # another window has it, or the first was taken back
        return None

    def _place_of_gold(self, topic: int, before: int) -> int:
        """After how many documents of the pool the next gold one comes: somewhere among its `gold_every`."""
        every = self.project.gold_every
        return before * every + 1 + int(self._lot(f"gold of topic {topic}, number {before}") * every)

    def _lot(self, what: str) -> float:
        return lot(self.project, self.assessor, what)


def plan_repeat(project: Project, assessor: User, slot: Slot) -> None:
    """After an answer: whether its document shall come again, for a share of them, and when."""
    if slot.number < PERSONAL and lot(project, assessor, f"repeat of item {slot.item_id}") < project.repeat_share:
        done = Slot.objects.filter(item__project=project, assessor=assessor, done_at__isnull=False).count()
        Slot.objects.get_or_create(
            repeat_of=slot,
            defaults={
                "item": slot.item,
                "number": PERSONAL + assessor.pk,
                "assessor": assessor,
                "due_after": done + REPEAT_AFTER,
            },
        )


def cancel_repeat(slot: Slot) -> None:
    """After an answer was taken back: what was not shown again need not be."""
    Slot.objects.filter(repeat_of=slot, leased_at=None).delete()
