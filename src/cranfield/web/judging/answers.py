"""What a browser sends of an answer, as it is read and checked."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from cranfield.errors import DataError, did_you_mean
from cranfield.web.projects.document_columns import storable

DECISIONS = ("grade", "unsure", "skip")
"""Actions that settle a document for an assessor."""
ACTIONS = (*DECISIONS, "note", "withdraw")
PREFERENCES = ("left", "right", "same")
_LONGEST_REASON = 20_000
LONGEST_MS = 2**31 - 1
"""What the column holds: 24 days."""
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Answer:
    """One thing that an assessor did, as the browser tells it; `docs/judging/protocol.md` has what each means.

    >>> Answer.read({"uuid": "8e6c2a52-4a0f-4f3e-9a57-0d8a3b7f5f10", "slot": "no", "action": "grade"})
    Traceback (most recent call last):
    cranfield.errors.DataError: slot is 'no'; expected a UUID
    """

    uuid: UUID
    slot: UUID
    action: str
    time: datetime
    scale: str
    grade: float | None = None
    preferred: str = ""
    reason: str = ""
    supersedes: UUID | None = None
    document_sha256: str = ""
    shown_at: datetime | None = None
    active_ms: int | None = None

    @classmethod
    def read(cls, content: object) -> Answer:
        """From what was in the JSON; an error says what is wrong with it."""
        if not isinstance(content, Mapping):
            raise DataError(f"found {content!r:.60}; expected an answer with uuid, slot, action, time and scale")
        answer = cls(
            uuid=_uuid(content, "uuid"),
            slot=_uuid(content, "slot"),
            action=_one_of(content, "action", ACTIONS),
            time=_time(content, "time"),
            scale=_text(content, "scale"),
            grade=_number(content.get("grade")),
            preferred=_one_of(content, "preferred", PREFERENCES) if content.get("preferred") else "",
            reason=_text(content, "reason").strip(),
            supersedes=_uuid(content, "supersedes") if content.get("supersedes") else None,
            document_sha256=_text(content, "document_sha256"),
            shown_at=_time(content, "shown_at") if content.get("shown_at") else None,
            active_ms=_milliseconds(content.get("active_ms")),
        )
        answer._check()
        return answer

    def _check(self) -> None:
        if self.action != "grade" and (self.grade is not None or self.preferred):
            raise DataError(f"{self.action} comes without a grade; found {self.preferred or self.grade!r}")
        if self.action in {"skip", "note"} and not self.reason:
            raise DataError(f"reason is empty; {self.action} has to say it in words")
        if self.action == "withdraw" and self.supersedes is None:
            raise DataError("supersedes is empty; withdraw has to name the answer that is taken back")
        if len(self.reason) > _LONGEST_REASON:
            raise DataError(f"reason has {len(self.reason):,} characters; at most {_LONGEST_REASON:,} are kept")
        if self.document_sha256 and not _SHA256.fullmatch(self.document_sha256):
            raise DataError(f"document_sha256 is {self.document_sha256!r:.80}; expected 64 hexadecimal digits")


def _uuid(content: Mapping[str, Any], name: str) -> UUID:
    value = content.get(name)
    try:
        return UUID(value)
    except (ValueError, TypeError, AttributeError):
        raise DataError(f"{name} is {value!r:.60}; expected a UUID") from None


def _text(content: Mapping[str, Any], name: str) -> str:
    value = content.get(name)
    if value is None:
        return ""
    if not isinstance(value, str) or "\0" in value:
        raise DataError(f"{name} is {value!r:.60}; expected a text")
    return storable(value)


def _one_of(content: Mapping[str, Any], name: str, known: tuple[str, ...]) -> str:
    value = content.get(name)
    if not isinstance(value, str) or value not in known:
        raise DataError(f"{name} is {value!r:.60}{did_you_mean(str(value), known)} There are: {', '.join(known)}")
    return value


def _time(content: Mapping[str, Any], name: str) -> datetime:
    value = content.get(name)
    try:
        time = datetime.fromisoformat(value)  # type: ignore[arg-type]
        if time.tzinfo is None:
            raise ValueError
        return time.astimezone(UTC)
    except (ValueError, TypeError, OverflowError):
        raise DataError(f"{name} is {value!r:.60}; expected a time such as 2026-03-01T09:30:00.000Z") from None


def _number(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > 1e300 or math.isnan(value):
        raise DataError(f"grade is {value!r:.60}; expected a number")
    return float(value)


def _milliseconds(value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= LONGEST_MS:
        raise DataError(f"active_ms is {value!r:.60}; expected milliseconds, from 0 to {LONGEST_MS}")
    return int(value)
