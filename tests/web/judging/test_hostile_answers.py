"""Answers that cannot be: none of them keeps others from being recorded, and none is recorded as it came."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from cranfield.web.accounts.models import User
from cranfield.web.judging import settling
from cranfield.web.judging.handing_out import hand_out
from cranfield.web.judging.models import Event, Slot
from cranfield.web.judging.recording import record
from cranfield.web.projects.models import Project
from tests.web.judging.making import answer


@pytest.fixture
def slots(project: Project, ann: User) -> list[Slot]:
    return hand_out(project, ann, 3)


def test_half_a_character_is_kept_as_what_cannot_be_shown(project: Project, ann: User, slots: list[Slot]) -> None:
    client = Client()
    client.force_login(ann)
    sent = json.dumps({"answers": [answer(slots[0], "note", reason="so \ud83d up"), answer(slots[1])]})
    assert "\\ud83d" in sent
    response = client.post(reverse("judge-answers", args=[project.pk]), sent, content_type="application/json")
    assert [one["status"] for one in response.json()["outcomes"]] == ["recorded", "recorded"]
    assert Event.objects.get(action="note").reason == "so \ufffd up"


def test_an_answer_on_which_the_server_fails_is_refused_and_the_others_go_on(
    project: Project, ann: User, slots: list[Slot], monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    real = settling.settle

    def settle(project: Project, slot: Slot, *more: Any) -> None:
        if slot.pk == slots[1].pk:
            raise ZeroDivisionError
        real(project, slot, *more)

    monkeypatch.setattr(settling, "settle", settle)
    outcomes = record(project, ann, [answer(slot) for slot in slots])
    assert [outcome.status for outcome in outcomes] == ["recorded", "refused", "recorded"]
    assert "the server failed on it" in outcomes[1].message
    assert "ZeroDivisionError" in caplog.text
    assert Event.objects.count() == 2


def test_a_database_that_is_busy_refuses_nothing(
    project: Project, ann: User, slots: list[Slot], monkeypatch: pytest.MonkeyPatch
) -> None:
    def settle(*_: Any) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(settling, "settle", settle)
    with pytest.raises(OperationalError):
        record(project, ann, [answer(slots[0])])


def test_who_was_at_the_same_document_in_the_same_moment_refuses_nothing(
    project: Project, ann: User, slots: list[Slot], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = settling.settle, []

    def settle(*given: Any) -> None:
        calls.append(given)
        if len(calls) == 1:
            raise IntegrityError
        real(*given)

    monkeypatch.setattr(settling, "settle", settle)
    assert [outcome.status for outcome in record(project, ann, [answer(slots[0])])] == ["recorded"]


@pytest.mark.parametrize(
    "body",
    [
        "[" * 100_000 + "]" * 100_000,
        '{"answers": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"next": ' + "1" * 5000 + "}",
    ],
    ids=["a list", "in an object", "a number"],
)
def test_json_that_cannot_be_read_is_said_in_words(project: Project, ann: User, body: str) -> None:
    client = Client()
    client.force_login(ann)
    response = client.post(reverse("judge-answers", args=[project.pk]), body, content_type="application/json")
    assert response.status_code == 400
    assert "no JSON that can be read" in response.json()["error"]
    assert "sys." not in response.json()["error"]


def test_the_same_identifier_with_another_note_is_another_answer(
    project: Project, ann: User, slots: list[Slot]
) -> None:
    first = answer(slots[0], "note", reason="one")
    outcomes = record(project, ann, [first, first, first | {"reason": "two"}])
    assert [outcome.status for outcome in outcomes] == ["recorded", "recorded", "refused"]
    assert "another answer has already" in outcomes[2].message


class TestClocks:
    @pytest.mark.parametrize("time", ["9999-12-31T00:00:00Z", "1970-01-01T00:00:00Z"])
    def test_a_time_that_cannot_be_is_that_of_the_server_and_is_marked(
        self, project: Project, ann: User, slots: list[Slot], time: str
    ) -> None:
        wrong = datetime.fromisoformat(time)
        sent = answer(slots[0], time=time, shown_at=(wrong - timedelta(milliseconds=1)).isoformat())
        [outcome] = record(project, ann, [sent])
        event = Event.objects.get()
        assert outcome.status == "recorded"
        assert f"the clock of this computer says {wrong:%Y-%m-%d}" in outcome.message
        assert event.time == event.received_at
        assert event.wrong_time == wrong
        assert event.shown_at == event.time - timedelta(milliseconds=1)
        assert record(project, ann, [sent]) == [outcome], "and the same again says the same"

    def test_minutes_are_forgiven_and_days_in_the_browser_too(
        self, project: Project, ann: User, slots: list[Slot]
    ) -> None:
        now = timezone.now()
        Project.objects.filter(pk=project.pk).update(created_at=now - timedelta(days=30))
        project.refresh_from_db()
        times = [now + timedelta(minutes=4), now - timedelta(days=20)]
        sent = [answer(slot, time=time.isoformat()) for slot, time in zip(slots, times, strict=False)]
        assert [(one.status, one.message) for one in record(project, ann, sent)] == [("recorded", "")] * 2
        assert [event.time for event in Event.objects.all()] == times
        assert not Event.objects.filter(wrong_time__isnull=False).exists()

    def test_nothing_was_shown_after_it_was_answered(self, project: Project, ann: User, slots: list[Slot]) -> None:
        record(project, ann, [answer(slots[0], shown_at=datetime(9999, 1, 1, tzinfo=UTC).isoformat())])
        event = Event.objects.get()
        assert event.shown_at == event.time

    def test_what_was_shown_for_longer_than_the_project_is_there_is_not_known(
        self, project: Project, ann: User, slots: list[Slot]
    ) -> None:
        record(project, ann, [answer(slots[0], time="9999-12-31T00:00:00Z", shown_at="2001-01-01T00:00:00Z")])
        assert Event.objects.get().shown_at is None
