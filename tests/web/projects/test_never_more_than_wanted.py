"""Whatever assessors and managers do, in whatever order, no document has more judgments than are wanted."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from cranfield.web.accounts.models import User
from cranfield.web.judging.handing_out import hand_out
from cranfield.web.judging.judgments import record_of
from cranfield.web.judging.models import Event
from cranfield.web.judging.reassigning import reassign, release
from cranfield.web.judging.recording import record
from cranfield.web.projects.asking_again import ask_again, judged_slots
from cranfield.web.projects.models import Project
from cranfield.web.projects.overlap import raise_overlap
from tests.web.judging.making import answer, make_assessor, make_project

pytestmark = pytest.mark.django_db


class Work:
    """Things that happen, one at a time, as lots have it."""

    def __init__(self, seed: int) -> None:
        self.lots = random.Random(seed)
        self.project = make_project(topics=2, documents=3, wanted=2, repeat_share=0.2)
        self.people = [make_assessor(self.project, name) for name in ("ann", "bob", "cyd", "dan")]
        self.manager = make_assessor(self.project, "maria", role="manager")

    def one(self) -> User:
        return self.lots.choice(self.people)

    def step(self) -> None:
        happens = self.lots.choice((self.judge, self.judge, self.judge, self.take_back, self.ask, self.move))
        happens()

    def judge(self) -> None:
        who = self.one()
        for slot in hand_out(self.project, who, self.lots.randint(1, 3)):
            action = self.lots.choice(("grade", "grade", "unsure", "skip"))
            record(self.project, who, [answer(slot, action)])

    def take_back(self) -> None:
        who = self.one()
        last = Event.objects.filter(assessor=who, slot__isnull=False).exclude(action="withdraw").last()
        if last is not None and last.slot is not None:
            record(self.project, who, [answer(last.slot, "withdraw", supersedes=str(last.uuid))])

    def ask(self) -> None:
        slots = judged_slots(self.project).filter(item__topic__name=self.lots.choice(("q1", "q2")))
        ask_again(self.project, slots, by=self.manager, anybody=self.lots.random() < 0.6)

    def move(self) -> None:
        if self.lots.random() < 0.5:
            release(self.project, self.one())
        else:
            one, another = self.lots.sample(self.people, 2)
            reassign(self.project, one, another)


def counted(project: Project) -> Counter[tuple[str, str]]:
    decisions = record_of(project).decisions()
    return Counter((one.topic, one.document) for one in decisions if one.action != "skip")


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 12))])
def test_never_more_than_wanted(seed: int) -> None:
    work = Work(seed)
    wanted = 2
    for step in range(40):
        work.step()
        assert max(counted(work.project).values(), default=0) <= wanted, step
        if step == 25:
            raise_overlap(work.project, 3)
            wanted = 3
    assert sum(counted(work.project).values()) > 0
