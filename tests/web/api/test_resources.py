"""What programs read and write."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from cranfield.data.documents import Document as Content
from cranfield.data.judging import document_hash
from cranfield.web.accounts.models import ApiToken, AuditEntry, User
from cranfield.web.accounts.tokens import make_token
from cranfield.web.api import following
from cranfield.web.judging.handing_out import hand_out
from cranfield.web.judging.models import Decision, Event, Slot
from cranfield.web.judging.recording import record
from cranfield.web.projects.models import Project
from tests.web.api.conftest import Program
from tests.web.judging.making import SCALE, answer, make_assessor, make_project


def label(**content: Any) -> dict[str, Any]:
    return {
        "event": str(uuid.uuid4()),
        "time": "2026-03-01T10:30:00+01:00",
        "assessor": "crowd-1",
        "topic": "q2",
        "document": "q2-d00004",
        "action": "grade",
        "grade": 2,
        **content,
    }


def test_the_project(program: Program) -> None:
    content = program.get().json()
    assert program.client.get("/api/projects").json() == {"projects": [content]}
    assert (content["id"], content["name"], content["mode"]) == (str(program.project.pk), "Soups", "grades")
    assert (content["topics"], content["items"], content["closed_at"]) == (2, 8, None)
    assert [grade["value"] for grade in content["scale"]["grades"]] == [2, 1, 0]
    assert content["last_event"] == Event.objects.latest("number").number


def test_topics(program: Program) -> None:
    topics = program.get("/topics").json()["topics"]
    assert [(topic["topic"], topic["title"], topic["items"]) for topic in topics] == [
        ("q1", "Soup number 1", 4),
        ("q2", "Soup number 2", 4),
    ]


def test_the_pool_page_by_page(program: Program) -> None:
    found: list[Any] = []
    after: int | None = 0
    while after is not None:
        page = program.get("/pool", limit=3, after=after).json()
        assert len(page["items"]) <= 3
        found += page["items"]
        after = page["next"]
    assert [(item["topic"], item["document"]) for item in found] == [
        (f"q{topic}", f"q{topic}-d0000{place}") for topic in (1, 2) for place in (1, 2, 3, 4)
    ]
    assert found == program.get("/pool").json()["items"]
    assert "text" not in found[0]
    assert program.get("/pool", content="true", limit=1).json()["items"][0]["text"] == "Boil it."


def test_the_pool_by_topic_and_state(program: Program) -> None:
    """Anna and Bob graded four documents of the first topic each, of two judgments that are wanted; both skipped one."""
    states = {state: program.get("/pool", state=state).json()["items"] for state in ("open", "judged", "withdrawn")}
    assert [item["document"] for item in states["judged"]] == [f"q1-d0000{place}" for place in (1, 2, 3, 4)]
    assert {item["done"] for item in states["judged"]} == {2}
    assert {(item["topic"], item["done"], item["wanted"]) for item in states["open"]} == {("q2", 0, 2)}
    assert states["withdrawn"] == []
    program.project.items.filter(document__name="q1-d00001").update(withdrawn=True)
    [withdrawn] = program.get("/pool", state="withdrawn", topic="q1").json()["items"]
    assert withdrawn["document"] == "q1-d00001"
    assert len(program.get("/pool", topic="q1").json()["items"]) == 4
    assert program.get("/pool", topic="q9").json() == {"items": [], "next": None}


def test_documents_are_added_once(program: Program) -> None:
    documents = [
        {"topic": "q1", "document": "new", "title": "New", "text": "Stir.", "fields": {"year": 1962}},
        {"topic": "q2", "document": "new"},
        {"topic": "q2", "document": "q1-d00001"},
        {"topic": "q1", "document": "q1-d00001"},
    ]
    first, again = (program.post("/pool", {"documents": documents}).json() for _ in range(2))
    assert first == {"items": 3, "documents": 1, "there_already": 1}
    assert again == {"items": 0, "documents": 0, "there_already": 4}
    new = program.project.documents.get(name="new")
    assert new.sha256 == document_hash(Content("new", {"title": "New", "text": "Stir.", "year": 1962}))
    items = program.project.items.filter(document=new).order_by("topic__place")
    assert [(item.topic.name, item.place, item.wanted, item.slots.count()) for item in items] == [
        ("q1", 5, 2, 2),
        ("q2", 5, 2, 2),
    ]
    [entry] = AuditEntry.objects.filter(what="pool extended by a program")
    assert entry.details == {"token": "a program", **first}


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"topic": "q3", "document": "q1-d00001"}, "there is no topic 'q3' in this project"),
        ({"topic": "q1", "document": "nowhere"}, "'nowhere' is not in this project; send its title and text along"),
        ({"topic": "q1", "document": "q1-d00001", "text": "Other."}, "is there with another content"),
    ],
)
def test_documents_that_do_not_fit_leave_nothing_behind(program: Program, document: dict[str, Any], said: str) -> None:
    fine = {"topic": "q1", "document": "fine", "text": "Fine."}
    response = program.post("/pool", {"documents": [fine, document]})
    assert response.status_code == 409
    assert said in response.json()["detail"]
    assert not program.project.documents.filter(name="fine").exists()


def test_nothing_is_added_to_a_closed_project_or_one_of_pairs(program: Program) -> None:
    body = {"documents": [{"topic": "q1", "document": "q2-d00001"}]}
    Project.objects.update(mode="pairs")
    assert "two by two" in program.post("/pool", body).json()["detail"]
    Project.objects.update(mode="grades", closed_at=timezone.now())
    assert program.post("/pool", body).status_code == 409
    assert "is closed" in program.post("/labels", {"events": [label()]}).json()["detail"]


def test_labels_page_by_page_and_as_they_come(program: Program) -> None:
    first = program.get("/labels", limit=7).json()
    rest = program.get("/labels", after=first["after"]).json()
    assert (len(first["events"]), first["more"], len(rest["events"]), rest["more"]) == (7, True, 3, False)
    assert [event["action"] for event in [*first["events"], *rest["events"]]] == 2 * (["grade"] * 4 + ["skip"])
    assert first["events"][0]["assessor"] == "p-anna"
    assert program.get("/labels", after=rest["after"]).json() == {"events": [], "after": rest["after"], "more": False}
    assessor = make_assessor(program.project, "cem")
    [slot] = hand_out(program.project, assessor, 1)
    record(program.project, assessor, [answer(slot, grade=0)])
    [event] = program.get("/labels", after=rest["after"]).json()["events"]
    assert (event["assessor"], event["grade"], event["topic"]) == ("p-cem", 0, slot.item.topic.name)


def test_who_follows_waits_for_events_that_are_being_written(program: Program) -> None:
    """A number that is missing may be that of an event which is not there yet, until the ones after it are old."""
    last = Event.objects.latest("number")
    late = Event.objects.filter(pk=last.pk).values().get() | {"number": last.number + 2, "uuid": uuid.uuid4()}
    Event.objects.create(**late)
    page = program.get("/labels").json()
    assert page["after"] == last.number
    older = {**late, "number": last.number + 3, "uuid": uuid.uuid4()}
    older["received_at"] = last.received_at - following.WAIT - timedelta(seconds=1)
    Event.objects.create(**older)
    assert program.get("/labels", after=page["after"]).json()["after"] == last.number + 3


def test_labels_are_imported_once(program: Program) -> None:
    labels = [label(), label(assessor="crowd-2", grade=0), label(topic="q1", document="q1-d00001", grade=0)]
    first, again = (program.post("/labels", {"events": labels}).json() for _ in range(2))
    assert first == {"taken": 3, "there_already": 0, "counted": 2}, "the third is more than are wanted, and is kept"
    assert again == {"taken": 0, "there_already": 3, "counted": 0}
    [event, *_] = [one for one in program.get("/labels").json()["events"] if one["assessor"] == "crowd-1"]
    assert (event["event"], event["time"], event["input"]) == (labels[0]["event"], "2026-03-01T09:30:00.000Z", "import")
    grades = {(one["topic"], one["document"]): one["grade"] for one in program.get("/judgments").json()["judgments"]}
    assert grades["q2", "q2-d00004"] == 0, "of 2 and 0 the lower, by the rule of the majority"
    assert not User.objects.filter(memberships__pseudonym="crowd-1", is_active=True).exists()


def test_labels_beyond_what_is_wanted_count_if_that_is_said(program: Program) -> None:
    body = {"events": [label(topic="q1", document="q1-d00001", grade=0)], "surplus": "count"}
    assert program.post("/labels", body).json()["counted"] == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"topic": "q9"}, "a topic that the project does not have: q9"),
        ({"document": "nix"}, "a document that the project does not have: nix"),
        ({"document": "q1-d00001"}, "not in the pool of the topic"),
        ({"grade": 7}, "a grade that the scale does not have: 7"),
        ({"grade": 1e300}, "a grade that the scale does not have: 1e+300"),
    ],
)
def test_labels_that_do_not_fit_leave_nothing_behind(program: Program, change: dict[str, Any], said: str) -> None:
    before = Event.objects.count(), Slot.objects.filter(done_at=None).count()
    response = program.post("/labels", {"events": [label(), label(assessor="crowd-2", **change)]})
    assert response.status_code == 409
    assert said in response.json()["detail"]
    assert before == (Event.objects.count(), Slot.objects.filter(done_at=None).count())


def test_judgments_by_every_rule(program: Program) -> None:
    """Anna gave 1 everywhere, Bob 1, 2, 1, 2 to the same four: by hand."""
    by_rule = {"majority": [1, 1, 1, 1], "max": [1, 2, 1, 2], "mean": [1, 1.5, 1, 1.5], "min": [1, 1, 1, 1]}
    for rule, expected in by_rule.items():
        found = program.get("/judgments", rule=rule).json()
        assert [one["grade"] for one in found["judgments"]] == expected, rule
    item = program.project.items.get(document__name="q1-d00002")
    Decision.objects.create(item=item, decided_by=User.objects.get(username="anna"), grade=0, reason="cold", events=[])
    second = program.get("/judgments").json()["judgments"][1]
    assert second == {"topic": "q1", "document": "q1-d00002", "grade": 0, "adjudicated": True}
    Decision.objects.create(
        item=item, decided_by=User.objects.get(username="bob"), grade=2, reason="hot", events=[],
        scale=program.project.scales.get(),
    )  # fmt: skip
    assert program.get("/judgments").json()["judgments"][1]["grade"] == 2
    first, second = program.get("/decisions").json()["decisions"]
    assert (first["topic"], first["document"], first["grade"], first["reason"]) == ("q1", "q1-d00002", 0, "cold")
    assert (first["by"], first["holds"], second["by"], second["holds"]) == ("p-anna", False, "p-bob", True)
    assert (first["scale"], second["scale"]) == ("", SCALE)


def test_progress(program: Program) -> None:
    assert program.get("/progress").json() == {
        "items": 8, "wanted": 16, "done": 8,
        "topics": [
            {"topic": "q1", "items": 4, "wanted": 8, "done": 8},
            {"topic": "q2", "items": 4, "wanted": 8, "done": 0},
        ],
    }  # fmt: skip


def test_agreement(program: Program) -> None:
    """Of four documents they agree on two: P(A) = 1/2; P(1) = 1 and 1/2, so P(E) = 1/2 and Cohen's kappa is 0."""
    found = program.get("/agreement", resamples=100).json()
    assert found["coefficients"]["percent_agreement"]["value"] == 0.5
    assert found["coefficients"]["cohen_kappa"]["value"] == 0
    assert found["settings"]["resamples"] == 100


def strict_json(content: bytes) -> Any:
    """As JSON has it: Python also reads NaN."""
    return json.loads(content, parse_constant=pytest.fail)


def test_agreement_that_has_no_value_is_null(db: None) -> None:
    """One assessor alone, and two who gave one grade to all: chance would have agreed too."""
    project = make_project(topics=1, documents=3, wanted=2)
    _, secret = make_token(project, None, "a program")
    program = Program(project, Client(headers={"authorization": f"Bearer {secret}"}))
    for name in ("anna", "bob"):
        assessor = make_assessor(project, name)
        record(project, assessor, [answer(slot, grade=1) for slot in hand_out(project, assessor, 3)])
        strict_json(program.get("/agreement").content)
    found = strict_json(program.get("/agreement").content)
    assert found["coefficients"]["percent_agreement"]["value"] == 1
    assert found["coefficients"]["cohen_kappa"]["value"] is None


def test_an_identifier_that_another_project_has(program: Program) -> None:
    other = judged_project_of("other")
    theirs = str(Event.objects.filter(project=other).latest("number").uuid)
    taken = [program.post("/labels", {"events": [label(event=theirs)]}).json()["taken"] for _ in range(2)]
    assert taken == [1, 0], "it is given another one, and the same again changes nothing"
    assert str(Event.objects.get(project=program.project, input="import").uuid) != theirs


def judged_project_of(name: str) -> Project:
    project = make_project()
    assessor = make_assessor(project, name)
    record(project, assessor, [answer(slot) for slot in hand_out(project, assessor, 1)])
    return project


def test_when_a_token_was_last_used(program: Program) -> None:
    program.get()
    used = ApiToken.objects.get().last_used_at
    program.get()
    assert ApiToken.objects.get().last_used_at == used, "not written for every request"
    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(hours=1))
    program.get()
    assert str(ApiToken.objects.get().last_used_at) >= str(used)


@pytest.mark.parametrize(("more", "name"), [({}, "p-anna-imported"), ({"merge": True}, "p-anna")])
def test_labels_speak_for_people_only_if_that_is_asked(program: Program, more: dict[str, bool], name: str) -> None:
    sent = label(assessor="p-anna", document="q2-d00003")
    assert program.post("/labels", {"events": [sent], **more}).json()["taken"] == 1
    event = Event.objects.get(uuid=sent["event"])
    assert program.project.memberships.get(user=event.assessor).pseudonym == name
