"""A shared task with people in it, runs, and files on their way in."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from cranfield.web.accounts.models import User
from cranfield.web.judging.handing_out import hand_out
from cranfield.web.judging.recording import record
from cranfield.web.projects.models import Membership, Project
from cranfield.web.tasks.models import Release, Submission, Task
from tests.web.judging.making import answer, make_assessor, make_project

Ranking = Mapping[str, Sequence[str]]

GRADES = {
    "q1-d00001": 2,
    "q1-d00002": 0,
    "q1-d00003": 1,
    "q1-d00004": 0,
    "q2-d00001": 0,
    "q2-d00002": 1,
    "q2-d00003": 0,
    "q2-d00004": 2,
}
"""What is hidden: the grades of the documents of the two topics that make_project makes."""

GOOD = {
    "q1": ["q1-d00001", "q1-d00003", "q1-d00002"],
    "q2": ["q2-d00004", "q2-d00002", "q2-d00001"],
}
BAD = {"q1": ["q1-d00002", "q1-d00004", "q1-d00001"], "q2": ["q2-d00001", "q2-d00003"]}


def run_text(ranking: Ranking, tag: str = "tag") -> bytes:
    return b"".join(
        f"{topic} Q0 {name} {place} {100 - place} {tag}\n".encode()
        for topic, names in ranking.items()
        for place, name in enumerate(names, 1)
    )


def upload(content: bytes, name: str = "good.run", *, pack: bool = False) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, gzip.compress(content) if pack else content)


def qrels_text(grades: Mapping[str, int] = GRADES) -> bytes:
    return b"".join(f"{name[:2]} 0 {name} {grade}\n".encode() for name, grade in grades.items())


@dataclass(frozen=True)
class Contest:
    """A project with a task, its organiser, and two who take part."""

    project: Project
    task: Task
    organiser: User
    ann: User
    bob: User

    def client(self, who: User) -> Client:
        client = Client()
        client.force_login(who)
        return client

    def address(self, name: str, **parts: Any) -> str:
        return reverse(name, kwargs={"project": self.project.pk, **parts})

    def hand_in(self, who: User, ranking: Ranking, tag: str, **more: Any) -> Submission:
        data = {"run": upload(run_text(ranking, tag), f"{tag}.run"), **more}
        response = self.client(who).post(self.address("task-hand-in"), data)
        assert response.status_code == 302, response.content.decode()
        return Submission.objects.get(project=self.project, participant=who, name=tag)

    def release(self, *, audience: str = "own", measures: str = "nDCG@10 AP", per_topic: bool = False) -> Release:
        """Scored and shown, as an organiser does it."""
        data = {"measures": measures, "audience": audience, **({"per_topic": "on"} if per_topic else {})}
        organiser = self.client(self.organiser)
        made = organiser.post(self.address("task-release-new"), data)
        assert made.status_code == 302, made.content.decode()
        release = Release.objects.filter(project=self.project).latest("at")
        organiser.post(self.address("task-release-show", release=release.pk))
        release.refresh_from_db()
        return release

    def end(self) -> None:
        """The deadline passes."""
        Task.objects.filter(pk=self.task.pk).update(deadline=timezone.now() - timedelta(minutes=1))


def make_contest(people: str = "", **settings: Any) -> Contest:
    project = make_project(topics=2, documents=4, hidden_qrels=True)
    settings = {"deadline": timezone.now() + timedelta(days=1), "most": 2, "measures": ["nDCG@10", "AP"], **settings}
    task = Task.objects.create(project=project, description="Find soups.", **settings)
    roles = Membership.Role
    organiser = make_assessor(project, f"{people}olga", roles.MANAGER)
    ann, bob = (make_assessor(project, f"{people}{name}", roles.PARTICIPANT) for name in ("ann", "bob"))
    return Contest(project, task, organiser, ann, bob)


def take_part(project: Project, participant: User, organiser: User) -> tuple[Submission, Release]:
    """A task in a project, with a run in it and scores that are shown; as little of each as there can be."""
    later = timezone.now() + timedelta(days=1)
    Task.objects.create(project=project, deadline=later, measures=["AP"], documents=gzip.compress(b"d\n"))
    content = b"q1 Q0 d 1 1 t\n"
    submission = Submission.objects.create(
        project=project, participant=participant, name="t", run=gzip.compress(content), topics=1, documents=1
    )
    scores = {"topics": 1, "measures": ["AP"], "less_is_better": [], "runs": [], "together": {}}
    release = Release.objects.create(
        project=project, measures=["AP"], scores=scores, by=organiser, shown_at=timezone.now()
    )
    return submission, release


def judge_all(contest: Contest, grades: Mapping[str, int] = GRADES) -> None:
    """An assessor judges every document as it is said."""
    judge = make_assessor(contest.project, "judith")
    while slots := hand_out(contest.project, judge, 10):
        answers = [answer(slot, grade=grades[slot.item.document.name]) for slot in slots]
        record(contest.project, judge, answers)
