"""What assessors did, one event for each thing: the same for the terminal, for the browser and for what is imported."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any, Literal, Self, get_args

from cranfield.data.documents import ContentHash, Document
from cranfield.data.qrels import Qrels
from cranfield.data.scale import is_grade
from cranfield.errors import DataError, did_you_mean

Action = Literal["grade", "unsure", "skip", "note", "withdraw"]
Input = Literal["terminal", "web", "import"]
ACTIONS: tuple[str, ...] = get_args(Action)
INPUTS: tuple[str, ...] = get_args(Input)
DECISIONS = ("grade", "unsure", "skip")
"""What settles a document for an assessor, for the time being."""

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_IMPORTED = uuid.UUID("1a0c2f56-6f3b-5d0e-9c4e-6d6f1c7f2b11")
"""The namespace of the identifiers of imported events: the same judgments have the same."""


@dataclass(frozen=True, slots=True)
class JudgingEvent:
    """One thing that an assessor did about a document of a topic.

    Events are never changed: a grade is corrected by a later event that supersedes it, and taken back by a `withdraw`.

    >>> event = JudgingEvent(new_event_id(), "2026-03-01T09:30:00Z", "ann", "301", "d7", "grade", grade=2)
    >>> JudgingEvent.from_dict(event.to_dict()) == event
    True
    >>> JudgingEvent(new_event_id(), "2026-03-01T09:30:00Z", "ann", "301", "d7", "grade")
    Traceback (most recent call last):
    cranfield.errors.DataError: grade is null; the action 'grade' has a number there
    """

    event: str
    """A UUID of its own."""
    time: str
    """When it was done, in UTC: 2026-03-01T09:30:00Z."""
    assessor: str
    topic: str
    document: str
    action: str
    """One of ACTIONS."""
    grade: float | None = None
    reason: str | None = None
    """In words: why it was skipped or has this grade, or the text of a note."""
    scale: str | None = None
    """The version of the scale."""
    document_sha256: str | None = None
    """Of the document as it was shown."""
    shown_at: str | None = None
    active_ms: int | None = None
    """For how long the assessor was at work on it, in milliseconds."""
    input: str = "terminal"
    """Where it was done: one of INPUTS."""
    assignment: str | None = None
    supersedes: str | None = None
    """The earlier event that this one corrects or takes back."""

    def __post_init__(self) -> None:
        for name in ("event", "time", "assessor", "topic", "document", "action", "input"):
            self._need(name, lambda value: isinstance(value, str) and value != "", "a text")
        for name in ("reason", "scale", "document_sha256", "shown_at", "assignment", "supersedes"):
            self._need(name, lambda value: value is None or isinstance(value, str), "a text, or null")
        self._need("event", _is_uuid, "a UUID")
        self._need("supersedes", lambda value: value is None or _is_uuid(value), "the UUID of an event, or null")
        self._need("time", _is_time, "a time in UTC such as 2026-03-01T09:30:00Z")
        self._need("shown_at", lambda value: value is None or _is_time(value), "a time in UTC, or null")
        self._need("assessor", is_assessor, "a name without white space")
        self._need("document_sha256", lambda value: value is None or _SHA256.fullmatch(value), "a SHA-256, or null")
        self._need("active_ms", _is_duration, "a whole number of milliseconds, or null")
        for name, known in (("action", ACTIONS), ("input", INPUTS)):
            value = getattr(self, name)
            if value not in known:
                raise DataError(f"{name} is {value!r}{did_you_mean(value, known)} There are: {', '.join(known)}")
        self._check_action()

    def _need(self, name: str, fits: Any, expected: str) -> None:
        value = getattr(self, name)
        if not fits(value):
            shown = "null" if value is None else f"{value!r:.60}"
            raise DataError(f"{name} is {shown}; expected {expected}")

    def _check_action(self) -> None:
        if self.action == "grade":
            if self.grade is None:
                raise DataError("grade is null; the action 'grade' has a number there")
            self._need("grade", is_grade, "a number")
        elif self.grade is not None:
            raise DataError(f"grade is {self.grade!r}, and the action {self.action!r} gives none")
        if self.action == "withdraw" and self.supersedes is None:
            raise DataError("supersedes is null; the action 'withdraw' has the event that it takes back there")
        if self.action == "note" and not (self.reason or "").strip():
            raise DataError("reason is empty; the action 'note' has its text there")

    @property
    def place(self) -> tuple[str, str, str]:
        """Whose event it is, and of which document of which topic."""
        return self.assessor, self.topic, self.document

    def to_dict(self) -> dict[str, Any]:
        """Every field by its name."""
        return {name: getattr(self, name) for name in FIELDS}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """From all fields by name; one too many or too few is an error."""
        for name in content:
            if name not in FIELDS:
                raise DataError(f"there is no field {name!r}{did_you_mean(name, FIELDS)}")
        lacking = [name for name in FIELDS if name not in content]
        if lacking:
            raise DataError(f"{', '.join(lacking)} missing; an event has the fields {', '.join(FIELDS)}")
        return cls(**content)


FIELDS: tuple[str, ...] = tuple(field.name for field in fields(JudgingEvent))


def new_event_id() -> str:
    """An identifier that no other event has."""
    return str(uuid.uuid4())


def imported_event_id(time: str, assessor: str, topic: str, document: str) -> str:
    """The identifier of an event that was made of a label: the same label has the same."""
    return str(uuid.uuid5(_IMPORTED, "\n".join((time, assessor, topic, document)).encode("utf-8", "replace").decode()))


def utc_now() -> str:
    """This moment, to the millisecond."""
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z"


def is_assessor(name: str) -> bool:
    """Whether someone can be called this: the second column of judgments has to hold it."""
    return bool(name) and name.isprintable() and not any(character.isspace() for character in name)


def document_hash(document: Document) -> str:
    """The SHA-256 of one document, whatever format it came in.

    >>> document_hash(Document("d1", {"title": "Soup"}))[:12]  # printf '["d1",{"title":"Soup"}]\\n' | sha256sum
    '8821f3f0cba2'
    """
    content = ContentHash()
    content.add(document)
    return content.hexdigest()


def events_from_qrels(
    qrels: Qrels,
    *,
    time: str,
    assessor: str | None = None,
    scale: str | None = None,
    reasons: Mapping[tuple[str, str], str] | None = None,
) -> Iterator[JudgingEvent]:
    """The events that judgments would have come from; a negative grade says that a document was skipped.

    The assessor is the one named here, or else the second column (qrels_jg). `reasons` has why, by topic and document.
    The same judgments give the same events, identifiers and all.

    >>> from cranfield.data.judging_record import to_qrels
    >>> qrels = Qrels.from_dict({"q1": {"d1": 2, "d2": 0}})
    >>> to_qrels(events_from_qrels(qrels, time="2026-03-01T09:30:00Z", assessor="ann")).to_dict()
    {'q1': {'d1': 2, 'd2': 0}}
    """
    if assessor is not None:
        qrels.refuse_judged_twice("name no assessor, so that the second column does")
    for topic, iteration, document, grade in qrels.rows():
        who = assessor if assessor is not None else iteration
        yield JudgingEvent(
            imported_event_id(time, who, topic, document),
            time,
            who,
            topic,
            document,
            "grade" if grade >= 0 else "skip",
            grade=grade if grade >= 0 else None,
            reason=(reasons or {}).get((topic, document)),
            scale=scale,
            input="import",
        )


def _is_uuid(value: str) -> bool:
    try:
        return str(uuid.UUID(value)) == value
    except ValueError:
        return False


def _is_time(value: str) -> bool:
    if not _TIME.fullmatch(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _is_duration(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0)
