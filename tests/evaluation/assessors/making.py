"""Events of assessors at work."""

from __future__ import annotations

import uuid
from typing import Any

from cranfield.data.judging import JudgingEvent


def event(assessor: str, document: str, time: str, grade: float | None = None, **more: Any) -> JudgingEvent:
    """An event of 2026-03-01 at a time such as 09:30; without a grade it is unsure, unless an action is named."""
    content = {"action": "unsure" if grade is None else "grade", "topic": "q1", "assignment": "pool x", **more}
    day = content.pop("day", "2026-03-01")
    return JudgingEvent(
        event=content.pop("event", str(uuid.uuid4())),
        time=f"{day}T{time}:00Z",
        assessor=assessor,
        document=document,
        grade=grade,
        **content,
    )


def minute(number: int) -> str:
    return f"{9 + number // 60:02}:{number % 60:02}"
