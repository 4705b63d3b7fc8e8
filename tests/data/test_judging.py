"""Judging events: what one may say."""

from __future__ import annotations

from typing import Any

import pytest

from cranfield.data.documents import Document
from cranfield.data.judging import (
    FIELDS,
    JudgingEvent,
    document_hash,
    events_from_qrels,
    is_assessor,
    new_event_id,
    utc_now,
)
from cranfield.data.qrels import Qrels
from cranfield.errors import DataError
from tests.data.judging_material import TIME, event


def test_the_fields_are_those_of_the_schema() -> None:
    """The web application and files of earlier judgments have these, in this order."""
    assert (
        *("event", "time", "assessor", "topic", "document", "action", "grade", "reason", "scale"),
        *("document_sha256", "shown_at", "active_ms", "input", "assignment", "supersedes"),
    ) == FIELDS


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"event": "7"}, "event is '7'; expected a UUID"),
        ({"event": 7}, "event is 7; expected a text"),
        ({"time": "yesterday"}, "time is 'yesterday'; expected a time in UTC"),
        ({"time": "2026-02-30T00:00:00Z"}, "expected a time in UTC"),
        ({"time": "2026-03-01T09:30:00+01:00"}, "expected a time in UTC"),
        ({"assessor": "ann bee"}, "assessor is 'ann bee'; expected a name without white space"),
        ({"assessor": ""}, "assessor is ''; expected a text"),
        ({"document": None}, "document is null; expected a text"),
        ({"action": "grad"}, r"action is 'grad'. Did you mean grade\? There are: grade, unsure"),
        ({"input": "phone"}, "input is 'phone'. There are: terminal, web, import"),
        ({"grade": None}, "grade is null; the action 'grade' has a number there"),
        ({"grade": "3"}, "grade is '3'; expected a number"),
        ({"grade": True}, "grade is True; expected a number"),
        ({"grade": float("inf")}, "grade is inf; expected a number"),
        ({"action": "skip", "grade": 1}, "grade is 1, and the action 'skip' gives none"),
        ({"action": "withdraw", "grade": None}, "supersedes is null; the action 'withdraw' has"),
        ({"action": "note", "grade": None, "reason": " "}, "reason is empty; the action 'note' has its text there"),
        ({"supersedes": "d1"}, "supersedes is 'd1'; expected the UUID of an event, or null"),
        ({"document_sha256": "abc"}, "document_sha256 is 'abc'; expected a SHA-256, or null"),
        ({"active_ms": -1}, "active_ms is -1; expected a whole number of milliseconds"),
        ({"active_ms": 1.5}, "active_ms is 1.5; expected a whole number"),
        ({"shown_at": "noon"}, "shown_at is 'noon'; expected a time in UTC, or null"),
        ({"reason": 3}, "reason is 3; expected a text, or null"),
    ],
)
def test_what_an_event_cannot_say(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(DataError, match=words):
        event(**fields)


def test_fields_that_are_missing_or_unknown() -> None:
    content = event().to_dict()
    with pytest.raises(DataError, match=r"there is no field 'asessor'. Did you mean assessor\?"):
        JudgingEvent.from_dict({**content, "asessor": "ann"})
    del content["scale"], content["input"]
    with pytest.raises(DataError, match="scale, input missing; an event has the fields event, time"):
        JudgingEvent.from_dict(content)


def test_names_of_assessors() -> None:
    assert all(map(is_assessor, ["ann", "ann.bee", "Åse", "a@b"]))
    assert not any(map(is_assessor, ["", "a b", "a\tb", "a\x1b", "a\u00a0b"]))


def test_what_is_made_anew_can_be_used() -> None:
    assert event(event=new_event_id(), time=utc_now()).grade == 1


def test_the_hash_of_a_document_does_not_depend_on_the_order_of_its_fields() -> None:
    one, other = Document("d", {"a": "1", "b": "2"}), Document("d", {"b": "2", "a": "1"})
    assert document_hash(one) == document_hash(other) != document_hash(Document("d", {"a": "1"}))


def test_events_of_judgments() -> None:
    qrels = Qrels.from_tuples([("1", "0", "d1", 2), ("1", "0", "d2", -1), ("2", "0", "d1", 0.5)])
    events = list(events_from_qrels(qrels, time=TIME, assessor="ann", scale="abc", reasons={("1", "d1"): "says it"}))
    found = [(one.topic, one.document, one.action, one.grade, one.reason, one.input) for one in events]
    assert found == [
        ("1", "d1", "grade", 2, "says it", "import"),
        ("1", "d2", "skip", None, None, "import"),
        ("2", "d1", "grade", 0.5, None, "import"),
    ]
    assert events == list(
        events_from_qrels(qrels, time=TIME, assessor="ann", scale="abc", reasons={("1", "d1"): "says it"})
    )
    assert len({one.event for one in events}) == 3


def test_judgments_of_several_assessors_name_them() -> None:
    qrels = Qrels.from_tuples([("1", "ann", "d1", 2), ("1", "bob", "d1", 0)])
    assert [one.assessor for one in events_from_qrels(qrels, time=TIME)] == ["ann", "bob"]
    with pytest.raises(DataError, match="judged more than once"):
        list(events_from_qrels(qrels, time=TIME, assessor="ann"))
