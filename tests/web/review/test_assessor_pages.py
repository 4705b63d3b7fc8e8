from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from cranfield.web.accounts.models import User
from cranfield.web.projects.models import Project
from tests.web.review.making import START, add_gold, empty_project, judged, make_manager, make_people


@pytest.fixture
def project(db: None) -> Project:
    return empty_project(topics=1, documents=12)


@pytest.fixture
def ann(project: Project) -> User:
    """She judged twelve documents and ten gold ones at six in an hour of the clock, twelve seconds of work each."""
    ann, _ = make_people(project, ann="expert", bob="")
    events = [judged(item, ann, 1, minutes=10 * at) for at, item in enumerate(project.items.all())]
    for at, gold in enumerate(add_gold(project, 1, 10)):
        judged(gold, ann, 1 if at else 2, minutes=10 * (12 + at))
    judged(events[0].item, ann, 0, minutes=230, repeat_of=events[0].slot)
    judged(events[1].item, ann, 2, minutes=240, slot=events[1].slot, supersedes=events[1])
    return ann


def page(client: Client, name: str, *parts: object) -> tuple[Any, str]:
    response = client.get(reverse(name, args=parts))
    assert response.status_code == 200
    return response.context, response.content.decode()


def test_all_of_them(manager: Client, project: Project, ann: User) -> None:
    """Twelve seconds each are 300 in an hour."""
    context, text = page(manager, "review-assessors", project.pk)
    (row,) = context["rows"]
    assert row["speed"].per_hour == pytest.approx(300)
    assert row["speed"].median_seconds == 12
    assert row["assessor"].sessions == 1
    assert row["assessor"].habits == (23, 23, 0, 0, 1)
    assert row["assessor"].gold_share[1:] == (9, 10)
    assert row["assessor"].repeat_share[1:] == (0, 1)
    assert "9 of 10" in text
    assert "(0.60 to 0.98)" in text  # Wilson's of 9 of 10: Brown, Cai and DasGupta (2001)
    assert "0 of 1" in text, "too few for an interval, and said nevertheless"


def test_who_cannot_have_read_what_they_judged(manager: Client, project: Project) -> None:
    """Two answers in 0.6 seconds each; others of 12 seconds are no haste."""
    ann, bob = make_people(project, ann="", bob="")
    for item in project.items.all()[:2]:
        judged(item, ann, 1, active_ms=600)
        judged(item, bob, 1)
    text = page(manager, "review-assessors", project.pk)[1]
    assert "<strong>p-ann</strong> gave half of the answers in less than 0.6 seconds" in text
    assert "<strong>p-bob</strong>" not in text
    assert '<td class="number">1 s</td>' in text
    assert '<td class="number">24 s</td>' in text


def test_nobody(manager: Client, project: Project) -> None:
    assert "Nobody has judged yet" in page(manager, "review-assessors", project.pk)[1]


def test_one_of_them(manager: Client, project: Project, ann: User) -> None:
    member = project.memberships.get(user=ann)
    context, text = page(manager, "review-assessor", project.pk, member.pk)
    assert [(day.name, day.answers) for day in context["days"]] == [("2026-03-01", 24)]
    assert [(part.name, part.answers) for part in context["parts"]] == [("1–10", 10), ("11–25", 14)]
    assert context["gold_table"]["rows"] == [
        (1, [{"times": 9, "same": True}, {"times": 1, "same": False}]),
        (2, [{"times": 0, "same": False}, {"times": 0, "same": True}]),
    ]
    # The session has 24 answers, of which 13 to 22 are gold: places 12 to 15 are in the second third, 16 to 21 the last.
    assert [(gold.passed, gold.of) for gold, _ in context["thirds"]] == [(0, 0), (3, 4), (6, 6)]
    assert "3 of 4: too few to say" in text
    assert "Median active seconds per judgment, by place in the session" in text


def test_days(manager: Client, project: Project) -> None:
    (ann,) = make_people(project, ann="")
    for at, item in enumerate(project.items.all()[:2]):
        judged(item, ann, 1, time=START + timedelta(days=at), active_ms=None)
    context, text = page(manager, "review-assessor", project.pk, project.memberships.get(user=ann).pk)
    assert context["assessor"].sessions == 2
    assert "Of no judgment it is known how long it took" in text


def test_who_has_not_judged(manager: Client, project: Project, ann: User) -> None:
    member = project.memberships.get(user__username="bob")
    assert "They have judged nothing yet" in page(manager, "review-assessor", project.pk, member.pk)[1]


def test_members_of_other_projects_are_not_shown(manager: Client, project: Project) -> None:
    other = empty_project(1, 1)
    member = other.memberships.get(user=make_manager(other, "max"))
    assert manager.get(reverse("review-assessor", args=[project.pk, member.pk])).status_code == 404
