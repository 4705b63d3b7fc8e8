"""Judging events to begin with."""

from __future__ import annotations

import itertools
from typing import Any

from cranfield.data.judging import JudgingEvent

_NUMBERS = itertools.count(1)
TIME = "2026-03-01T09:30:00Z"


def identifier(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


def event(action: str = "grade", document: str = "d1", **fields: Any) -> JudgingEvent:
    """An event of ann about a document of topic 1, with an identifier of its own."""
    settled: dict[str, Any] = {"event": identifier(next(_NUMBERS)), "time": TIME, "assessor": "ann", "topic": "1"}
    if action == "grade":
        settled["grade"] = 1
    return JudgingEvent(**{**settled, "document": document, "action": action, **fields})
