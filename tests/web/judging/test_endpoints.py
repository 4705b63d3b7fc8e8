"""What the assessor's screen talks to."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from cranfield.web.accounts.models import User
from cranfield.web.judging import endpoints
from cranfield.web.judging.models import Event, Slot
from cranfield.web.projects.models import Item, Project
from tests.web.judging.making import SCALE, add_items, answer, make_assessor, make_project


class Screen:
    """One assessor's browser."""

    def __init__(self, project: Project, user: User) -> None:
        self.project, self.client = project, Client()
        self.client.force_login(user)

    def get(self, name: str, status: int = 200, **query: Any) -> Any:
        response = self.client.get(reverse(name, args=[self.project.pk]), query)
        assert response.status_code == status, response.content
        return response.json()

    def post(self, name: str, content: object, status: int = 200) -> Any:
        url = reverse(name, args=[self.project.pk])
        response = self.client.post(url, json.dumps(content), content_type="application/json")
        assert response.status_code == status, response.content
        return response.json()

    def answer(self, item: dict[str, Any], action: str = "grade", **more: Any) -> dict[str, Any]:
        """What becomes of one answer."""
        sent = answer(Slot.objects.get(handle=item["slot"]), action, **more)
        [outcome] = self.post("judge-answers", {"answers": [sent]})["outcomes"]
        return outcome  # type: ignore[no-any-return]


@pytest.fixture
def screen(project: Project, ann: User) -> Screen:
    return Screen(project, ann)


def test_the_next_documents_have_what_one_judges_by(screen: Screen) -> None:
    found = screen.get("judge-next", n=2)
    assert len(found["items"]) == 2
    assert found["held"] == [item["slot"] for item in found["items"]]
    first = found["items"][0]
    assert set(first) == {"slot", "topic", "document", "other", "standing"}
    assert first["document"]["title"] == "About q1-d00001"
    assert first["document"]["html"] == "<p>Boil it.</p>"
    topic = found["topics"][first["topic"]]
    assert (topic["name"], topic["description"], topic["words"]) == ("q1", "Which soup?", ["soup", "number", "1"])
    assert found["scale"]["version"] == SCALE
    assert [grade["value"] for grade in found["scale"]["grades"]] == [2, 1, 0]
    assert (found["mode"], found["closed"], found["break_minutes"]) == ("grades", False, 45)


def test_only_what_the_browser_lacks_is_sent(screen: Screen) -> None:
    first = screen.get("judge-next", n=2)
    again = screen.get("judge-next", n=3, have=first["held"])
    assert again["held"][:2] == first["held"]
    assert [item["slot"] for item in again["items"]] == again["held"][2:]


def test_nothing_tells_gold_repeats_or_others_answers_apart(db: None) -> None:
    project = make_project(topics=1, documents=30, wanted=2, repeat_share=1.0, gold_every=3)
    add_items(project, project.topics.get(), 3, origin=Item.Origin.GOLD, gold_grade=2.0)
    project.items.update(stratum=4, probability=0.125, method="1")
    other = Screen(project, make_assessor(project, "bob"))
    for item in other.get("judge-next", n=30)["items"]:
        other.answer(item, "grade", grade=2, reason="what bob thinks")
    screen = Screen(project, make_assessor(project, "ann"))
    seen: list[dict[str, Any]] = []
    while items := screen.get("judge-next", n=5)["items"]:
        seen += items
        for item in items:
            screen.answer(item, grade=0)
    kinds = {slot.handle: slot for slot in Slot.objects.filter(assessor__username="ann")}
    shown = [kinds[uuid.UUID(item["slot"])] for item in seen]
    assert any(slot.repeat_of_id for slot in shown)
    assert any(slot.item.origin == Item.Origin.GOLD for slot in shown)
    assert {tuple(item) for item in seen} == {tuple(seen[0])}
    assert {tuple(item["document"]) for item in seen} == {tuple(seen[0]["document"])}
    for word in ("gold", "repeat", "stratum", "probability", "0.125", "bob", "place", "round", "origin"):
        assert word not in json.dumps(seen)


def test_answers_and_the_next_documents_in_one_go(screen: Screen) -> None:
    first = screen.get("judge-next", n=2)
    slot = Slot.objects.get(handle=first["held"][0])
    sent = answer(slot, grade=2)
    for _ in range(2):  # the second time because the answer of the server was lost
        found = screen.post("judge-answers", {"answers": [sent], "next": 2, "have": first["held"][1:]})
        assert found["outcomes"] == [{"uuid": sent["uuid"], "status": "recorded", "message": ""}]
        assert found["held"][0] == first["held"][1]
        assert [item["slot"] for item in found["items"]] == found["held"][1:]
    assert Event.objects.count() == 1


def test_how_many_queries_an_answer_and_the_next_document_take(
    screen: Screen, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Session, user, member with project, scales; slots, events, slot, event in a transaction; what is held, gold, the
    claim in a transaction, what was claimed: each by one query, and a transaction takes two."""
    first = screen.get("judge-next", n=2)
    slot = Slot.objects.get(handle=first["held"][0])
    sent = answer(slot, document_sha256=slot.item.document.sha256)
    with django_assert_num_queries(16):
        screen.post("judge-answers", {"answers": [sent], "next": 2, "have": first["held"][1:]})


def test_ones_own_answers_can_be_looked_at_again(screen: Screen) -> None:
    first, second = screen.get("judge-next", n=2)["items"]
    screen.answer(first, grade=2, reason="all of it")
    screen.answer(second, "unsure")
    found = screen.get("judge-answered", n=5)
    assert [item["slot"] for item in found["items"]] == [second["slot"], first["slot"]]
    standing = found["items"][1]["standing"]
    assert (standing["action"], standing["grade"], standing["reason"], standing["scale"]) == (
        "grade",
        2,
        "all of it",
        SCALE,
    )
    assert set(found["topics"]) == {first["topic"]}
    assert len(screen.get("judge-answered", n=1)["items"]) == 1


def test_others_answers_cannot(screen: Screen, project: Project, bob: User) -> None:
    other = Screen(project, bob)
    other.answer(other.get("judge-next")["items"][0])
    assert screen.get("judge-answered")["items"] == []


def test_progress_topic_by_topic(screen: Screen, project: Project, bob: User) -> None:
    items = screen.get("judge-next", n=3)["items"]
    screen.answer(items[0])
    Screen(project, bob).get("judge-next", n=1)  # the fourth document
    found = screen.get("judge-progress")
    assert [(topic["name"], topic["done"], topic["left"]) for topic in found["topics"]] == [("q1", 1, 3), ("q2", 0, 5)]
    assert (found["done"], found["left"]) == (1, 8)


def test_a_closed_project_says_so(screen: Screen, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(closed_at=timezone.now())
    found = screen.get("judge-next")
    assert (found["items"], found["held"], found["closed"]) == ([], [], True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("no", "expected a JSON object"),
        ({}, "expected a list of at most 500 answers"),
        ({"answers": [{}] * 501}, "expected a list of at most 500 answers"),
        ({"answers": [], "next": "many"}, "next is 'many'; expected a number from 1 to 50"),
        ({"answers": [], "next": 1, "have": "x"}, "have: expected a list of handles"),
    ],
)
def test_requests_that_make_no_sense_are_told_so(screen: Screen, content: object, message: str) -> None:
    assert message in screen.post("judge-answers", content, 400)["error"]


def test_what_is_no_json_is_told_so(screen: Screen, project: Project) -> None:
    url = reverse("judge-answers", args=[project.pk])
    assert screen.client.post(url, b"\xff{", content_type="application/json").status_code == 400


def test_a_busy_database_means_try_again(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(endpoints, "hand_out", busy)
    assert "try again" in screen.get("judge-next", 503)["error"]


def test_others_do_not_learn_that_there_is_a_project(screen: Screen, ann: User) -> None:
    other = make_project()
    assert screen.client.get(reverse("judge-next", args=[other.pk])).status_code == 404


def test_an_administrator_judges_only_as_a_member(project: Project) -> None:
    root = User.objects.create_user("root", is_administrator=True)
    assert "no member" in Screen(project, root).get("judge-next", 400)["error"]
    assert Slot.objects.exclude(assessor=None).count() == 0
